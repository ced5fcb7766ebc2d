import { messageOf } from "../files/errors.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { readManifest } from "./manifest.js";
import { type RemoteOptions, RemoteSnapshot } from "./remote-snapshot.js";
import type { FetchStore } from "./store.js";

/** The commit point that a store names: `current.json`, or `generations/<n>.json`. */
interface Published {
  readonly id: string;
  /** Absent in a copy of a local store. */
  readonly generation?: number | undefined;
}

/** The most milliseconds between two looks before there is a snapshot. */
const FIRST_MS = 2_000;

/** Follows a store's published snapshots, and holds the newest one that could be read. */
export class StoreFollower {
  readonly #store: FetchStore;
  readonly #options: RemoteOptions;
  readonly #refreshMs: number;
  readonly #onTrouble: (error: Error) => void;
  #current: RemoteSnapshot | null = null;
  #trouble: string | undefined;
  #looked = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(
    store: FetchStore,
    options: RemoteOptions,
    refreshMs: number,
    onTrouble: (error: Error) => void,
  ) {
    this.#store = store;
    this.#options = options;
    this.#refreshMs = refreshMs;
    this.#onTrouble = onTrouble;
  }

  /** The snapshot that answers; null before the first one. */
  get current(): RemoteSnapshot | null {
    return this.#current;
  }

  /** Why the last look at the store failed; undefined if it did not. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /**
   * Looks for a newer snapshot if the last look is long ago.
   * @returns a promise that never rejects, if a look was begun
   */
  refresh(): Promise<void> | null {
    const now = performance.now();
    const waitMs = this.#current === null ? Math.min(this.#refreshMs, FIRST_MS) : this.#refreshMs;
    if (this.#looking !== null || now - this.#looked < waitMs) return null;
    this.#looked = now;
    this.#looking = this.#look().then(
      () => {
        this.#trouble = undefined;
        this.#looking = null;
      },
      (error: unknown) => {
        this.#trouble = messageOf(error);
        this.#looking = null;
        this.#onTrouble(error instanceof Error ? error : new Error(messageOf(error)));
      },
    );
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { id, generation } = await this.#newest();
    if (id === this.#current?.id && generation === this.#current.generation) return;
    const bytes = await this.#store(`${id}/manifest.json`);
    const manifest = await readManifest(bytes, id);
    this.#current = await RemoteSnapshot.open(
      this.#store,
      { id, generation, manifest },
      this.#options,
    );
  }

  /**
   * Finds the newest published snapshot. `current.json` may lag behind the generations: a publisher replaces it after
   * it has created the next generation.
   */
  async #newest(): Promise<Published> {
    let newest = published(await this.#store("current.json"), "current.json");
    const known = this.#current;
    if (newest.generation === undefined) return newest;
    if (known?.generation !== undefined && known.generation > newest.generation) {
      // Either the hint is stale, or an older state of the store was restored.
      const same = await this.#generation(known.generation);
      if (same?.id === known.id) newest = same;
    }
    for (;;) {
      const next: Published | null = await this.#generation((newest.generation ?? 0) + 1);
      if (next === null) return newest;
      newest = next;
    }
  }

  /** Reads a generation; null if it does not exist, or cannot be read. */
  async #generation(number: number): Promise<Published | null> {
    const path = `generations/${number}.json`;
    try {
      const read = published(await this.#store(path), path);
      return read.generation === number ? read : null;
    } catch {
      return null;
    }
  }
}

const ID = /^[0-9a-f]{32}$/;

/** @throws BadSnapshotError */
function published(bytes: Uint8Array, path: string): Published {
  try {
    const { format, id, generation } = JSON.parse(new TextDecoder().decode(bytes));
    const isNumber = generation === undefined || Number.isSafeInteger(generation);
    if (format === 1 && typeof id === "string" && ID.test(id) && isNumber)
      return { id, generation };
  } catch {
    // Not JSON, so it names nothing.
  }
  throw new BadSnapshotError(`${path} does not name a snapshot`);
}
