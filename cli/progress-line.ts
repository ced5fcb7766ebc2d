import type { OnProgress, Phase } from "../src/options/defaults.js";
import { clock, type Paint, paintFor } from "./texts.js";

/** Milliseconds between two drawings. */
const REDRAW_MS = 100;
/** Before this time has passed, an estimate of the time left is not meaningful. In milliseconds. */
const SETTLED_MS = 1_000;
/** The width in columns if the terminal does not report its own. */
const USUAL_WIDTH = 80;
/** Columns that stay free: a terminal prints `^C` after the line on Ctrl-C, and that must not wrap to a new line. */
const SPARE = 3;
const BAR_CELLS = 30;
const CLEAR_LINE = "\r\x1b[K";

/**
 * The line of a terminal that shows a run's progress. Redraws at most ten times a second. Short runs draw nothing.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #phase: Phase | null = null;
  /** When the phase began, and when the line was drawn last, or the run began. */
  #since = 0;
  #lastDrawn = 0;
  #isDrawn = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  readonly report: OnProgress = (done, total, phase) => {
    const now = performance.now();
    if (this.#phase === null) this.#lastDrawn = now;
    if (this.#phase !== phase) this.#since = now;
    this.#phase = phase;
    if (now - this.#lastDrawn < REDRAW_MS) return;
    this.#lastDrawn = now;
    this.#isDrawn = true;
    const share = total === 0 ? null : Math.min(1, done / total);
    const width = this.#stream.columns || USUAL_WIDTH;
    const line = barLine(phase.name, share, now - this.#since, width, paintFor(this.#stream));
    this.#stream.write(`${CLEAR_LINE}${line}`);
  };

  /** Clears the line. The next report starts a new one. */
  hide(): void {
    this.#phase = null;
    if (this.#isDrawn) this.#stream.write(CLEAR_LINE);
    this.#isDrawn = false;
  }
}

/**
 * Draws a phase on one line that is narrower than the terminal. If there is little room, leaves out the bar and the
 * time left.
 * @param share how much is done, from 0 to 1; null if the amount of work is unknown
 * @param elapsed milliseconds since the phase began
 */
export function barLine(
  name: string,
  share: number | null,
  elapsed: number,
  width: number,
  paint: Paint,
): string {
  const room = Math.max(0, width - SPARE);
  const short = (end: string) => {
    const text = name + end;
    return paint("bold", text.length > room ? `${text.slice(0, room - 1)}…` : text);
  };
  if (share === null) return short(` ${clock(Math.floor(elapsed / 1_000))}`);
  const percent = `${Math.floor(share * 100)}%`.padStart(5);
  const seconds = Math.round((elapsed / 1_000) * (1 / share - 1));
  const left = elapsed < SETTLED_MS || share === 0 ? "" : `  ${clock(seconds)} left`;
  if (name.length + 1 + BAR_CELLS + percent.length + left.length > room) return short(percent);
  const full = Math.floor(share * BAR_CELLS);
  const bar = paint("cyan", "█".repeat(full)) + paint("dim", "░".repeat(BAR_CELLS - full));
  return `${paint("bold", name)} ${bar}${percent}${paint("dim", left)}`;
}
