import { runChild } from "../engine/child.js";

export const EDGE_READS = ["search", "facets", "suggestions", "report page", "explorer"] as const;
export type EdgeRead = (typeof EDGE_READS)[number];

/** One request to a fetch handler. */
export interface EdgeRequest {
  readonly read: EdgeRead;
  /** Path and query. */
  readonly target: string;
}

export interface EdgeRequests {
  /** The search that is the first request of all. */
  readonly first: EdgeRequest;
  /** Requests before anything is timed. Except for pages of reports, none of them is measured. */
  readonly warmUp: readonly EdgeRequest[];
  readonly measured: readonly EdgeRequest[];
}

/** What requests are drawn from. */
export interface Drawing {
  readonly store: string;
  /** Requests of each read. */
  readonly warmUp: number;
  readonly measured: number;
}

/** Headers of every request: those of a browser that opens a page. */
export const HEADERS = { accept: "text/html,*/*;q=0.8" };

/** Draws requests about a store's listings, mixed. It takes compiled code: threads load the store. */
export function drawRequests(drawing: Drawing): Promise<EdgeRequests> {
  return runChild<EdgeRequests>("edge/draw.js", drawing);
}
