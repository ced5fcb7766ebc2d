import type { IncomingMessage } from "node:http";
import type { Metrics } from "./metrics.js";

/** An answer that was handed to its connection. */
export interface SeenAnswer {
  readonly req: IncomingMessage;
  readonly status: number;
  /** The contract's read; undefined where it was none. */
  readonly route: string | undefined;
  /** Bytes of the body, where it has one. */
  readonly bytes: number;
  /** Since the request's head was there, milliseconds. */
  readonly ms: number;
  /** Whether it was kept and is sent again. */
  readonly wasKept: boolean;
}

/** Told of each answer. */
export type Observer = (seen: SeenAnswer) => void;

/** What is done with each answer; null where nothing is, so that it costs nothing. */
export function observerOf(
  metrics: Metrics | null,
  writeLine: ((line: string) => void) | null,
): Observer | null {
  if (metrics === null && writeLine === null) return null;
  return (seen) => {
    metrics?.answered(seen);
    writeLine?.(lineOf(seen));
  };
}

/** A request as a line of JSON: nothing that a client has sent can end the line or forge another. */
function lineOf({ req, status, route, bytes, ms, wasKept }: SeenAnswer): string {
  return `${JSON.stringify({
    time: new Date().toISOString(),
    method: req.method,
    target: req.url,
    status,
    route: route ?? null,
    bytes,
    ms: Math.round(ms * 1000) / 1000,
    cached: wasKept,
    remote: req.socket.remoteAddress ?? null,
  })}\n`;
}
