import { itemAt } from "../../contract/item-at.js";
import type { HistoryEntry, Report } from "../../contract/report.js";
import { type Banded, bandLabel, levelOf } from "../kit/bands.js";
import { type Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { dayOf } from "../kit/words.js";
import { scoreText } from "./report-texts.js";

/*
 * Figures of a page, as SVG without inline styles. Text beside each figure says the same. A missing score is never
 * drawn as a number: the gauge has no pointer, the chart has a gap.
 */

/** The arc of the gauge: a half circle around (100, 100), whose `pathLength` is 100 points. */
const ARC = "M 20 100 A 80 80 0 0 1 180 100";

/** A gauge from 0 to 100, with the rubric's band limits if the score uses the current rubric. */
export function gauge(
  scan: Banded & Pick<Report["scan"], "score">,
  band: string | null,
  context: PageContext,
): Html {
  const { score, scoreVersion } = scan;
  const { rubric } = context;
  const label =
    score === null
      ? "No score"
      : `Score: ${scoreText(score)}${band === null ? "" : `, band ${band}`}`;
  const bands = scoreVersion === rubric.version ? rubric.bands : [];
  const bounds = bands.map(({ min }) => min).filter((min) => min > 0);
  const ticks = bounds.map((bound) => {
    const [x1, y1] = onArc(bound, 66);
    const [x2, y2] = onArc(bound, 60);
    return html`<line class="tick" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  });
  const drawn =
    score === null
      ? html`<path class="track track-none" d="${ARC}" pathLength="100"/><text class="gauge-none" x="100" y="92">No score</text>`
      : html`<path class="track" d="${ARC}"/>${
          score === 0
            ? null
            : html`<path class="value level-${levelOf(scan, context)}" d="${ARC}" pathLength="100" stroke-dasharray="${score} 200"/>`
        }${ticks}<text class="gauge-score" x="100" y="94">${score}</text><text class="gauge-of" x="100" y="112">of 100</text>`;
  return html`<svg class="gauge" viewBox="0 0 200 120" role="img" aria-label="${label}">${drawn}</svg>`;
}

function onArc(points: number, radius: number): [number, number] {
  const angle = Math.PI * (1 - points / 100);
  return [tenth(100 + radius * Math.cos(angle)), tenth(100 - radius * Math.sin(angle))];
}

/** A bar that shows a share of points; null if either number is missing or `of` is not positive. */
export function bar(points: number | null, of: number | null, kind: string): Html | null {
  if (points === null || of === null || of <= 0) return null;
  const share = tenth(100 * Math.min(1, Math.max(0, points / of)));
  return html`<svg class="bar ${kind}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-track" width="100" height="6"/><rect class="bar-value" width="${share}" height="6"/></svg>`;
}

const CHART = { left: 48, right: 590, top: 12, bottom: 132, none: 156, labels: 178 } as const;

interface Dot {
  readonly x: number;
  readonly y: number | null;
  readonly entry: HistoryEntry;
}

/**
 * Scores over time; null for fewer than two scans. Scans without a score have their own line, below zero. Lines never
 * join different scoring versions.
 */
export function historyChart(history: readonly HistoryEntry[], context: PageContext): Html | null {
  if (history.length < 2) return null;
  const dots = dotsOf(history);
  const lines = runsOf(dots).map(
    (run) =>
      html`<polyline class="line" points="${run.map(({ x, y }) => `${x},${y}`).join(" ")}"/>`,
  );
  const marks = dots.map(({ x, y, entry }) => {
    const band = bandLabel(entry, context);
    const title = `${dayOf(entry.finishedAt)}: ${scoreText(entry.score)}${band === null ? "" : `, ${band}`}`;
    return y === null
      ? html`<path class="dot-none" d="M ${x - 4} ${CHART.none - 4} l 8 8 m 0 -8 l -8 8"><title>${title}</title></path>`
      : html`<circle class="dot" cx="${x}" cy="${y}" r="4"><title>${title}</title></circle>`;
  });
  const grid = [0, 25, 50, 75, 100].map((score) => {
    const y = heightOf(score);
    return html`<line class="grid" x1="${CHART.left}" x2="${CHART.right}" y1="${y}" y2="${y}"/><text class="axis" x="${CHART.left - 8}" y="${y + 4}" text-anchor="end">${score}</text>`;
  });
  const noScore = dots.some(({ y }) => y === null)
    ? html`<text class="axis" x="${CHART.right}" y="${CHART.none - 8}" text-anchor="end">× no score</text>`
    : null;
  const first = itemAt(history, history.length - 1);
  const last = itemAt(history, 0);
  return html`<svg class="chart" viewBox="0 0 600 184" role="img" aria-label="Scores of ${history.length} scans from ${dayOf(first.finishedAt)} to ${dayOf(last.finishedAt)}. The table below has them all.">${grid}${noScore}${lines}${marks}<text class="axis" x="${CHART.left}" y="${CHART.labels}">${dayOf(first.finishedAt)}</text><text class="axis" x="${CHART.right}" y="${CHART.labels}" text-anchor="end">${dayOf(last.finishedAt)}</text></svg>`;
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
  const width = CHART.right - CHART.left - 12;
  return oldestFirst.map((entry, place) => {
    const time = timeOf(entry);
    const share =
      last > first && !Number.isNaN(time)
        ? (time - first) / (last - first)
        : place / (history.length - 1);
    const x = tenth(CHART.left + 6 + width * share);
    return { x, y: entry.score === null ? null : heightOf(entry.score), entry };
  });
}

/** Runs of consecutive dots to join: scored, and of the same scoring version. */
function runsOf(dots: readonly Dot[]): Dot[][] {
  const runs: Dot[][] = [];
  let before: Dot | undefined;
  for (const dot of dots) {
    const joins =
      before !== undefined &&
      before.y !== null &&
      before.entry.scoreVersion === dot.entry.scoreVersion;
    if (dot.y !== null) {
      if (joins) runs.at(-1)?.push(dot);
      else runs.push([dot]);
    }
    before = dot;
  }
  return runs.filter(({ length }) => length > 1);
}

function heightOf(score: number): number {
  return tenth(CHART.bottom - ((CHART.bottom - CHART.top) * score) / 100);
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
