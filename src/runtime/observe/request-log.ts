import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeenAnswer } from "./observer.js";

/**
 * Bytes of one write, unless a single line is longer. A pipe takes up to this many bytes (PIPE_BUF) whole, so that
 * lines of several processes do not mix.
 */
const BATCH_BYTES = 4_096;
/** Characters of a request target in a line. A line with a target of this length still fits in a batch. */
const TARGET_SHOWN = 1_024;
/** Bytes that may wait for a slow reader. Beyond, lines are dropped. */
const WAITING_MAX = 4 * 1024 * 1024;
/** Milliseconds that the end of the process waits for the reader. */
const LOG_END_MS = 250;

/**
 * Writes a line of JSON for each request. Writes lines that arrive close together in one batch, one batch after
 * another. A slow reader loses lines, whose number is logged. If the reader is gone, all lines are lost. Neither
 * affects an answer.
 */
export class RequestLog {
  readonly #out: Writable;
  /** Whole lines that wait, in order. */
  #batches: { text: string; bytes: number }[] = [];
  #bytes = 0;
  #leftOut = 0;
  #isWriting = false;
  #isGone = false;
  /** Called once all lines are written or the reader is gone. */
  #ends: (() => void)[] = [];

  constructor(out: Writable) {
    this.#out = out;
    out.on("error", () => {
      this.#isGone = true;
      this.#rest();
    });
  }

  add(seen: SeenAnswer): void {
    if (this.#isGone) return;
    if (this.#bytes >= WAITING_MAX) {
      this.#leftOut += 1;
      return;
    }
    this.#push(logLine(seen));
    if (this.#isWriting) return;
    this.#isWriting = true;
    setImmediate(() => this.#writeNext());
  }

  /** Resolves once all added lines are written, their reader is gone, or `LOG_END_MS` have passed. */
  async written(): Promise<void> {
    if (!this.#isWriting) return;
    const ended = new Promise<void>((resolve) => this.#ends.push(resolve));
    await Promise.race([ended, sleep(LOG_END_MS, undefined, { ref: false })]);
  }

  #push(value: object): void {
    const line = `${JSON.stringify(value)}\n`;
    const bytes = Buffer.byteLength(line);
    this.#bytes += bytes;
    const last = this.#batches.at(-1);
    if (last === undefined || last.bytes + bytes > BATCH_BYTES) {
      this.#batches.push({ text: line, bytes });
    } else {
      last.text += line;
      last.bytes += bytes;
    }
  }

  #writeNext(): void {
    if (this.#batches.length === 0 && this.#leftOut > 0) {
      this.#push({ time: new Date().toISOString(), linesLeftOut: this.#leftOut });
      this.#leftOut = 0;
    }
    const batch = this.#batches.shift();
    if (batch === undefined || this.#isGone) {
      this.#rest();
      return;
    }
    this.#out.write(batch.text, () => {
      this.#bytes -= batch.bytes;
      this.#writeNext();
    });
  }

  #rest(): void {
    this.#isWriting = false;
    this.#batches = [];
    for (const end of this.#ends.splice(0)) end();
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
