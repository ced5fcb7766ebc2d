import type { TreeExtra } from "../../extra.js";
import { shortDigest } from "../../store/layout.js";
import { CHANGES_FILE, SEARCH_FEED, SEARCH_JSON_FEED } from "./reads.js";

const FEEDS = [SEARCH_FEED, SEARCH_JSON_FEED].map(({ path, cache, contentType }) => ({
  file: path.slice(1),
  cache,
  contentType,
}));

/** The files with changes in a tree, their list, and the feed of all changes. */
export const CHANGES_TREE: TreeExtra = {
  kinds: [{ file: "changes/{file}", cache: CHANGES_FILE.cache }, ...FEEDS],
  files: async (snapshot) => {
    const { changesOf } = await import("./addition.js");
    const { changesFileName } = await import("./changes.js");
    const files = changesOf(snapshot).changes.map((file) => ({
      path: `changes/${changesFileName(file)}`,
      digest: shortDigest(file.sha256),
    }));
    return [{ path: "changes/index.json" }, ...FEEDS.map(({ file }) => ({ path: file })), ...files];
  },
};
