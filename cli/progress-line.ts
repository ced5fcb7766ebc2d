import type { OnProgress, Phase } from "../src/options/defaults.js";
import { barLine, type Pace, paced } from "./drawing/bar.js";
import { cellsOf, paintFor, plain } from "./drawing/cells.js";

/** Milliseconds between two drawings. */
const REDRAW_MS = 100;
/** The width in columns if the terminal does not report its own. */
export const USUAL_WIDTH = 80;

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_LINE = "\r\x1b[K";
const CLEAR_BELOW = "\x1b[J";

/** Signals from a terminal or a supervisor that end the process. */
const ENDING = ["SIGINT", "SIGTERM"] as const;

/**
 * The line of a terminal that shows a run's progress. Redraws at most ten times a second, and leaves nothing behind,
 * however the run ends. Short runs draw nothing.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #latest: { done: number; total: number; phase: Phase } | null = null;
  #pace: Pace | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lastDrawn = 0;
  /** How many columns the drawn line takes; 0 if no line is drawn. */
  #cells = 0;
  #isStopping = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  readonly report: OnProgress = (done, total, phase) => {
    if (this.#isStopping) return;
    this.#latest = { done, total, phase };
    const now = performance.now();
    if (this.#timer === null) {
      this.#lastDrawn = now;
      this.#timer = setInterval(() => this.#draw(performance.now()), REDRAW_MS).unref();
    }
    // Work without pauses starves the timer, so reports redraw too.
    if (now - this.#lastDrawn >= REDRAW_MS) this.#draw(now);
  };

  /** Clears the line. The next report starts a new one. */
  hide(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#pace = null;
    if (this.#cells === 0) return;
    this.#cells = 0;
    this.#stream.write(CLEAR_LINE + SHOW_CURSOR);
    this.#stream.off("resize", this.#resize);
    process.off("exit", this.#hideAtExit);
    process.off("SIGTSTP", this.#suspend);
    // The listeners for ENDING stay: `#end` counts the listeners of its signal and expects to be one of them.
  }

  #draw(now: number): void {
    if (this.#latest === null) return;
    this.#lastDrawn = now;
    const { done, total, phase } = this.#latest;
    this.#pace = paced(this.#pace, phase, done, total, now);
    const width = this.#stream.columns || USUAL_WIDTH;
    if (this.#cells === 0) this.#begin();
    this.#cells = Math.max(1, cellsOf(barLine(this.#pace, width, plain)));
    const line = barLine(this.#pace, width, paintFor(this.#stream));
    this.#stream.write(`\r${line}\x1b[K`);
  }

  #begin(): void {
    this.#stream.write(HIDE_CURSOR);
    this.#stream.on("resize", this.#resize);
    process.on("exit", this.#hideAtExit);
    process.on("SIGTSTP", this.#suspend);
    for (const signal of ENDING) {
      process.off(signal, this.#end);
      // It must run first: other listeners may remove themselves, and `#end` counts them.
      process.prependListener(signal, this.#end);
    }
  }

  readonly #hideAtExit = (): void => this.hide();

  /** A terminal that became narrower wraps the line into several rows, with the cursor on the last one. */
  readonly #resize = (): void => {
    if (this.#cells === 0) return;
    const rows = Math.ceil(this.#cells / (this.#stream.columns || USUAL_WIDTH));
    this.#stream.write(`\r${rows > 1 ? `\x1b[${rows - 1}A` : ""}${CLEAR_BELOW}`);
    this.#draw(performance.now());
  };

  /** If nothing else handles the signal, ends the process as if there were no progress line. */
  readonly #end = (signal: NodeJS.Signals): void => {
    this.#isStopping = true;
    this.hide();
    if (process.listenerCount(signal) > 1) return;
    process.off(signal, this.#end);
    process.kill(process.pid, signal);
  };

  readonly #suspend = (): void => {
    // Without a listener the signal stops the process. After it resumes, the next report draws the line again.
    this.hide();
    process.kill(process.pid, "SIGTSTP");
  };
}
