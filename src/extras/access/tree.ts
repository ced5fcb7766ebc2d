import type { TreeExtra } from "../../extra.js";
import { ACCESS_READ } from "./reads.js";
import { ACCESS } from "./stored-access.js";

const address = ACCESS_READ.path.slice(1);

/** The figures of all crawlers in a tree. */
export const ACCESS_TREE: TreeExtra = {
  kinds: [{ file: `${address}.json`, cache: ACCESS_READ.cache }],
  files: async (snapshot) =>
    snapshot.addition(ACCESS)?.files[0] === undefined ? [] : [{ path: `${address}.json`, address }],
};
