import type { Compared } from "./load-worker.js";
import type { Log } from "./reload.js";
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
  readonly #log: Log;
  readonly #onDoubt: () => void;
  /** Keys of buckets whose columns are known to match their shards. */
  #compared: ReadonlySet<string> = new Set();
  #current: LoadedSnapshot | null = null;

  /**
   * @param cacheBytes bytes of answers that each snapshot may cache in memory
   * @param onDoubt called when columns of the current snapshot differ from its shards: adopt the snapshot again to
   * correct the answers
   */
  constructor(store: string, cacheBytes: number, log: Log, onDoubt: () => void = () => {}) {
    this.#onDoubt = onDoubt;
    this.#store = store;
    this.#cacheBytes = cacheBytes;
    this.#log = log;
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
      listings: this.#current?.engine.size ?? 0,
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
      compared: this.#compared,
    });
    this.#current?.release();
    this.#current = loaded;
    this.renumber(generation);
    void loaded.compared.then(
      (compared) => this.#note(loaded, compared, isAside),
      ({ message }: Error) => {
        this.#log(
          `could not compare the columns of snapshot ${id} with its shards: ${message}`,
          "trouble",
        );
      },
    );
    if (loaded.rebuilt !== null) {
      const { version, seconds } = loaded.rebuilt;
      const took = `rebuilt from its shards in ${seconds.toFixed(1)} s`;
      this.#log(`snapshot ${id} has columns of version ${version}; ${took}`, "info");
    }
    return { id, listings: loaded.engine.size, exampleHost: loaded.exampleHost };
  }

  /** Notes that the current snapshot has another generation now: the same content was pushed again. */
  renumber(generation: number | undefined): void {
    if (this.#current !== null) this.#current.generation = generation;
  }

  /** @param areRight whether the differing columns were already replaced by the content of the shards */
  #note(loaded: LoadedSnapshot, { same, different }: Compared, areRight: boolean): void {
    const isCurrent = loaded === this.#current;
    if (isCurrent) this.#compared = new Set(same);
    const [first] = different;
    if (first === undefined) return;
    const what =
      different.length === 1
        ? `${first} does not match its shard`
        : `${first} and ${different.length - 1} more files do not match their shards`;
    this.#log(`snapshot ${loaded.id}: ${what}; the shards are used instead`, "trouble");
    if (isCurrent && !areRight) this.#onDoubt();
  }

  /** Drops the snapshot. Its files close once the last request that holds it is done. */
  close(): void {
    this.#current?.release();
    this.#current = null;
  }
}
