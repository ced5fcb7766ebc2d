import type { Selection } from "../../input/selection.js";
import type { BuildSettings } from "../../publish/options.js";
import { parseShare, type Share } from "./options.js";
import {
  hashesOf,
  InputSum,
  type NotedPart,
  partStore,
  shareNumberOf,
  splitFileOf,
  wholeOf,
} from "./share.js";

/** A build of the part that the settings name, in a store of its own. The limits apply when the parts are joined. */
export function buildOfPart(settings: BuildSettings): BuildSettings | undefined {
  const share = parseShare(settings.part);
  if (share === null) return undefined;
  return {
    ...settings,
    maxRemoved: "100%",
    maxUnscored: "100%",
    maxUnbanded: "100%",
    wholeStore: settings.store,
    store: partStore(settings.store, share),
    keep: 1,
    purgeList: undefined,
    sign: undefined,
    select: (root) => selectionOf(root, share),
  };
}

/** @throws PublishedFolderError if the folder has another part than the wanted one */
function selectionOf(root: string, share: Share): Selection {
  const { number, count } = share;
  const split = splitFileOf(root, share);
  const sum = new InputSum();
  return {
    takes: (hash) => shareNumberOf(hash, count) === number,
    pass: (kind, _source, _hash, digest) => sum.add(kind, digest),
    end(isBad) {
      const whole = wholeOf(root, split, sum.facts(), isBad);
      const noted: NotedPart = { number, count, whole };
      return { hashes: hashesOf(share), listings: whole.listings, noted };
    },
  };
}
