import type { Phase } from "../../src/options/defaults.js";
import { bytes, clock, count } from "./amounts.js";
import { cellsOf, cutTo, type Paint } from "./cells.js";

/** The progress of a phase and its recent speed. Times are in milliseconds of any one clock. */
export interface Pace {
  readonly phase: Phase;
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
  /** When the phase was seen first (`since`) and last (`at`). */
  readonly since: number;
  readonly at: number;
  /** A weighted sum of rates, in units per second; recent rates count more. Divided by `weight`, it is their mean. */
  readonly weighted: number;
  readonly weight: number;
}

/** After this time a measured rate has only about a third of its weight left. */
const MEMORY_MS = 4_000;
/** Before this time has passed, a rate is not meaningful. */
const SETTLED_MS = 700;
/** A gap this long between two drawings means that the process was stopped, or works without a pause. */
const STOPPED_MS = 1_000;
/** The process counts as stopped if its rate in such a gap is at most the usual rate divided by this. */
const STOPPED_SHARE = 10;
/** A longer time left is not shown. */
const LEFT_MAX_S = 360_000;

/** Updates the pace with a new report. Another phase, or one that starts again, gets a new pace. */
export function paced(
  before: Pace | null,
  phase: Phase,
  done: number,
  total: number,
  now: number,
): Pace {
  if (before === null || before.phase.name !== phase.name || done < before.done) {
    return { phase, done, total, since: now, at: now, weighted: 0, weight: 0 };
  }
  const elapsed = now - before.at;
  if (elapsed <= 0) return { ...before, done, total };
  const rate = ((done - before.done) / elapsed) * 1_000;
  // A process that was stopped for a while must not look slow.
  const wasStopped =
    elapsed > STOPPED_MS && rate <= before.weighted / before.weight / STOPPED_SHARE;
  if (wasStopped) return { ...before, done, total, at: now };
  const fresh = 1 - Math.exp(-elapsed / MEMORY_MS);
  const weighted = before.weighted * (1 - fresh) + rate * fresh;
  const weight = before.weight * (1 - fresh) + fresh;
  return { ...before, done, total, at: now, weighted, weight };
}

/** Units per second; null until the rate is meaningful. */
export function rateOf({ since, at, weighted, weight }: Pace): number | null {
  return at - since < SETTLED_MS || weighted <= 0 ? null : weighted / weight;
}

/** Seconds until the phase is done; null if unknown. */
export function secondsLeft(pace: Pace): number | null {
  const rate = rateOf(pace);
  if (rate === null || pace.total === 0) return null;
  const seconds = Math.round(Math.max(0, pace.total - pace.done) / rate);
  return seconds > LEFT_MAX_S ? null : seconds;
}

/** Columns that stay free: a terminal prints `^C` after the line on Ctrl-C, and that must not wrap to a new line. */
const SPARE = 3;
const BAR_MIN = 8;
const BAR_MAX = 30;
/** Room for `23,456/s` and for `12:34 left`, so that the parts before them do not move as they grow. */
const RATE_CELLS = 8;
const LEFT_CELLS = 10;
const PARTS_GAP = "  ";

/** A part after the bar, and the most columns that it needs. */
interface BarPart {
  readonly text: string;
  readonly cells: number;
}

/**
 * Draws a phase on one line that is narrower than the terminal. If there is little room, it leaves parts out in
 * this order: the amounts, the rate, the time left, the bar.
 */
export function barLine(pace: Pace, width: number, paint: Paint): string {
  const { phase, done, total } = pace;
  const room = Math.max(0, width - SPARE);
  const name = cutTo(phase.name, room);
  if (total === 0) {
    const elapsed = ` ${clock(Math.floor((pace.at - pace.since) / 1_000))}`;
    const fits = cellsOf(name) + elapsed.length <= room;
    return paint("strong", name) + (fits ? paint("dim", elapsed) : "");
  }
  const share = Math.min(1, Math.max(0, done / total));
  const percent = ` ${String(Math.floor(share * 100)).padStart(3)} %`;
  const taken = cellsOf(name) + percent.length;
  if (taken > room) return paint("strong", name);
  const parts = partsOf(pace);
  for (const chosen of [parts, parts.slice(1), parts.slice(2), []]) {
    const needed = chosen.reduce((sum, { cells }) => sum + PARTS_GAP.length + cells, taken + 1);
    const cells = Math.min(BAR_MAX, room - needed);
    if (cells < BAR_MIN) continue;
    const full = Math.floor(share * cells);
    const bar = paint("bar", "█".repeat(full)) + paint("dim", "░".repeat(cells - full));
    const behind = chosen.map(({ text, cells }) => PARTS_GAP + text.padStart(cells)).join("");
    return `${paint("strong", name)} ${bar}${percent}${paint("dim", behind.trimEnd())}`;
  }
  return paint("strong", name) + percent;
}

/** The parts after the bar, the least important first. */
function partsOf(pace: Pace): BarPart[] {
  const { phase, total } = pace;
  const inBytes = phase.unit === "bytes";
  const amount = inBytes ? bytes : count;
  const done = Math.min(pace.done, total);
  const all = `${amount(total)}${inBytes ? "" : ` ${phase.unit}`}`;
  const amountsRoom = (inBytes ? "999 MB".length : count(total).length) + 4 + all.length;
  const rate = rateOf(pace);
  const left = secondsLeft(pace);
  return [
    part(`${amount(done)} of ${all}`, amountsRoom),
    part(rate === null ? "" : `${amount(rate)}/s`, RATE_CELLS),
    part(left === null ? "" : `${timeLeft(left)} left`, LEFT_CELLS),
  ];
}

function part(text: string, cells: number): BarPart {
  return { text, cells: Math.max(cells, text.length) };
}

function timeLeft(seconds: number): string {
  return seconds < 3_600 ? clock(seconds) : `${count(seconds / 3_600)} h`;
}
