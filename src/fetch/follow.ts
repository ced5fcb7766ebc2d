import { messageOf } from "../files/errors.js";
import {
  Snapshot,
  type SnapshotFacts,
  type SnapshotOptions,
  type SnapshotPlatform,
} from "../runtime/snapshot/snapshot.js";
import { type PublicKey, verifyManifest } from "../signing/verify.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { CLIMB_MAX, newestAfter } from "../store/newest-generation.js";
import { type ByteSource, notRead } from "../store/source.js";
import { inflatePage, sha256Of } from "./bytes.js";
import { EDGE_MANIFEST_BYTES_MAX, manifestFrom } from "./manifest.js";

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

/** Milliseconds after which a look reads no more files, so that a slow store cannot keep it busy for ever. */
const LOOK_MS = 300_000;

/** The most bytes of `current.json`, of a generation and of a signature. They have a few hundred. */
const SMALL_BYTES_MAX = 4096;

/** What a platform with web standards does. */
const WEB: SnapshotPlatform = { sha256: sha256Of, inflatePage, pause: () => Promise.resolve() };

/** Options of `StoreFollower`. */
export interface FollowerOptions extends Pick<SnapshotOptions, "cacheBytes" | "isLazy"> {
  /** Milliseconds between two looks. */
  readonly refreshMs: number;
  /** If there are any, one of these keys must have signed each manifest. */
  readonly publicKeys: readonly PublicKey[];
  /** The least signed generation that is accepted. */
  readonly leastGeneration: number;
  /** Called with the reason why a look failed. */
  readonly onError: (error: Error) => void;
}

/** Follows a store's published snapshots, and holds the newest one that could be read. */
export class StoreFollower {
  readonly #store: ByteSource;
  readonly #options: FollowerOptions;
  #current: Snapshot | null = null;
  #generation: number | undefined;
  /** The commit point of the snapshot. */
  #offer: PublishedId | null = null;
  /** With keys, the highest signed generation so far. */
  #leastGeneration: number;
  #trouble: string | undefined;
  /** When the last look began. */
  #began = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #looks = 0;
  /** The look that reads wait for, because the files of the current snapshot are gone. */
  #urgent: Promise<void> | null = null;

  constructor(store: ByteSource, options: FollowerOptions) {
    this.#store = store;
    this.#options = options;
    this.#leastGeneration = options.leastGeneration;
  }

  /** The snapshot that answers; null before the first one. */
  get current(): Snapshot | null {
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
    const end = performance.now() + LOOK_MS;
    // The snapshot keeps this store for later reads, which the limit does not apply to.
    let isOver = false;
    const store: ByteSource = async (...read) => {
      if (isOver || performance.now() < end) return this.#store(...read);
      throw new Error(`the look at the store took more than ${LOOK_MS / 60_000} minutes`);
    };
    try {
      const offer = await this.#newest(store);
      const { id, generation } = this.#offer ?? {};
      const isKnown = id === offer.id && generation === offer.generation;
      const opened = isKnown ? null : await this.#open(store, offer);
      if (look !== this.#looks) return;
      if (opened !== null) {
        this.#current = opened.snapshot;
        this.#generation = opened.generation;
        this.#offer = offer;
      }
    } catch (error) {
      trouble = messageOf(error);
      this.#options.onError(error instanceof Error ? error : new Error(trouble));
    } finally {
      isOver = true;
    }
    if (look !== this.#looks) return;
    this.#trouble = trouble;
    this.#isLooking = false;
    this.#urgent = null;
  }

  /** @throws BadSnapshotError, SignatureError */
  async #open(store: ByteSource, { id, generation }: PublishedId) {
    const bytes = await whole(store, `${id}/manifest.json`, EDGE_MANIFEST_BYTES_MAX);
    // The signature is checked before a byte is parsed.
    const signed = await this.#signedGenerationOf(store, id, bytes);
    const manifest = await manifestFrom(bytes, id);
    const snapshot = await this.#snapshotOf(store, { id, manifest });
    // Anyone who writes to the store can write any number into `current.json`.
    return { snapshot, generation: generation === undefined ? undefined : (signed ?? generation) };
  }

  /** @returns the signed generation of a manifest; undefined if there are no keys @throws SignatureError */
  async #signedGenerationOf(store: ByteSource, id: string, manifest: Uint8Array) {
    const { publicKeys, onError } = this.#options;
    if (publicKeys.length === 0) return undefined;
    const signature = await whole(store, `${id}/manifest.json.minisig`).then(
      (bytes) => new TextDecoder().decode(bytes),
      (error: Error) => {
        onError(error);
        return null;
      },
    );
    const leastGeneration = this.#leastGeneration;
    const { generation } = await verifyManifest({
      ...{ manifest, id, signature, publicKeys, leastGeneration },
    });
    // A look that began earlier may end later.
    this.#leastGeneration = Math.max(this.#leastGeneration, generation);
    return generation;
  }

  async #snapshotOf(store: ByteSource, facts: SnapshotFacts): Promise<Snapshot> {
    // The same snapshot may be published again.
    if (facts.id === this.#current?.id) return this.#current;
    // Readers who have searched must not wait for the new snapshot's search files.
    const { cacheBytes } = this.#options;
    const isLazy = this.#options.isLazy === true && this.#current?.isSearched !== true;
    return await Snapshot.open(store, facts, { platform: WEB, cacheBytes, isLazy });
  }

  /**
   * Finds the newest published snapshot. `current.json` may lag behind the generations: a publisher replaces it after
   * it has created the next generation.
   */
  async #newest(store: ByteSource): Promise<PublishedId> {
    const hint = published(await whole(store, "current.json"), "current.json");
    const { generation: hinted } = hint;
    if (hinted === undefined) return hint;
    const idAt = (generation: number) => idOfGeneration(store, generation);
    const isSigned = this.#options.publicKeys.length > 0;
    const known = isSigned ? this.#leastGeneration : (this.#offer?.generation ?? 0);
    // Either the hint is stale, or an older state of the store was restored. Without a signature, a number proves
    // nothing: with keys, one that is much too high is ignored.
    const isOff = known > hinted || (isSigned && known > 0 && hinted - known > CLIMB_MAX);
    const knownId = isOff ? await idAt(known) : null;
    const { id, generation } = knownId === null ? hint : { id: knownId, generation: known };
    const newest = await newestAfter({ id, generation: generation ?? hinted }, idAt);
    if (newest !== null) return newest;
    throw new BadSnapshotError(
      `the store has more than ${CLIMB_MAX} generations after ${generation}`,
    );
  }
}

/** Reads a whole file. @throws BadSnapshotError */
async function whole(store: ByteSource, path: string, most = SMALL_BYTES_MAX): Promise<Uint8Array> {
  try {
    return await store(path, undefined, most);
  } catch (error) {
    throw notRead(path, error);
  }
}

/** Reads the id that a generation names; null if it does not exist, or cannot be read. */
async function idOfGeneration(store: ByteSource, number: number): Promise<string | null> {
  const path = `generations/${number}.json`;
  try {
    const { id, generation } = published(await whole(store, path), path);
    return generation === number ? id : null;
  } catch {
    return null;
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
