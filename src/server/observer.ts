import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, errorAnswer } from "../answer/answer.js";
import { ERROR_TEXTS } from "../contract/error.js";
import { CACHE_CONTROL } from "../contract/routes.js";
import type { Metrics } from "./metrics.js";

/** Takes a line for the operator: an event ("info"), or something to look into ("trouble"). */
export type Log = (message: string, kind: "info" | "trouble") => void;

/** An answer that was handed to the system, or cut because its client had left or was too slow. */
export interface SeenAnswer {
  readonly method: string | undefined;
  /** The request target as sent. */
  readonly target: string | undefined;
  readonly status: number | "cut";
  /** The name of the address; undefined if the address does not exist. */
  readonly route: string | undefined;
  /** Bytes of the body; 0 without a body, and if the answer was cut. */
  readonly bytes: number;
  /** Milliseconds since the request's head arrived. */
  readonly ms: number;
  /** The id of the snapshot that answered; null if none was loaded. */
  readonly snapshot: string | null;
  /** Whether the answer came from the cache. */
  readonly wasKept: boolean;
}

/** The state of the pulls of a server that mirrors a remote store, for its metrics. */
export interface PullState {
  /** Seconds since the last pull that succeeded; if none has yet, since the first one began. */
  readonly ageSeconds: number;
  /** How many pulls succeeded, with or without a new snapshot, and how many failed. */
  readonly succeeded: number;
  readonly failed: number;
}

export type Observer = (seen: SeenAnswer) => void;

/** Combines metrics and request log; null if both are off, so that an answer then costs nothing extra. */
export function observerOf(metrics: Metrics | null, log: RequestLog | null): Observer | null {
  if (metrics === null && log === null) return null;
  return (seen) => {
    metrics?.answered(seen);
    log?.add(seen);
  };
}

/**
 * The answer at `/metrics` (docs/contract.md#88-health-and-metrics). It serves the operator of the server, not pages of
 * other origins, so it has no CORS headers and no preflight.
 * @param text the metrics in Prometheus' text format, version 0.0.4
 */
export function metricsAnswer(method: string, text: string): Answer {
  if (method !== "GET") {
    const refusal = errorAnswer(405, ERROR_TEXTS.badMethod, [], { Allow: "GET, HEAD" });
    return { ...refusal, route: "metrics" };
  }
  const body = new TextEncoder().encode(text);
  const headers = {
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    "Content-Length": String(body.length),
    "Cache-Control": CACHE_CONTROL.error,
    "X-Content-Type-Options": "nosniff",
  };
  return { status: 200, headers, body, route: "metrics" };
}

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
