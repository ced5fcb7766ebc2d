import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { AnswerCache } from "./answer-cache.js";
import type { SnapshotFollower } from "./follower.js";
import type { LoadedSnapshot } from "./load-snapshot.js";
import type { Snapshot } from "./snapshot.js";

export interface ProcessState {
  /** Bytes of the answers in its cache. */
  readonly cacheBytes: number;
  /** The id of the snapshot that answers; null before the first one. */
  readonly snapshot: string | null;
  /** The number of its publication; null before the first one. */
  readonly generation: number | null;
  /** Listings in search. */
  readonly listings: number;
  /** Whether the store's current snapshot is refused, so that a former one answers, or none. */
  readonly isRefused: boolean;
}

/** The most different damages that are logged for one snapshot: without a limit, a deleted store would fill the log. */
const DAMAGES_MAX = 1_000;

/** A snapshot that answers. It closes its files once it is released and no request holds it. */
export class ServedSnapshot {
  readonly view: Snapshot;
  readonly kept: AnswerCache;
  /** Listings in search. */
  readonly listings: number;
  /** A host that has a report, for examples; null if there is none. */
  readonly exampleHost: string | null;
  /** The causes of damage that were found since the load. */
  readonly #damages = new Set<string>();
  readonly #close: () => void;
  #holders = 1;

  /** @param cacheBytes bytes of answers that it may cache in memory */
  constructor({ snapshot, listings, exampleHost, close }: LoadedSnapshot, cacheBytes: number) {
    this.view = snapshot;
    this.listings = listings;
    this.exampleHost = exampleHost;
    this.kept = new AnswerCache(cacheBytes);
    this.#close = close;
  }

  get id(): string {
    return this.view.id;
  }

  get history(): Snapshot["history"] {
    return this.view.history;
  }

  /**
   * Returns the cause of a damage; null if it was reported before.
   * @param error the message of a damaged file's error says everything; any other error is our own mistake, and its
   * stack helps to find it
   */
  newDamage(error: Error): string | null {
    const cause = error instanceof BadSnapshotError ? error.message : String(error.stack);
    if (this.#damages.has(cause) || this.#damages.size >= DAMAGES_MAX) return null;
    this.#damages.add(cause);
    return cause;
  }

  /** Keeps the snapshot's files open for a request. Call `release` once the answer is made. */
  retain(): void {
    this.#holders += 1;
  }

  /** Gives up one hold, of `retain` or of the load. The files close with the last one. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#close();
  }
}

export function processStateOf(
  follower: Pick<SnapshotFollower<ServedSnapshot>, "current" | "trouble">,
): ProcessState {
  const { current, trouble } = follower;
  return {
    cacheBytes: current?.kept.bytes ?? 0,
    snapshot: current?.id ?? null,
    generation: current?.view.history.generation ?? null,
    listings: current?.listings ?? 0,
    isRefused: trouble !== undefined,
  };
}
