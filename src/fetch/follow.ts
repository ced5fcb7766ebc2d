import { messageOf } from "../files/errors.js";
import { type PublicKey, verifyManifest } from "../signing/verify.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { manifestFrom } from "./manifest.js";
import { type RemoteOptions, RemoteSnapshot } from "./remote-snapshot.js";
import type { FetchStore } from "./store.js";

/** The commit point that a store names: `current.json`, or `generations/<n>.json`. */
interface PublishedId {
  readonly id: string;
  /** Absent in a copy of a local store. */
  readonly generation?: number | undefined;
}

/** The most milliseconds between two looks before there is a snapshot. */
const FIRST_MS = 2_000;

/**
 * Milliseconds after which a look counts as lost. A platform may stop all work of a request, also a look that the
 * request has begun, and then nothing settles its promise.
 */
const LOST_MS = 60_000;

/** Options of `StoreFollower`. */
export interface FollowerOptions extends RemoteOptions {
  /** Milliseconds between two looks. */
  readonly refreshMs: number;
  /** If there are any, one of these keys must have signed each manifest. */
  readonly publicKeys: readonly PublicKey[];
  /** Called with the reason why a look failed. */
  readonly onError: (error: Error) => void;
}

/** Follows a store's published snapshots, and holds the newest one that could be read. */
export class StoreFollower {
  readonly #store: FetchStore;
  readonly #options: FollowerOptions;
  #current: RemoteSnapshot | null = null;
  #generation: number | undefined;
  /** The highest signed generation so far. */
  #signedGeneration = 0;
  #trouble: string | undefined;
  /** When the last look began. */
  #began = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #looks = 0;
  /** The look that reads wait for, because the files of the current snapshot are gone. */
  #urgent: Promise<void> | null = null;

  constructor(store: FetchStore, options: FollowerOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** The snapshot that answers; null before the first one. */
  get current(): RemoteSnapshot | null {
    return this.#current;
  }

  /** The generation of the snapshot; undefined if the store has none. */
  get generation(): number | undefined {
    return this.#generation;
  }

  /** Why the last look at the store failed; undefined if it did not. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /**
   * Looks for a newer snapshot if the last look was long ago.
   * @returns a promise that never rejects; null if no look was begun
   */
  refresh(): Promise<void> | null {
    const { refreshMs } = this.#options;
    const waitMs = this.#current === null ? Math.min(refreshMs, FIRST_MS) : refreshMs;
    const sinceMs = performance.now() - this.#began;
    if (sinceMs < (this.#isLooking ? Math.max(waitMs, LOST_MS) : waitMs)) return null;
    return this.#begin();
  }

  /**
   * Looks for a newer snapshot at once, because a file of the current one cannot be read: the publisher may have deleted
   * it. All reads that need this at the same time share one look. Never rejects.
   */
  lookAtOnce(): Promise<void> {
    this.#urgent ??= this.#begin();
    return this.#urgent;
  }

  #begin(): Promise<void> {
    this.#began = performance.now();
    this.#isLooking = true;
    this.#looks += 1;
    this.#urgent = null;
    return this.#look(this.#looks);
  }

  /** @param look the number of this look: a later one may have begun since */
  async #look(look: number): Promise<void> {
    let trouble: string | undefined;
    try {
      const { id, generation } = await this.#newest();
      const isKnown = id === this.#current?.id && generation === this.#generation;
      const current = isKnown ? this.#current : await this.#open(id);
      if (look !== this.#looks) return;
      this.#current = current;
      this.#generation = generation;
    } catch (error) {
      trouble = messageOf(error);
      this.#options.onError(error instanceof Error ? error : new Error(trouble));
    }
    if (look !== this.#looks) return;
    this.#trouble = trouble;
    this.#isLooking = false;
    this.#urgent = null;
  }

  /** @throws BadSnapshotError, SignatureError */
  async #open(id: string): Promise<RemoteSnapshot> {
    const { publicKeys } = this.#options;
    const bytes = await this.#store(`${id}/manifest.json`);
    const manifest = await manifestFrom(bytes, id);
    if (publicKeys.length > 0) {
      const signature = await this.#signatureOf(id);
      const signed = { manifest: bytes, id, signature, publicKeys };
      const leastGeneration = this.#signedGeneration;
      const { generation } = await verifyManifest({ ...signed, leastGeneration });
      this.#signedGeneration = generation;
    }
    // The same snapshot may be published again.
    if (id === this.#current?.id) return this.#current;
    // Readers who have searched must not wait for the new snapshot's search files.
    const isLazy = this.#options.isLazy && this.#current?.isSearched !== true;
    return await RemoteSnapshot.open(this.#store, { id, manifest }, { ...this.#options, isLazy });
  }

  async #signatureOf(id: string): Promise<string | null> {
    try {
      return new TextDecoder().decode(await this.#store(`${id}/manifest.json.minisig`));
    } catch {
      return null;
    }
  }

  /**
   * Finds the newest published snapshot. `current.json` may lag behind the generations: a publisher replaces it after
   * it has created the next generation.
   */
  async #newest(): Promise<PublishedId> {
    let newest = published(await this.#store("current.json"), "current.json");
    const known = this.#generation;
    if (newest.generation === undefined) return newest;
    if (known !== undefined && known > newest.generation) {
      // Either the hint is stale, or an older state of the store was restored.
      newest = (await this.#generationAt(known)) ?? newest;
    }
    for (;;) {
      const next: PublishedId | null = await this.#generationAt((newest.generation ?? 0) + 1);
      if (next === null) return newest;
      newest = next;
    }
  }

  /** Reads a generation; null if it does not exist, or cannot be read. */
  async #generationAt(number: number): Promise<PublishedId | null> {
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
function published(bytes: Uint8Array, path: string): PublishedId {
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
