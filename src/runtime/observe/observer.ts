import { ERROR_TEXTS } from "../../contract/error.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { type Answer, errorAnswer } from "../answer/answer.js";
import type { Metrics } from "./metrics.js";
import type { RequestLog } from "./request-log.js";

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
