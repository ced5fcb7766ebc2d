import type { GroupFigures } from "../../contract/figures.js";
import { LIMITS } from "../../contract/limits.js";
import type { Standards } from "../../contract/standards.js";
import { type Html, html, unseen } from "./html.js";
import { bandLevel, counted, type Level, numberOf, visible } from "./words.js";

/** The approximate number of points that a bar covers. */
const BIN_POINTS = 5;
/** The height of the drawing, in its own units, and that of the shortest bar. */
const HEIGHT = 100;
const LEAST = 4;

/** The range of scores that a bar covers, and the number of sites in it. */
export interface ScoreBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A band of the rubric with the bars that count its scores. Scores between bands have a group without a label. */
export interface BinGroup {
  /** Null for scores between bands. */
  readonly band: string | null;
  readonly label: string | null;
  readonly level: Level;
  readonly bins: readonly ScoreBin[];
}

/**
 * The bars of a histogram by rising score. No bar spans two bands, and together they cover all scores from 0 to 100.
 */
export function binGroups(
  { bands }: Pick<Standards["rubric"], "bands">,
  points: GroupFigures["scores"],
): BinGroup[] {
  const groups: BinGroup[] = [];
  let next: number = LIMITS.scoreMin;
  const add = (to: number, band: string | null, label: string | null, level: Level) => {
    if (to < next) return;
    groups.push({ band, label, level, bins: binsBetween(next, to, points) });
    next = to + 1;
  };
  for (const { band, label, min, max } of bands.toSorted((one, other) => one.min - other.min)) {
    add(min - 1, null, null, "none");
    add(max, band, visible(label) ?? band, bandLevel(band, { bands }));
  }
  add(LIMITS.scoreMax, null, null, "none");
  return groups;
}

function binsBetween(from: number, to: number, points: GroupFigures["scores"]): ScoreBin[] {
  const size = to - from + 1;
  const bins = Math.max(1, Math.round(size / BIN_POINTS));
  const startOf = (index: number) => from + Math.round((index * size) / bins);
  return Array.from({ length: bins }, (_, index) => {
    const first = startOf(index);
    const last = startOf(index + 1) - 1;
    const own = points.filter(([score]) => score >= first && score <= last);
    return { from: first, to: last, count: own.reduce((sum, [, count]) => sum + count, 0) };
  });
}

/** A range as `80` or `80–84`. */
export function rangeText(from: number, to: number): string {
  return from === to ? numberOf(from) : `${numberOf(from)}–${numberOf(to)}`;
}

/** How a page draws the parts of a histogram: as links, or as texts. */
export interface HistogramParts {
  /** A bar. @param drawn its content */
  bar(bin: ScoreBin, drawn: Html): Html;
  /** A band below the bars, with its number of sites. */
  band(band: string, attributes: Html, drawn: Html, count: number): Html;
  /** The number of sites in a band. Default: those in its bars. */
  count?(band: string): number | undefined;
}

/**
 * The distribution of scores: bars in the colours of the bands, and the bands with their numbers of sites.
 * @param left the sites that no bar counts, in words; "" for none. Null if no site has been counted yet: then it has no
 * numbers
 */
export function histogram(
  groups: readonly BinGroup[],
  parts: HistogramParts,
  left: string | null,
): Html {
  const isCounted = left !== null;
  const counts = groups.flatMap(({ bins }) => bins.map(({ count }) => count));
  const most = Math.max(1, ...counts);
  const bar = (bin: ScoreBin) => {
    const { from, to, count } = bin;
    const number = isCounted ? html`<span>: ${counted(count, "site")}</span>` : null;
    const height = count === 0 ? 0 : Math.max(LEAST, Math.round((HEIGHT * count) / most));
    return parts.bar(
      bin,
      html`<svg viewBox="0 0 10 ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        <rect y="${HEIGHT - height}" width="10" height="${height}"></rect></svg>
        <span class="tip">${rangeText(from, to)}${number}</span>`,
    );
  };
  const chart = groups.map(
    ({ level, bins }) =>
      html`<div class="bins level-${level} grow-${bins.length}">${bins.map(bar)}
        <span class="axis" aria-hidden="true">${numberOf(bins[0]?.from ?? 0)}</span></div>`,
  );
  const legend = groups.map((group) => legendItem(group, parts, isCounted));
  return html`<div class="histogram"><div class="chart" role="group" aria-label="Sites by score">${chart}</div>
    <ul class="legend" aria-label="Bands">${legend}</ul>
    <p class="quiet rest">${left === "" || left === null ? null : `Not in the chart: ${left}.`}</p></div>`;
}

function legendItem(
  { band, label, level, bins }: BinGroup,
  parts: HistogramParts,
  isCounted: boolean,
): Html | null {
  const first = bins[0];
  const last = bins.at(-1);
  if (band === null || label === null || first === undefined || last === undefined) return null;
  const count = parts.count?.(band) ?? bins.reduce((sum, one) => sum + one.count, 0);
  const { from } = first;
  const { to } = last;
  const drawn = html`<span class="legend-name" dir="auto">${label}</span> 
    <span class="quiet">${rangeText(from, to)}</span> 
    <b>${isCounted ? [numberOf(count), unseen(count === 1 ? " site" : " sites")] : null}</b>`;
  const attributes = html` class="legend-band level-${level}" data-from="${from}" data-to="${to}"`;
  return html`<li>${parts.band(band, attributes, drawn, count)}</li>`;
}
