import type { PublicKey } from "../../signing/verify.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { requireNewestSignature } from "../../store/signature.js";
import { AnswerCache } from "./answer-cache.js";
import { type LoadedSnapshot, loadSnapshot } from "./load-snapshot.js";
import type { Snapshot } from "./snapshot.js";

/** Facts about a snapshot that answers. */
export interface ReadySnapshot {
  readonly id: string;
  /** Listings in search. */
  readonly listings: number;
  /** A host that has a report, for examples; null if there is none. */
  readonly exampleHost: string | null;
}

/** The state of a process, for its metrics. */
export interface ProcessState {
  /** Bytes of the answers in its cache. */
  readonly cacheBytes: number;
  /** The id of the snapshot that answers; null before the first one. */
  readonly snapshot: string | null;
  /** Its generation in the remote store; null if it was built here. */
  readonly generation: number | null;
  /** Listings in search. */
  readonly listings: number;
}

/** The most different damages that are logged for one snapshot: without a limit, a deleted store would fill the log. */
const DAMAGES_MAX = 1_000;

/** A snapshot that answers. It closes its files once it is released and no request holds it. */
export class ServedSnapshot {
  readonly view: Snapshot;
  /** Cached answers. */
  readonly kept: AnswerCache;
  /** Listings in search. */
  readonly listings: number;
  generation: number | undefined;
  /** The causes of damage that were found since the load. */
  readonly #damages = new Set<string>();
  readonly #close: () => void;
  #holders = 1;

  /** @param cacheBytes bytes of answers that it may cache in memory */
  constructor({ snapshot, listings, close }: LoadedSnapshot, cacheBytes: number) {
    this.view = snapshot;
    this.listings = listings;
    this.kept = new AnswerCache(cacheBytes);
    this.#close = close;
  }

  get id(): string {
    return this.view.id;
  }

  /**
   * Returns the cause of a damage; null if it was told before.
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

/** Holds the snapshot that answers. */
export class SnapshotHolder {
  readonly #store: string;
  readonly #cacheBytes: number;
  #current: ServedSnapshot | null = null;

  /** @param cacheBytes bytes of answers that each snapshot may cache in memory */
  constructor(store: string, cacheBytes: number) {
    this.#store = store;
    this.#cacheBytes = cacheBytes;
  }

  /**
   * The snapshot that answers; null before the first one. A request reads this once and uses the same snapshot to its
   * end.
   */
  get current(): ServedSnapshot | null {
    return this.#current;
  }

  /** Returns the state of the process as of now, for its metrics. */
  state(): ProcessState {
    return {
      cacheBytes: this.#current?.kept.bytes ?? 0,
      snapshot: this.#current?.id ?? null,
      generation: this.#current?.generation ?? null,
      listings: this.#current?.listings ?? 0,
    };
  }

  /**
   * Loads a snapshot, then answers from it in place of the current one.
   * @param generation its number in the remote store that it was pulled from, if it was
   * @throws BadSnapshotError. The current snapshot then keeps answering.
   */
  async adopt(id: string, generation?: number): Promise<ReadySnapshot> {
    const loaded = await loadSnapshot(this.#store, id, this.#current !== null);
    this.#current?.release();
    this.#current = new ServedSnapshot(loaded, this.#cacheBytes);
    this.renumber(generation);
    return { id, listings: loaded.listings, exampleHost: loaded.exampleHost };
  }

  /** Notes that the current snapshot has another generation now: the same content was pushed again. */
  renumber(generation: number | undefined): void {
    if (this.#current !== null) this.#current.generation = generation;
  }

  /** Drops the snapshot. Its files close once the last request that holds it is done. */
  close(): void {
    this.#current?.release();
    this.#current = null;
  }
}

/** Checks the signatures of the snapshots that a server is about to adopt. */
export class Signatures {
  readonly #store: string;
  readonly #publicKeys: readonly PublicKey[];
  /** The highest generation of the adopted snapshots. */
  #highest = 0;

  constructor(store: string, publicKeys: readonly PublicKey[]) {
    this.#store = store;
    this.#publicKeys = publicKeys;
  }

  /**
   * Checks a snapshot's signature.
   * @returns its generation, and a function to call once it is adopted: from then on, older snapshots are refused
   * @throws SignatureError; BadSnapshotError
   */
  async check(id: string): Promise<{ generation: number; accept: () => void }> {
    const generation = await requireNewestSignature(
      this.#store,
      id,
      this.#publicKeys,
      this.#highest,
    );
    const accept = () => {
      this.#highest = generation;
    };
    return { generation, accept };
  }
}
