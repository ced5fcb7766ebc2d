import type { Phase } from "../../src/build/progress.js";
import { bytes, clock, count } from "./amounts.js";
import { cellsOf, cutTo } from "./cells.js";
import type { Paint } from "./paint.js";

/** How far a phase is, and how fast it has been lately. Times are in milliseconds of whatever clock. */
export interface Pace {
  readonly phase: Phase;
  readonly done: number;
  /** 0 where nobody knows. */
  readonly total: number;
  /** When the phase was first seen, and last. */
  readonly since: number;
  readonly at: number;
  /** A mean of rates that weighs late ones more, times the sum of the weights. In units a second. */
  readonly weighted: number;
  readonly weight: number;
}

/** In so long, what was measured loses all but a third of its weight. */
const MEMORY_MS = 4_000;
/** Before so long, a rate says little. */
const SETTLED_MS = 700;
/** So long nothing is drawn only where a process does not run, or works without a pause. */
const STOPPED_MS = 1_000;
/** In that time, one part in so many of what is usual is done at most. */
const STOPPED_SHARE = 10;
/** What takes longer than that is not foretold. */
const LEFT_MAX_S = 360_000;

/** Takes in what is known now. Another phase, or one that begins anew, has a pace of its own. */
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
  // A process that was stopped for a while was not slow.
  const wasStopped =
    elapsed > STOPPED_MS && rate <= before.weighted / before.weight / STOPPED_SHARE;
  if (wasStopped) return { ...before, done, total, at: now };
  const fresh = 1 - Math.exp(-elapsed / MEMORY_MS);
  const weighted = before.weighted * (1 - fresh) + rate * fresh;
  const weight = before.weight * (1 - fresh) + fresh;
  return { ...before, done, total, at: now, weighted, weight };
}

/** Units a second; null before it can be told. */
export function rateOf({ since, at, weighted, weight }: Pace): number | null {
  return at - since < SETTLED_MS || weighted <= 0 ? null : weighted / weight;
}

/** Seconds until the phase is done; null where that cannot be told. */
export function secondsLeft(pace: Pace): number | null {
  const rate = rateOf(pace);
  if (rate === null || pace.total === 0) return null;
  const seconds = Math.round(Math.max(0, pace.total - pace.done) / rate);
  return seconds > LEFT_MAX_S ? null : seconds;
}

/** Columns that stay free: a terminal shows Ctrl-C behind the line, as `^C`, which must not begin another one. */
const SPARE = 3;
const BAR_MIN = 8;
const BAR_MAX = 30;
/** Room for `23,456/s` and for `12:34 left`: what stands before them does not move as they grow. */
const RATE_CELLS = 8;
const LEFT_CELLS = 10;
const GAP = "  ";

/** A part behind the bar, and the room that it needs at most. */
interface Part {
  readonly text: string;
  readonly cells: number;
}

/**
 * Draws a phase on one line that is narrower than the terminal. Where there is little room, what matters
 * least is left out first: the amounts, the rate, the time left, the bar.
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
    const needed = chosen.reduce((sum, { cells }) => sum + GAP.length + cells, taken + 1);
    const cells = Math.min(BAR_MAX, room - needed);
    if (cells < BAR_MIN) continue;
    const full = Math.floor(share * cells);
    const bar = paint("bar", "█".repeat(full)) + paint("dim", "░".repeat(cells - full));
    const behind = chosen.map(({ text, cells }) => GAP + text.padStart(cells)).join("");
    return `${paint("strong", name)} ${bar}${percent}${paint("dim", behind.trimEnd())}`;
  }
  return paint("strong", name) + percent;
}

/** From the least important on. */
function partsOf(pace: Pace): Part[] {
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

function part(text: string, cells: number): Part {
  return { text, cells: Math.max(cells, text.length) };
}

function timeLeft(seconds: number): string {
  return seconds < 3_600 ? clock(seconds) : `${count(seconds / 3_600)} h`;
}
