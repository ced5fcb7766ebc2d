import { SnapshotFollower } from "../answer/follower.js";
import type { Snapshot } from "../answer/snapshot.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { folderStore } from "../store/folder-source.js";
import { MANIFEST_BYTES_MAX } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import { highestSigned } from "../store/reader.js";
import type { VerifyManifest } from "../store/signature.js";
import { AnswerCache } from "./answer-cache.js";
import {
  type EngineMaker,
  type LoadedSnapshot,
  loadSnapshot,
  type RemoteFiles,
} from "./load-snapshot.js";
import type { Log } from "./observer.js";
import type { AnsweringThreads } from "./threads.js";

export interface ProcessState {
  /** Bytes of the answers in its cache. */
  readonly cacheBytes: number;
  /** The id of the snapshot that answers; null before the first one. */
  readonly snapshot: string | null;
  /** The number of its publication; null before the first one. */
  readonly generation: number | null;
  /** Listings in search. */
  readonly listings: number;
  /** Whether the store's current snapshot is refused, so that a former one answers, or none. */
  readonly isRefused: boolean;
}

/** The most different damages that are logged for one snapshot: without a limit, a deleted store would fill the log. */
const DAMAGES_MAX = 1_000;

/** A snapshot that answers. It closes its files once it is released and no request holds it. */
export class ServedSnapshot {
  readonly view: Snapshot;
  readonly kept: AnswerCache;
  /** Listings in search. */
  readonly listings: number;
  /** A host that has a report, for examples; null if there is none. */
  readonly exampleHost: string | null;
  /** The causes of damage that were found since the load. */
  readonly #damages = new Set<string>();
  readonly #close: () => void;
  #holders = 1;

  /** @param cacheBytes bytes of answers that it may cache in memory */
  constructor({ snapshot, listings, exampleHost, close }: LoadedSnapshot, cacheBytes: number) {
    this.view = snapshot;
    this.listings = listings;
    this.exampleHost = exampleHost;
    this.kept = new AnswerCache(cacheBytes);
    this.#close = close;
  }

  get id(): string {
    return this.view.id;
  }

  get history(): Snapshot["history"] {
    return this.view.history;
  }

  /**
   * Returns the cause of a damage; null if it was reported before.
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

/** @param othersCacheBytes bytes of the answers in the caches of other threads */
export function processStateOf(
  follower: Pick<SnapshotFollower<ServedSnapshot>, "current" | "trouble">,
  othersCacheBytes = 0,
): ProcessState {
  const { current, trouble } = follower;
  return {
    cacheBytes: (current?.kept.bytes ?? 0) + othersCacheBytes,
    snapshot: current?.id ?? null,
    generation: current?.view.history.generation ?? null,
    listings: current?.listings ?? 0,
    isRefused: trouble !== undefined,
  };
}

/** Milliseconds between two reads of `current.json`. A new snapshot should answer within two seconds. */
export const POLL_MS = 500;

/** A store that is not in a folder. */
export interface RemoteStore extends RemoteFiles {
  /** Milliseconds between two looks. */
  readonly refreshMs: number;
}

export interface FollowedStore {
  /** The store's folder, or the one for the tables of a remote store. */
  readonly store: string;
  readonly remote?: RemoteStore | undefined;
  /** Makes engines that are elsewhere. Default: each snapshot's index is in memory. */
  readonly makeEngine?: EngineMaker | undefined;
  /** Bytes of answers that each snapshot may cache in memory. */
  readonly cacheBytes: number;
  /** The folder of index files. Default: none are written. */
  readonly indexFolder?: string | null | undefined;
  /** Checks the signature of each snapshot; undefined if signatures are not checked. */
  readonly verify: VerifyManifest | undefined;
  readonly log: Log;
  /** Returns the other threads that answer. Default: there are none. */
  readonly threads?: (() => AnsweringThreads | null) | undefined;
  /** Called after each attempt to load, except when the same refusal repeats. */
  readonly onReload: (outcome: "loaded" | "refused") => void;
}

/** The share of the cache that a remote store's public documents may take in addition to it. */
const DOCUMENTS = 1 / 8;
/** The share that directories and documents may take if the engine is elsewhere. A directory takes a few megabytes. */
const DIRECTORIES = 1 / 2;

export function followStore(options: FollowedStore): SnapshotFollower<ServedSnapshot> {
  const { store, remote, makeEngine, cacheBytes, indexFolder, verify, log, onReload } = options;
  const threads = () => options.threads?.() ?? null;
  const follower = new SnapshotFollower<ServedSnapshot>({
    store: remote?.read ?? folderStore(store),
    isFolder: remote === undefined,
    verify,
    refreshMs: remote?.refreshMs ?? POLL_MS,
    sha256: async (bytes) => sha256(bytes),
    manifestBytesMax: MANIFEST_BYTES_MAX,
    // `current.json` is not signed, and may have been set back.
    ...(remote || !verify ? {} : { highestSigned: () => highestSigned(store, verify) }),
    load: async ({ id, manifest }, former) => {
      const share = makeEngine !== undefined ? DIRECTORIES : remote === undefined ? 0 : DOCUMENTS;
      const loaded = await loadSnapshot(store, id, {
        bytes: manifest,
        isAside: former !== null,
        remote,
        makeEngine,
        cacheBytes: cacheBytes * share,
        indexFolder,
        log,
      });
      const served = new ServedSnapshot(loaded, cacheBytes);
      try {
        if (loaded.shared !== null) await threads()?.open(served, loaded.shared, manifest);
        return served;
      } catch (error) {
        threads()?.forget();
        served.release();
        throw error;
      }
    },
    discard: (refused) => {
      threads()?.forget();
      refused.release();
    },
    onLoaded: ({ id, history, listings }, former) => {
      threads()?.adopt();
      former?.release();
      onReload("loaded");
      log(
        `snapshot ${id}, generation ${history.generation}, loaded: ${listings} ` +
          `${listings === 1 ? "listing" : "listings"} in search`,
        "info",
      );
    },
    onError: ({ message }, isNew) => {
      if (!isNew) return;
      onReload("refused");
      const { current } = follower;
      const kept = current ? `still serving snapshot ${current.id}` : "no snapshot is loaded";
      log(`snapshot refused: ${message}; ${kept}`, "trouble");
    },
  });
  return follower;
}
