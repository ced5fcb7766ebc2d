import type { Gathered } from "./metrics.js";

/*
 * What the first process and its workers say to each other: plain data.
 */

/** The name in its environment of what a worker process is started with: WorkerOptions as JSON. */
export const WORKER_OPTIONS = "CRAWLDEX_WORKER";

/** What a worker answers when it was carried out. */
export type Ask =
  /** Load a snapshot without answering from it: a ReadySnapshot. */
  | { readonly kind: "prepare"; readonly id: string }
  /** Let requests wait. */
  | { readonly kind: "pause" }
  /** Open the port. */
  | { readonly kind: "listen"; readonly port: number }
  /** What was counted: a Counted. */
  | { readonly kind: "count" };

/** What a worker carries out and says nothing of. */
export type Tell =
  /** Answer from what was prepared, or from what was there, those that wait first. */
  | { readonly kind: "take" | "go-on" }
  /** Forget what was prepared. */
  | { readonly kind: "drop" }
  | { readonly kind: "gathered"; readonly want: number; readonly gathered: Gathered }
  /** Let running answers finish, and end. */
  | { readonly kind: "close" };

/** `ask` numbers what is to be answered. */
export type Order = (Ask & { readonly ask: number }) | Tell;

/** What a worker says. */
export type Said =
  /** That it listens to orders. */
  | { readonly ready: true }
  /** That its snapshot has columns that are not its shards': it is to load it again. */
  | { readonly doubt: true }
  | { readonly ask: number; readonly value: unknown }
  | { readonly ask: number; readonly failure: string }
  /** That it wants to know what all have counted. */
  | { readonly want: number }
  | { readonly line: string; readonly kind: "info" | "trouble" };
