import { type Html, html } from "../../pages/kit/html.js";
import { dayOf, numberOf, percentOf, tenth, visible } from "../../pages/kit/words.js";
import { type Series, type SeriesPoint, valueText, versionChanges } from "./series.js";

/*
 * A line chart. Across, positions are shares of the width; down, they are pixels: its texts have the same size on a
 * phone as on a desk. The line itself is in a drawing of its own, which is stretched.
 */

/** How the parts of a chart look: attributes of their elements. A page has classes, a file has colours. */
export interface ChartLook {
  readonly grid: Html;
  readonly boundary: Html;
  readonly line: Html;
  readonly dot: Html;
  readonly text: Html;
}

const PAGE_LOOK: ChartLook = {
  grid: html` class="grid"`,
  boundary: html` class="boundary"`,
  line: html` class="line"`,
  dot: html` class="dot"`,
  text: html``,
};

/** In pixels. */
export interface ChartSize {
  /** The heights of the uppermost and of the lowest line of the grid. */
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  /** The radius of dots, and the distance of texts. */
  readonly dot: number;
}

const PAGE_SIZE: ChartSize = { top: 24, bottom: 132, height: 156, dot: 3.5 };
/** The share of the width that stays free at either end. */
const MARGIN = 0.02;
/** With more points than this, only the last has a dot. */
const DOTS_MAX = 40;
/** The width of the stretched drawing, in its own units. */
const STRETCHED = 1_000;
/** The most characters of a version's name, and the least share of the width that it needs. */
const VERSION_MAX = 12;
const VERSION_WIDTH = 0.2;

/** The lines of a grid, from the lowest value to the highest. */
export function gridValues(values: readonly number[], { unit, isScore }: Series): number[] {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const span = Math.max(most - least, isScore ? 8 : 4);
  const step = STEPS.find((one) => span / one <= 4) ?? 10 ** Math.ceil(Math.log10(span / 4));
  const limit = isScore || unit === "%" ? 100 : Number.POSITIVE_INFINITY;
  let low = Math.floor(least / step) * step;
  let high = Math.min(limit, Math.ceil(most / step) * step);
  // A flat line gets room on both sides.
  if (high - low < 2 * step) {
    low = Math.max(0, low - step);
    high = Math.min(limit, Math.max(high, low + 2 * step));
  }
  const count = Math.round((high - low) / step);
  return Array.from({ length: count + 1 }, (_, at) => low + at * step);
}

/** A line of the grid in words. Its values are whole. */
export function gridText(value: number, { unit }: Pick<Series, "unit">): string {
  return `${numberOf(value)}${unit}`;
}

const STEPS = [1, 2, 5]
  .flatMap((one) => Array.from({ length: 8 }, (_, zeros) => one * 10 ** zeros))
  .sort((a, b) => a - b);

/** The positions across, from 0 to 1. Points are spaced by time, or evenly if a time is unknown or out of order. */
function positionsOf(points: readonly SeriesPoint[]): number[] {
  const times = points.map(({ time }) => Date.parse(time ?? ""));
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const isInOrder = times.every((time, at) => at === 0 || time > (times[at - 1] ?? time));
  return points.map((_, at) => {
    const even = points.length === 1 ? 0.5 : at / (points.length - 1);
    const share = isInOrder && last > first ? ((times[at] ?? 0) - first) / (last - first) : even;
    return MARGIN + (1 - 2 * MARGIN) * share;
  });
}

/** The chart of a page; null for fewer than two values. It is hidden from screen readers, except for its text. */
export function chartView(series: Series, text: string): Html | null {
  const values = series.points.flatMap(({ value }) => value ?? []);
  if (values.length < 2) return null;
  const grid = gridValues(values, series);
  const { height } = PAGE_SIZE;
  const scale = grid.map(
    (value) =>
      html`<text x="38" y="${heightOf(value, grid, PAGE_SIZE) + 4}">${gridText(value, series)}</text>`,
  );
  return html`<div class="trend-chart" role="img" aria-label="${text}">
    <svg class="trend-axis" width="44" height="${height}" aria-hidden="true">${scale}</svg>
    <svg class="trend-plot" height="${height}" aria-hidden="true">
      ${plot(series, grid, PAGE_SIZE, PAGE_LOOK)}</svg></div>
`;
}

