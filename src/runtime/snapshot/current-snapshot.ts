import type { PublicKey } from "../../signing/verify.js";
import { requireNewestSignature } from "../../store/signature.js";
import { LoadedSnapshot } from "./snapshot.js";

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
  /** Listings in search. */
  readonly listings: number;
}

/** Holds the snapshot that answers. */
export class SnapshotHolder {
  readonly #store: string;
  readonly #cacheBytes: number;
  #current: LoadedSnapshot | null = null;

  /** @param cacheBytes bytes of answers that each snapshot may cache in memory */
  constructor(store: string, cacheBytes: number) {
    this.#store = store;
    this.#cacheBytes = cacheBytes;
  }

  /**
   * The snapshot that answers; null before the first one. A request reads this once and uses the same snapshot to its
   * end.
   */
  get current(): LoadedSnapshot | null {
    return this.#current;
  }

  /** Returns the state of the process as of now, for its metrics. */
  state(): ProcessState {
    return {
      cacheBytes: this.#current?.kept.bytes ?? 0,
      snapshot: this.#current?.id ?? null,
      listings: this.#current?.searchable ?? 0,
    };
  }

  /**
   * Loads a snapshot, then answers from it in place of the current one.
   * @param generation its number in the remote store that it was pulled from, if it was
   * @throws BadSnapshotError. The current snapshot then goes on answering.
   */
  async adopt(id: string, generation?: number): Promise<ReadySnapshot> {
    const isAside = this.#current !== null;
    const loaded = await LoadedSnapshot.load(this.#store, id, {
      cacheBytes: this.#cacheBytes,
      isAside,
    });
    this.#current?.release();
    this.#current = loaded;
    this.renumber(generation);
    return { id, listings: loaded.searchable, exampleHost: loaded.exampleHost };
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
