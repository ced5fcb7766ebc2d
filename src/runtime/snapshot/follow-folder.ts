import type { PublicKey } from "../../signing/verify.js";
import { MANIFEST_BYTES_MAX } from "../../store/format.js";
import { sha256 } from "../../store/layout.js";
import { folderStore } from "../../store/packs/folder-source.js";
import { highestSigned } from "../../store/signature.js";
import type { Log } from "../observe/observer.js";
import { ServedSnapshot } from "./current-snapshot.js";
import { SnapshotFollower } from "./follower.js";
import { loadSnapshot } from "./load-snapshot.js";

/** Milliseconds between two reads of `current.json`. A new snapshot should answer within two seconds. */
export const POLL_MS = 500;

export interface FollowedFolder {
  /** The store's folder. */
  readonly store: string;
  /** Bytes of answers that each snapshot may cache in memory. */
  readonly cacheBytes: number;
  /** If there are any, one of these keys must have signed each snapshot. */
  readonly publicKeys: readonly PublicKey[];
  readonly log: Log;
  /** Called after each attempt to load, except when the same refusal repeats. */
  readonly onReload: (outcome: "loaded" | "refused") => void;
}

/** Follows the store in a local folder, of which a snapshot's index is in memory, and its packs are open. */
export function followFolder(options: FollowedFolder): SnapshotFollower<ServedSnapshot> {
  const { store, cacheBytes, publicKeys, log, onReload } = options;
  const follower = new SnapshotFollower<ServedSnapshot>({
    ...{ store: folderStore(store), publicKeys },
    refreshMs: POLL_MS,
    sha256: async (bytes) => sha256(bytes),
    manifestBytesMax: MANIFEST_BYTES_MAX,
    // `current.json` is not signed, and may have been set back.
    highestSigned: () => highestSigned(store, publicKeys),
    load: async ({ id, manifest }, former) => {
      const loaded = await loadSnapshot(store, id, { bytes: manifest, isAside: former !== null });
      return new ServedSnapshot(loaded, cacheBytes);
    },
    onLoaded: ({ id, listings }, generation, former) => {
      former?.release();
      onReload("loaded");
      const numbered = generation === undefined ? "" : `, generation ${generation},`;
      log(`snapshot ${id}${numbered} loaded: ${listings} listings in search`, "info");
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
