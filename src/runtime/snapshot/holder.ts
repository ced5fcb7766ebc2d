import type { Compared } from "./load-worker.js";
import type { Log } from "./reload.js";
import { LoadedSnapshot } from "./snapshot.js";

/** What is told of a snapshot that is ready to be taken. */
export interface ReadySnapshot {
  readonly id: string;
  /** Listings in search. */
  readonly listings: number;
  /** A host that has a report, for examples; null where there is none. */
  readonly exampleHost: string | null;
}

/** The state of a process for its metrics. */
export interface ProcessState {
  /** Bytes of the answers in its cache. */
  readonly cacheBytes: number;
  /** The id of the snapshot that answers; null while there is none. */
  readonly snapshot: string | null;
  /** Listings in search. */
  readonly listings: number;
}

/** Holds the snapshot that answers, and the one that is to follow it. */
export class SnapshotHolder {
  readonly #store: string;
  readonly #cacheBytes: number;
  readonly #log: Log;
  readonly #onDoubt: () => void;
  /** Keys of buckets of the current snapshot whose columns say what their shards say. */
  #compared: ReadonlySet<string> = new Set();
  /** Whether columns of the current snapshot say something else than their shards. */
  #isDoubted = false;
  #current: LoadedSnapshot | null = null;
  #next: LoadedSnapshot | null = null;

  /**
   * @param cacheBytes of answers that each snapshot keeps in memory
   * @param onDoubt called when columns of the current snapshot differ from its shards: prepare and take it again to
   *   correct the answers
   */
  constructor(store: string, cacheBytes: number, log: Log, onDoubt: () => void = () => {}) {
    this.#onDoubt = onDoubt;
    this.#store = store;
    this.#cacheBytes = cacheBytes;
    this.#log = log;
  }

  /** The one that answers; null until there is one. A request takes it once and keeps it. */
  get current(): LoadedSnapshot | null {
    return this.#current;
  }

  /** What metrics say of the process as it is. */
  state(): ProcessState {
    return {
      cacheBytes: this.#current?.kept.bytes ?? 0,
      snapshot: this.#current?.id ?? null,
      listings: this.#current?.engine.size ?? 0,
    };
  }

  /** Loads a snapshot, unless it answers already, without answering from it. @throws BadSnapshotError */
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

  /** @param areRight whether what is different was replaced by what the shards say */
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

  /** Answers from the snapshot that was prepared. */
  take(): void {
    if (this.#next === null) return;
    this.#isDoubted = false;
    this.#current?.release();
    this.#current = this.#next;
    this.#next = null;
  }

  /** Forgets the snapshot that was prepared. */
  drop(): void {
    this.#next?.release();
    this.#next = null;
  }

  /** Forgets all; files close when the last request that holds them is done. */
  close(): void {
    this.drop();
    this.#current?.release();
    this.#current = null;
  }
}

function readyOf({ id, engine, exampleHost }: LoadedSnapshot): ReadySnapshot {
  return { id, listings: engine.size, exampleHost };
}
