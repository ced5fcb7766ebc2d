import type { Counted } from "./metrics.js";
import { LoadedSnapshot } from "./snapshot.js";

/** What is told of a snapshot that is ready to be taken. */
export interface ReadySnapshot {
  readonly id: string;
  /** Listings in search. */
  readonly listings: number;
  /** A host that has a report, for examples; null where there is none. */
  readonly exampleHost: string | null;
}

/** Holds the snapshot that answers, and the one that is to follow it. */
export class SnapshotHolder {
  readonly #store: string;
  readonly #cacheBytes: number;
  #current: LoadedSnapshot | null = null;
  #next: LoadedSnapshot | null = null;

  /** @param cacheBytes of answers that each snapshot keeps in memory */
  constructor(store: string, cacheBytes: number) {
    this.#store = store;
    this.#cacheBytes = cacheBytes;
  }

  /** The one that answers; null until there is one. A request takes it once and keeps it. */
  get current(): LoadedSnapshot | null {
    return this.#current;
  }

  /** What metrics say of the process as it is. */
  state(): Pick<Counted, "residentBytes" | "cacheBytes" | "snapshot" | "listings"> {
    return {
      residentBytes: process.memoryUsage.rss(),
      cacheBytes: this.#current?.kept.bytes ?? 0,
      snapshot: this.#current?.id ?? null,
      listings: this.#current?.engine.size ?? 0,
    };
  }

  /** Loads a snapshot without answering from it. @throws BadSnapshotError */
  async prepare(id: string): Promise<ReadySnapshot> {
    const loaded = await LoadedSnapshot.load(this.#store, id, {
      cacheBytes: this.#cacheBytes,
      isAside: this.#current !== null,
    });
    this.drop();
    this.#next = loaded;
    return { id, listings: loaded.engine.size, exampleHost: loaded.exampleHost };
  }

  /** Answers from the snapshot that was prepared. */
  take(): void {
    if (this.#next === null) return;
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
