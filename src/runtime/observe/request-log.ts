import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeenAnswer } from "./observer.js";

/** Characters of a request target in a line. A line is shorter than what a pipe takes at once. */
const TARGET_SHOWN = 1_024;
/** Bytes that may wait for a slow reader. Beyond that, lines are dropped. */
const WAITING_MAX = 4 * 1024 * 1024;
/** Milliseconds that the end of the process waits for the reader. */
const LOG_END_MS = 250;

/**
 * Writes a line of JSON for each request, those of one turn of the event loop together. A slow reader loses lines,
 * whose number is logged. If the reader is gone, all lines are lost. Neither affects an answer.
 */
export class RequestLog {
  readonly #out: Writable;
  #leftOut = 0;

  constructor(out: Writable) {
    this.#out = out;
    out.on("error", () => {});
  }

  add(seen: SeenAnswer): void {
    const out = this.#out;
    if (!out.writable) return;
    if (out.writableLength >= WAITING_MAX) {
      this.#leftOut += 1;
      return;
    }
    if (out.writableCorked === 0) {
      out.cork();
      setImmediate(() => out.uncork());
    }
    this.#tellLeftOut();
    out.write(`${JSON.stringify(logLine(seen))}\n`);
  }

  /** Resolves once all added lines are written, their reader is gone, or `LOG_END_MS` have passed. */
  async written(): Promise<void> {
    if (!this.#out.writable) return;
    this.#tellLeftOut();
    const ended = new Promise<void>((resolve) => {
      this.#out.once("close", resolve).write("", () => resolve());
    });
    await Promise.race([ended, sleep(LOG_END_MS, undefined, { ref: false })]);
  }

  #tellLeftOut(): void {
    if (this.#leftOut === 0) return;
    const line = { time: new Date().toISOString(), linesLeftOut: this.#leftOut };
    this.#leftOut = 0;
    this.#out.write(`${JSON.stringify(line)}\n`);
  }
}

/** In JSON, no text that a client has sent can end the line or forge another. */
function logLine(seen: SeenAnswer): object {
  const { method, target = "", status, route, bytes, ms, snapshot, wasKept } = seen;
  return {
    time: new Date().toISOString(),
    method: method ?? null,
    target: target.length > TARGET_SHOWN ? `${target.slice(0, TARGET_SHOWN)}…` : target,
    route: route ?? null,
    status,
    bytes,
    ms: Math.round(ms * 1000) / 1000,
    snapshot,
    kept: wasKept,
  };
}
