import type { PublicKey } from "../../signing/verify.js";
import { MANIFEST_BYTES_MAX } from "../../store/format.js";
import { sha256 } from "../../store/layout.js";
import { folderStore } from "../../store/packs/folder-source.js";
import { highestSigned } from "../../store/signature.js";
import type { Log } from "../observe/observer.js";
import { ServedSnapshot } from "./current-snapshot.js";
import { SnapshotFollower } from "./follower.js";
import { type EngineMaker, loadSnapshot, type RemoteFiles } from "./load-snapshot.js";

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
  /** If there are any, one of these keys must have signed each snapshot. */
  readonly publicKeys: readonly PublicKey[];
  readonly log: Log;
  /** Called after each attempt to load, except when the same refusal repeats. */
  readonly onReload: (outcome: "loaded" | "refused") => void;
}

/** The share of the cache that a remote store's public documents may take in addition to it. */
const DOCUMENTS = 1 / 8;
/** The share that directories and documents may take if the engine is elsewhere. A directory takes a few megabytes. */
const DIRECTORIES = 1 / 2;

export function followStore(options: FollowedStore): SnapshotFollower<ServedSnapshot> {
  const { store, remote, makeEngine, cacheBytes, publicKeys, log, onReload } = options;
  const follower = new SnapshotFollower<ServedSnapshot>({
    store: remote?.read ?? folderStore(store),
    isFolder: remote === undefined,
    publicKeys,
    refreshMs: remote?.refreshMs ?? POLL_MS,
    sha256: async (bytes) => sha256(bytes),
    manifestBytesMax: MANIFEST_BYTES_MAX,
    // `current.json` is not signed, and may have been set back.
    ...(remote ? {} : { highestSigned: () => highestSigned(store, publicKeys) }),
    load: async ({ id, manifest }, former) => {
      const share = makeEngine !== undefined ? DIRECTORIES : remote === undefined ? 0 : DOCUMENTS;
      const loaded = await loadSnapshot(store, id, {
        bytes: manifest,
        isAside: former !== null,
        remote,
        makeEngine,
        cacheBytes: cacheBytes * share,
      });
      return new ServedSnapshot(loaded, cacheBytes);
    },
    discard: (refused) => refused.release(),
    onLoaded: ({ id, history, listings }, former) => {
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
