import type { Compared } from "./load-worker.js";
import type { Log } from "./reload.js";
import { LoadedSnapshot } from "./snapshot.js";

/** Facts about a snapshot that is ready to answer. */
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

/** Holds the snapshot that answers, and the prepared one that will replace it. */
export class SnapshotHolder {
  readonly #store: string;
  readonly #cacheBytes: number;
  readonly #log: Log;
  readonly #onDoubt: () => void;
  /** Keys of buckets whose columns are known to match their shards. */
  #compared: ReadonlySet<string> = new Set();
  /** Whether some columns of the current snapshot differ from their shards. */
  #isDoubted = false;
  #current: LoadedSnapshot | null = null;
  #next: LoadedSnapshot | null = null;

  /**
   * @param cacheBytes bytes of answers that each snapshot may cache in memory
   * @param onDoubt called when columns of the current snapshot differ from its shards: prepare and take the snapshot
   * again to correct the answers
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
   * Loads a snapshot without answering from it. If the snapshot already answers and its columns are not in doubt, only
   * drops the prepared one.
   * @throws BadSnapshotError
   */
  async prepare(id: string): Promise<ReadySnapshot> {
    if (id === this.#current?.id && !this.#isDoubted) {
      this.drop();
      return readyOf(this.#current);
    }
    const loaded = await LoadedSnapshot.load(this.#store, id, {
      cacheBytes: this.#cacheBytes,
      isAside: this.#current !== null,
      compared: this.#compared,
    });
    const isAside = this.#current !== null;
    void loaded.compared.then(
      (compared) => this.#note(loaded, compared, isAside),
      ({ message }: Error) => {
        this.#log(`the columns of ${id} were not compared with its shards: ${message}`, "trouble");
      },
    );
    if (loaded.rebuilt !== null) {
      const { version, seconds } = loaded.rebuilt;
      const took = `rebuilt from its shards in ${seconds.toFixed(1)} s`;
      this.#log(`snapshot ${id} has columns of version ${version}; ${took}`, "info");
    }
    this.drop();
    this.#next = loaded;
    return readyOf(loaded);
  }

  /** @param areRight whether the differing columns were already replaced by the content of the shards */
  #note(loaded: LoadedSnapshot, { same, different }: Compared, areRight: boolean): void {
    const isCurrent = loaded === this.#current;
    if (isCurrent || loaded === this.#next) this.#compared = new Set(same);
    const [first] = different;
    if (first === undefined) return;
    const rest = different.length === 1 ? "" : ` and ${different.length - 1} more files`;
    const what = `snapshot ${loaded.id}: ${first}${rest} do not say what the shards say`;
    this.#log(`${what}; the shards are used`, "trouble");
    if (areRight || !isCurrent) return;
    this.#isDoubted = true;
    this.#onDoubt();
  }

  /** Starts to answer from the prepared snapshot. */
  take(): void {
    if (this.#next === null) return;
    this.#isDoubted = false;
    this.#current?.release();
    this.#current = this.#next;
    this.#next = null;
  }

  /** Drops the prepared snapshot. */
  drop(): void {
    this.#next?.release();
    this.#next = null;
  }

  /** Drops all snapshots. Their files close once the last request that holds them is done. */
  close(): void {
    this.drop();
    this.#current?.release();
    this.#current = null;
  }
}

function readyOf({ id, engine, exampleHost }: LoadedSnapshot): ReadySnapshot {
  return { id, listings: engine.size, exampleHost };
}
