import type { GroupFigures } from "../../contract/figures.js";
import { LIMITS } from "../../contract/limits.js";
import { type BinGroup, binGroups, rangeText } from "../kit/histogram.js";
import { type Html, html } from "../kit/html.js";
import type { LinkedContext } from "../kit/page-context.js";
import { counted, type Level } from "../kit/words.js";

/* The bands of a group of sites, drawn small. Texts beside these drawings have the same numbers. */

/**
 * Whether the explorer finds exactly so many sites in a band, so that their number can lead to them.
 * @param slug of a category; null for all sites
 */
export type FindsExactly = (slug: string | null, band: string, count: number) => boolean;

/** A band with the number of a group's scored sites in it. */
export interface BandCount {
  readonly band: string;
  readonly label: string;
  readonly level: Level;
  /** The scores of the band, such as `80–100`. */
  readonly range: string;
  readonly count: number;
  readonly bins: BinGroup["bins"];
}

/** The bands of a group, the highest first. */
export function bandCounts(
  { scores }: Pick<GroupFigures, "scores">,
  { rubric }: Pick<LinkedContext, "rubric">,
): BandCount[] {
  const groups = binGroups(rubric, scores).flatMap(({ band, label, level, bins }) => {
    if (band === null || label === null) return [];
    const range = rangeText(bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0);
    const count = bins.reduce((sum, one) => sum + one.count, 0);
    return { band, label, level, range, count, bins };
  });
  return groups.reverse();
}

/**
 * The shares of the bands as one bar, the highest band first.
 * @param linkOf where a band leads to; null: nowhere. Only a pointer follows these links
 */
export function bandsBar(
  counts: readonly BandCount[],
  linkOf: (band: BandCount) => string | null,
): Html {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  let start = 0;
  const parts = counts
    .filter(({ count }) => count > 0)
    .map((one) => {
      const width = (100 * one.count) / all;
      const x = start.toFixed(2);
      start += width;
      const title = `${one.label} ${one.range}: ${counted(one.count, "site")}`;
      const part = html`<rect class="level-${one.level}" x="${x}%" width="${width.toFixed(2)}%" height="100%">
        <title>${title}</title></rect>`;
      const link = linkOf(one);
      return link === null
        ? part
        : html`<a href="${link}" rel="nofollow" tabindex="-1">${part}</a>`;
    });
  return html`<svg class="bar" aria-hidden="true">${parts}</svg>`;
}

const HEIGHT = 40;
/** The space between two bars, in points of score. */
const GAP = 0.5;

/** A small histogram of the scores, in the colours of the bands. */
export function scoreSketch(counts: readonly BandCount[]): Html {
  const most = Math.max(1, ...counts.flatMap(({ bins }) => bins.map(({ count }) => count)));
  const paths = counts.flatMap(({ level, bins }) => {
    const bars = bins.flatMap(({ from, to, count }) => {
      const height = Math.max(1, Math.round((HEIGHT * count) / most));
      return count === 0 ? [] : [`M${from} ${HEIGHT}v-${height}h${to + 1 - from - GAP}v${height}z`];
    });
    return bars.length === 0 ? [] : html`<path class="level-${level}" d="${bars.join("")}"/>`;
  });
  const size = `0 0 ${LIMITS.scoreMax + 1} ${HEIGHT}`;
  return html`<svg class="sketch" viewBox="${size}" preserveAspectRatio="none" aria-hidden="true">${paths}</svg>`;
}
