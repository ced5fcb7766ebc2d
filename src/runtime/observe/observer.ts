import type { Metrics } from "./metrics.js";
import type { RequestLog } from "./request-log.js";

/** An answer that was handed to its connection. */
export interface SeenAnswer {
  readonly method: string | undefined;
  /** The request target as it came. */
  readonly target: string | undefined;
  readonly status: number;
  /** The address' name; undefined where there is no such address. */
  readonly route: string | undefined;
  /** Bytes of the body, where it has one. */
  readonly bytes: number;
  /** Since the request's head was there, milliseconds. */
  readonly ms: number;
  /** The snapshot that it was answered from; null where there was none. */
  readonly snapshot: string | null;
  /** Whether it was kept and is sent again. */
  readonly wasKept: boolean;
}

/** Told of each answer. */
export type Observer = (seen: SeenAnswer) => void;

/** What is done with each answer; null where nothing is, so that it costs nothing. */
export function observerOf(metrics: Metrics | null, log: RequestLog | null): Observer | null {
  if (metrics === null && log === null) return null;
  return (seen) => {
    metrics?.answered(seen);
    log?.add(seen);
  };
}
