import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeenAnswer } from "./observer.js";

/**
 * Bytes that are written at once. Up to so many (PIPE_BUF) a pipe takes whole, so that the lines of several
 * processes do not get mixed.
 */
const BATCH_BYTES = 4_096;
/** Characters of a request target that a line has: with them it is no longer than a batch. */
const TARGET_SHOWN = 1_024;
/** Bytes that wait for a reader that is too slow; beyond, lines are left out. */
const WAITING_MAX = 4 * 1024 * 1024;
/** Milliseconds that the end of the process waits for the reader. */
const END_MS = 250;

/**
 * A line of JSON for each request. Lines that come at about the same time are written together, one batch
 * after the other. A reader that is slow costs lines, which are counted, and one that is gone costs all; neither
 * costs an answer.
 */
export class RequestLog {
  readonly #out: Writable;
  /** Whole lines, to be written in turn. */
  #batches: { text: string; bytes: number }[] = [];
  #bytes = 0;
  #leftOut = 0;
  #isWriting = false;
  #isGone = false;
  /** Called when there is nothing to write. */
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
    this.#push(lineOf(seen));
    if (this.#isWriting) return;
    this.#isWriting = true;
    setImmediate(() => this.#writeNext());
  }

  /** When all lines that were added are written, their reader is gone, or has read nothing for long enough. */
  async written(): Promise<void> {
    if (!this.#isWriting) return;
    const ended = new Promise<void>((resolve) => this.#ends.push(resolve));
    await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
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

/** As JSON, nothing that a client has sent can end the line or forge another. */
function lineOf(seen: SeenAnswer): object {
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
