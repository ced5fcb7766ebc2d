import { codeOf, messageOf } from "../files/errors.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { History } from "../store/format.js";
import { isOlder, type Pointer, readPointer } from "../store/pointer.js";
import type { VerifyManifest } from "../store/signature.js";
import { type ByteSource, notRead, readSignatureFrom } from "../store/source.js";

/** The most milliseconds between two looks before there is a snapshot. */
const FIRST_MS = 2_000;

/**
 * Milliseconds after which a look counts as lost. A platform may stop all work of a request, including a look that
 * the request has begun, whose promise then never settles.
 */
const LOST_MS = 60_000;

/** Milliseconds after which a look reads no more files, so that a slow store cannot keep it busy for ever. */
const LOOK_MS = 300_000;

/** The longest wait, in milliseconds, before a refused snapshot is tried again, unless looks are rarer. */
const RETRY_MAX_MS = 10_000;

/** The most bytes of `current.json`. It has a few hundred. */
const SMALL_BYTES_MAX = 4096;

/** A published snapshot that is to be loaded. */
export interface FoundSnapshot {
  readonly id: string;
  /** The manifest's bytes. Their digest starts with the id. If signatures are checked, theirs is good. */
  readonly manifest: Uint8Array;
  /** Reads the store's files. */
  readonly store: ByteSource;
}

/** A snapshot that answers. */
interface Numbered {
  /** The number of its publication, and the history that the number belongs to. */
  readonly history: Pick<History, "generation" | "origin">;
}

/** Where a follower looks, and everything that depends on its platform. @template T a snapshot that answers */
export interface FollowerOptions<T extends Numbered> {
  readonly store: ByteSource;
  /** Whether the store is a folder, where an older publication is no stale copy: somebody has restored it. */
  readonly isFolder?: boolean;
  /** Milliseconds between two looks. */
  readonly refreshMs: number;
  /** The sha256 of bytes in hex. */
  readonly sha256: (bytes: Uint8Array) => Promise<string>;
  readonly manifestBytesMax: number;
  /** Checks the signature of each manifest; undefined if signatures are not checked. */
  readonly verify: VerifyManifest | undefined;
  /** The highest signed generation that is known elsewhere. An older one is refused. Default: none is known. */
  readonly highestSigned?: () => Promise<number>;
  /** Loads a snapshot. @param former the one that answers meanwhile @throws Error, which refuses the snapshot */
  readonly load: (found: FoundSnapshot, former: T | null) => Promise<T>;
  /** Called with a loaded snapshot that is refused. */
  readonly discard?: (loaded: T) => void;
  /** Called after another snapshot has begun to answer. */
  readonly onLoaded?: (loaded: T, former: T | null) => void;
  /** Called with the reason why a look failed. @param isNew whether the look before had another reason, or none */
  readonly onError: (error: Error, isNew: boolean) => void;
}

/**
 * Follows a store's published snapshots: looks for a new one, verifies it, loads it, and lets it answer in place of the
 * former one, which keeps answering if any of this fails.
 */
export class SnapshotFollower<T extends Numbered> {
  readonly #options: FollowerOptions<T>;
  #current: T | null = null;
  /** The pointer to the snapshot that answers. */
  #adopted: Pointer | null = null;
  /** If signatures are checked, the highest signed generation so far. */
  #leastGeneration = 0;
  /** The pointer to the snapshot that was refused last. */
  #refused: Pointer | null = null;
  #trouble: string | undefined;
  /** All times are in milliseconds of `performance`, which stays steady when the system's clock is set. */
  #retryAt = 0;
  #retryMs: number;
  /** When the last look began. */
  #began = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  #looks = 0;
  /** The look that reads wait for, because the files of the current snapshot are gone. */
  #urgent: Promise<void> | null = null;

  constructor(options: FollowerOptions<T>) {
    this.#options = options;
    this.#retryMs = options.refreshMs;
  }

  /**
   * The snapshot that answers; null before the first one. A request reads this once and uses the same snapshot to its
   * end.
   */
  get current(): T | null {
    return this.#current;
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
    return this.look();
  }

  /**
   * Looks for a newer snapshot immediately, because a file of the current one cannot be read: the publisher may have
   * deleted it. All reads that need this at the same time share one look. Never rejects.
   */
  lookAtOnce(): Promise<void> {
    this.retryNow();
    this.#urgent ??= this.look();
    return this.#urgent;
  }

  /** Makes the next look try even a snapshot that was refused. */
  retryNow(): void {
    this.#retryAt = 0;
  }

