import type { Metrics } from "./metrics.js";
import type { RequestLog } from "./request-log.js";

/** An answer that was handed to its connection. */
export interface SeenAnswer {
  readonly method: string | undefined;
  /** The request target as sent. */
  readonly target: string | undefined;
  readonly status: number;
  /** The name of the address; undefined if the address does not exist. */
  readonly route: string | undefined;
  /** Bytes of the body; 0 without a body. */
  readonly bytes: number;
  /** Milliseconds since the request's head arrived. */
  readonly ms: number;
  /** The id of the snapshot that answered; null if none was loaded. */
  readonly snapshot: string | null;
  /** Whether the answer came from the cache. */
  readonly wasKept: boolean;
}

/** Called for each answer. */
export type Observer = (seen: SeenAnswer) => void;

/** Combines metrics and request log; null if both are off, so that an answer then costs nothing extra. */
export function observerOf(metrics: Metrics | null, log: RequestLog | null): Observer | null {
  if (metrics === null && log === null) return null;
  return (seen) => {
    metrics?.answered(seen);
    log?.add(seen);
  };
}
