import type { HistoryEntry } from "../../contract/report.js";
import { itemAt } from "../../contract/tables.js";
import { type Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { bandLevel, cutText, dayOf, percentOf, tenth, visible } from "../kit/words.js";
import { scoreWords } from "./report-texts.js";

/*
 * Scores over time. Across, positions are shares of the width; down, they are pixels: the chart is as tall on a phone
 * as on a desk. A scan without a score has no height, only a mark below the chart. The table under the chart has the
 * same links, so that keyboards and screen readers skip the chart.
 */

const CHART = { top: 22, bottom: 192, none: 214, height: 246 } as const;
/** The share of the width that stays free at either end. */
const MARGIN = 0.03;
/** With more scans than this, dots are small. */
const LARGE_DOTS_MAX = 40;
/** The most characters of a scoring version's name, and the least width that it needs. */
const VERSION_MAX = 12;
const VERSION_WIDTH = 0.16;
/** The most bands whose bounds are on the axis. */
const BANDS_MAX = 6;
/** The most characters of a band's name beside the plot, and the width of all names in pixels. */
const NAME_MAX = 14;
const NAMES_WIDTH = 96;

interface Dot {
  /** The position across, from 0 to 1. */
  readonly x: number;
  /** Null without a score. */
  readonly y: number | null;
  readonly entry: HistoryEntry;
}

/** A run of scored scans of the same scoring version, with the positions where it begins and ends. */
interface Era {
  readonly version: string | null;
  readonly from: number;
  readonly to: number;
}

/**
 * The chart; null for fewer than two scans. Lines never join different scoring versions.
 * @param addressOf the relative address of a scan's report; null for the report that the chart is in
 */
export function historyChart(
  history: readonly HistoryEntry[],
  context: PageContext,
  addressOf: (entry: HistoryEntry) => string | null,
): Html | null {
  if (history.length < 2) return null;
  const dots = dotsOf(history);
  const eras = erasOf(dots);
  const { rubric } = context;
  const isCurrent = eras.some(({ version }) => version === rubric.version);
  const bounds =
    isCurrent && rubric.bands.length <= BANDS_MAX
      ? rubric.bands.map(({ min }) => min)
      : [0, 25, 50, 75];
  const grid = [...new Set([...bounds, 0, 100])].map((score) => ({ score, y: heightOf(score) }));
  const last = itemAt(history, 0);
  const first = itemAt(history, history.length - 1);
  const scale = grid.map(({ score, y }) => html`<text x="26" y="${y + 4}">${score}</text>`);
  const gridLines = grid.map(({ y }) => html`<line class="grid" x2="100%" y1="${y}" y2="${y}"/>`);
  const names = isCurrent && rubric.bands.length <= BANDS_MAX ? rubric.bands.map(bandName) : null;
  const marks = dots.map((dot) => scanMark(dot, dots.length, context, addressOf(dot.entry)));
  const noScore = html`<text class="end" x="100%" y="${CHART.none + 4}">× no score</text>`;
  return html`<div class="chart" aria-hidden="true">
    <svg class="axis" width="32" height="${CHART.height}">${scale}</svg>
    <svg class="plot" height="${CHART.height}">
      ${eras.map((era) => stripes(era, context))}
      ${gridLines}
      ${boundaries(eras)}
      ${lines(dots)}
      ${marks}
      ${dots.some(({ y }) => y === null) ? noScore : null}
      <text y="${CHART.height - 6}">${dayOf(first.finishedAt)}</text>
      <text class="end" x="100%" y="${CHART.height - 6}">${dayOf(last.finishedAt)}</text>
    </svg>
    ${names && html`<svg class="stripe-names" width="${NAMES_WIDTH}" height="${CHART.height}">${names}</svg>`}</div>
`;
}

/** The name of a band beside the plot, where no line covers it; null if the band is too narrow for one. */
function bandName({ label, min, max }: PageContext["rubric"]["bands"][number]): Html | null {
  const top = heightOf(Math.min(100, max + 1));
  const bottom = heightOf(min);
  const name = bottom - top > 16 ? visible(label) : null;
  if (name === null) return null;
  return html`<text y="${tenth((top + bottom) / 2) + 4}">${cutText(name, NAME_MAX)}</text>`;
}

/**
 * Oldest first, spaced by time. Where time does not help, dots are spaced evenly: all of them if the first and the last
 * time are equal, or a single one whose time is invalid.
 */
function dotsOf(history: readonly HistoryEntry[]): Dot[] {
  const oldestFirst = history.toReversed();
  const timeOf = ({ finishedAt }: HistoryEntry) => new Date(finishedAt).getTime();
  const [first = 0, last = 0] = [oldestFirst[0], oldestFirst.at(-1)].map(
    (one) => one && timeOf(one),
  );
  return oldestFirst.map((entry, index) => {
    const time = timeOf(entry);
    const share =
      last > first && !Number.isNaN(time)
        ? (time - first) / (last - first)
        : index / (history.length - 1);
    const x = MARGIN + (1 - 2 * MARGIN) * share;
    return { x, y: entry.score === null ? null : heightOf(entry.score), entry };
  });
}

/** Eras in their order; a boundary is halfway between the scans of two versions. */
function erasOf(dots: readonly Dot[]): Era[] {
  const scored = dots.filter(({ y }) => y !== null);
  const starts = scored.flatMap(({ x, entry }, index) => {
    const before = scored[index - 1];
    if (before === undefined) return { version: entry.scoreVersion, from: 0 };
    if (before.entry.scoreVersion === entry.scoreVersion) return [];
    return { version: entry.scoreVersion, from: (before.x + x) / 2 };
  });
  return starts.map((era, index) => ({ ...era, to: starts[index + 1]?.from ?? 1 }));
}

/** The bands of the current rubric, behind the scores that it gave; null for other scores. */
function stripes({ version, from, to }: Era, { rubric }: PageContext): Html[] | null {
  if (version !== rubric.version) return null;
  return rubric.bands.map(({ band, min, max }) => {
    const top = heightOf(Math.min(100, max + 1));
    const height = tenth(heightOf(min) - top);
    const level = `level-${bandLevel(band, rubric)}`;
    const width = percentOf(to - from);
    return html`
      <rect class="stripe ${level}" x="${percentOf(from)}" width="${width}" y="${top}" height="${height}"/>`;
  });
}

/** The positions where the scoring version changes; null if it never does. */
function boundaries(eras: readonly Era[]): Html[] | null {
  if (eras.length < 2) return null;
  return eras.map(({ version, from, to }, index) => {
    const name = to - from < VERSION_WIDTH ? null : visible(version);
    const x = percentOf(from);
    const short = [...(name ?? "")].slice(0, VERSION_MAX).join("");
    return html`
      ${index === 0 ? null : html`<line class="boundary" x1="${x}" x2="${x}" y2="${CHART.bottom}"/>`}
      ${name && html`<text x="${x}" y="12" dx="4">${short}</text>`}`;
  });
}

/** Lines between neighbouring scores of the same scoring version. */
function lines(dots: readonly Dot[]): Html[] {
  return dots.flatMap((dot, index) => {
    const before = dots[index - 1];
    if (before === undefined || before.y === null || dot.y === null) return [];
    if (before.entry.scoreVersion !== dot.entry.scoreVersion) return [];

    const x1 = percentOf(before.x);
    return html`<line class="line" x1="${x1}" y1="${before.y}" x2="${percentOf(dot.x)}" y2="${dot.y}"/>`;
  });
}

/** A scan's mark, which leads to its report. */
function scanMark(
  { x, y, entry }: Dot,
  count: number,
  context: PageContext,
  address: string | null,
): Html {
  const title = html`<title>${dayOf(entry.finishedAt)}: ${scoreWords(entry, context)}</title>`;
  const own = address === null ? " own" : "";
  const radius = count > LARGE_DOTS_MAX ? 3 : 5;
  const drawn =
    y === null
      ? html`<svg x="${percentOf(x)}" y="${CHART.none}" overflow="visible">
        <path class="dot-none${own}" d="M-4-4l8 8m0-8l-8 8">${title}</path>
        </svg>`
      : html`<circle class="dot${own}" cx="${percentOf(x)}" cy="${y}" r="${radius}">${title}</circle>`;
  return address === null ? drawn : html`<a href="${address}" tabindex="-1">${drawn}</a>`;
}

function heightOf(score: number): number {
  return tenth(CHART.bottom - ((CHART.bottom - CHART.top) * score) / 100);
}