/** What is right of a chart's axis. */
export function plot(
  series: Series,
  grid: readonly number[],
  size: ChartSize,
  look: ChartLook,
): Html {
  const { points } = series;
  const across = positionsOf(points);
  const { top, bottom, height } = size;
  const lines = grid.map((value) => {
    const y = heightOf(value, grid, size);
    return html`<line${look.grid} x2="100%" y1="${y}" y2="${y}"/>`;
  });
  const box = html`y="${top}" width="100%" height="${bottom - top}"`;
  const view = html`viewBox="0 ${top} ${STRETCHED} ${bottom - top}" preserveAspectRatio="none"`;
  const path = html`<path${look.line} fill="none" vector-effect="non-scaling-stroke" 
    d="${pathOf(series, across, grid, size)}"/>`;
  const ends = [points[0], points.at(-1)].map((point, at) => {
    const day = point?.time == null ? "" : dayOf(point.time);
    const place = at === 0 ? html`x="0"` : html`x="100%" text-anchor="end"`;
    return html`<text${look.text} ${place} y="${height - 4}">${day}</text>`;
  });
  return html`${lines}${boundaries(series, across, size, look)}
    <svg ${box} ${view} overflow="visible">${path}</svg>
    ${dots(series, across, grid, size, look)}${ends}`;
}

/** The path through the values that can be compared, in the units of the stretched drawing. */
function pathOf(
  { points, isScore }: Series,
  across: readonly number[],
  grid: readonly number[],
  size: ChartSize,
): string {
  return points
    .map(({ value, scoreVersion }, at) => {
      if (value === null) return "";
      const before = points[at - 1];
      const isJoined =
        before !== undefined &&
        before.value !== null &&
        (!isScore || before.scoreVersion === scoreVersion);
      const x = tenth(STRETCHED * (across[at] ?? 0));
      return `${isJoined ? "L" : "M"}${x} ${heightOf(value, grid, size)}`;
    })
    .join("");
}

function dots(
  series: Series,
  across: readonly number[],
  grid: readonly number[],
  size: ChartSize,
  look: ChartLook,
): Html[] {
  const { points } = series;
  return points.flatMap(({ value, time }, at) => {
    if (value === null || (points.length > DOTS_MAX && at < points.length - 1)) return [];
    const day = time === null ? "" : `${dayOf(time)}: `;
    const y = heightOf(value, grid, size);
    return html`<circle${look.dot} cx="${percentOf(across[at] ?? 0)}" cy="${y}" r="${size.dot}">
      <title>${day}${valueText(value, series)}</title></circle>`;
  });
}

/** Where the methodology changes: halfway between the publications before and after. */
function boundaries(
  series: Series,
  across: readonly number[],
  { bottom, dot }: ChartSize,
  look: ChartLook,
): Html[] {
  const changes = versionChanges(series);
  return changes.map(({ at, version }, index) => {
    const middleOf = (point: number) => ((across[point - 1] ?? 0) + (across[point] ?? 1)) / 2;
    const from = middleOf(at);
    const next = changes[index + 1];
    const room = (next === undefined ? 1 : middleOf(next.at)) - from;
    const x = percentOf(from);
    const isLeft = room < VERSION_WIDTH && next === undefined;
    const place = isLeft ? html`dx="${-dot}" text-anchor="end"` : html`dx="${dot}"`;
    const name = [...(visible(version) ?? "")].slice(0, VERSION_MAX).join("");
    const label = html`<text${look.text} x="${x}" y="${4 * dot}" ${place}>${name}</text>`;
    return html`<line${look.boundary} x1="${x}" x2="${x}" y2="${bottom}"/>
      ${room >= VERSION_WIDTH || isLeft ? label : null}`;
  });
}

/** The height of a value, in pixels. */
export function heightOf(
  value: number,
  grid: readonly number[],
  { top, bottom }: Pick<ChartSize, "top" | "bottom">,
): number {
  const low = grid[0] ?? 0;
  const high = grid.at(-1) ?? 100;
  return tenth(bottom - ((bottom - top) * (value - low)) / (high - low));
}