  /** Looks for a newer snapshot. Never rejects. */
  async look(): Promise<void> {
    this.#began = performance.now();
    this.#isLooking = true;
    this.#looks += 1;
    this.#urgent = null;
    const look = this.#looks;
    const end = this.#began + LOOK_MS;
    // The snapshot keeps this store for later reads, which the limit does not apply to.
    let isOver = false;
    const store: ByteSource = async (...read) => {
      if (isOver || performance.now() < end) return this.#options.store(...read);
      throw new Error(`the look at the store took more than ${LOOK_MS / 60_000} minutes`);
    };
    let offer: Pointer | null = null;
    try {
      offer = await this.#newest(store);
      if (offer === null || !this.#isWaiting(offer)) {
        const opened =
          offer === null || offer.id === this.#adopted?.id ? null : await this.#open(store, offer);
        if (look !== this.#looks) return;
        this.#accept(offer, opened);
      }
    } catch (error) {
      this.#refuse(offer, error, look === this.#looks);
    } finally {
      isOver = true;
    }
    if (look !== this.#looks) return;
    this.#isLooking = false;
    this.#urgent = null;
  }

  /** Whether the offered snapshot was refused, and must not be tried again yet. */
  #isWaiting(offer: Pointer): boolean {
    return isSame(offer, this.#refused) && performance.now() < this.#retryAt;
  }

  #accept(offer: Pointer | null, opened: Opened<T> | null): void {
    this.#trouble = undefined;
    this.#refused = null;
    this.#retryMs = this.#options.refreshMs;
    if (opened === null) return;
    const former = this.#current;
    this.#current = opened.snapshot;
    this.#adopted = offer;
    // A look that began earlier may end later.
    this.#leastGeneration = Math.max(this.#leastGeneration, opened.signed ?? 0);
    if (former !== opened.snapshot) this.#options.onLoaded?.(opened.snapshot, former);
  }

  /** Keeps the former snapshot, and tries this one again after growing delays. */
  #refuse(offer: Pointer | null, error: unknown, isLatest: boolean): void {
    const { refreshMs, onError } = this.#options;
    const text = messageOf(error);
    const trouble = offer === null || text.includes(offer.id) ? text : `${offer.id}: ${text}`;
    const isNew = trouble !== this.#trouble;
    if (isLatest) {
      const longest = Math.max(refreshMs, RETRY_MAX_MS);
      this.#retryMs = isNew ? refreshMs : Math.min(this.#retryMs * 2, longest);
      this.#retryAt = performance.now() + this.#retryMs;
      this.#refused = offer;
      this.#trouble = trouble;
    }
    onError(new Error(trouble, { cause: error }), isNew);
  }

  /** @throws BadSnapshotError, SignatureError */
  async #open(store: ByteSource, { id, generation, origin }: Pointer): Promise<Opened<T>> {
    const { load, sha256, manifestBytesMax } = this.#options;
    const name = `${id}/manifest.json`;
    const manifest = await whole(store, name, manifestBytesMax);
    if (!(await sha256(manifest)).startsWith(id)) {
      throw new BadSnapshotError(`${name} does not match its id`);
    }
    // The signature is checked before a byte is parsed.
    const signed = await this.#signedGeneration(store, id, manifest);
    const snapshot = await load({ id, manifest, store }, this.#current);
    // Anyone who can write to the store can write any number into `current.json`.
    const { history } = snapshot;
    const isRight = generation === history.generation && origin === history.origin;
    if (isRight && (signed ?? generation) === generation) return { snapshot, signed };
    this.#options.discard?.(snapshot);
    throw new BadSnapshotError(
      `${isRight ? "its signature" : "current.json"} states another generation than ${name}, which has ` +
        `${history.generation}`,
    );
  }

  /** @returns the signed generation of a manifest; undefined if signatures are not checked @throws SignatureError */
  async #signedGeneration(store: ByteSource, id: string, manifest: Uint8Array) {
    const { verify, highestSigned, onError } = this.#options;
    if (verify === undefined) return undefined;
    const signature = await readSignatureFrom(store, id).catch((error: Error) => {
      onError(error, true);
      return null;
    });
    const leastGeneration = Math.max(this.#leastGeneration, (await highestSigned?.()) ?? 0);
    return verify({ manifest, id, signature, leastGeneration });
  }

  /**
   * Reads which snapshot is published.
   * @returns null if the store has no `current.json`: nothing was published yet
   * @throws BadSnapshotError if it is older than the one that answers
   */
  async #newest(store: ByteSource): Promise<Pointer | null> {
    const bytes = await whole(store, "current.json").catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (bytes === null) return null;
    const pointer = readPointer("current.json", bytes);
    if (this.#options.isFolder || !isOlder(pointer, this.#adopted)) return pointer;
    throw new BadSnapshotError(
      `current.json names generation ${pointer.generation}, older than generation ` +
        `${this.#adopted?.generation}, which is served: a cache is out of date, or a backup was ` +
        "restored; restart to serve the backup",
    );
  }
}

interface Opened<T> {
  readonly snapshot: T;
  readonly signed: number | undefined;
}

function isSame(one: Pointer, other: Pointer | null): boolean {
  return one.id === other?.id && one.generation === other.generation;
}

/** Reads a whole file. @throws BadSnapshotError */
async function whole(store: ByteSource, path: string, most = SMALL_BYTES_MAX): Promise<Uint8Array> {
  try {
    return await store(path, undefined, most);
  } catch (error) {
    throw notRead(path, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === "ENOENT";
}
