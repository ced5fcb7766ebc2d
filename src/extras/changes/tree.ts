import type { TreeExtra } from "../../extra.js";
import { FEED_TYPES } from "../../pages/kit/page-names.js";
import { shortDigest } from "../../store/layout.js";
import { CHANGES_FILE, SEARCH_FEED, SEARCH_JSON_FEED } from "./reads.js";

const FEEDS = [
  {
    file: SEARCH_FEED.path.slice(1),
    cache: SEARCH_FEED.cache,
    contentType: SEARCH_FEED.contentType,
  },
  // In a tree, no feed as JSON has a charset.
  {
    file: SEARCH_JSON_FEED.path.slice(1),
    cache: SEARCH_JSON_FEED.cache,
    contentType: FEED_TYPES.json,
  },
];

/** The files with changes in a tree, their list, and the feed of all changes. */
export const CHANGES_TREE: TreeExtra = {
  kinds: [
    {
      file: CHANGES_FILE.path.slice(1),
      cache: CHANGES_FILE.cache,
      contentType: CHANGES_FILE.contentType,
    },
    ...FEEDS,
  ],
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
