import type { SnapshotView } from "../../answer/content.js";
import type { TreeExtra } from "../../extra.js";
import { FEED_TYPES, fileOf } from "../../pages/kit/page-names.js";
import { shortDigest } from "../../store/layout.js";
import {
  CHANGES_FILE,
  SEARCH_FEED,
  SEARCH_JSON_FEED,
  SITE_FEED,
  SITE_JSON_FEED,
  siteFeedAddress,
} from "./reads.js";

const FEEDS = [SEARCH_FEED, SEARCH_JSON_FEED, SITE_FEED, SITE_JSON_FEED].map(
  ({ path, cache, contentType }) => {
    const file = path.slice(1);
    // In a tree, no feed as JSON has a charset.
    return { file, cache, contentType: file.endsWith(".json") ? FEED_TYPES.json : contentType };
  },
);

/** The files with changes in a tree, their list, the feed of all changes, and those of sites that have changed. */
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
    const feeds = FEEDS.flatMap(({ file }) => (file.includes("{") ? [] : { path: file }));
    return [{ path: "changes/index.json" }, ...feeds, ...files, ...(await siteFeeds(snapshot))];
  },
};

/**
 * The feeds of the sites in search that the log names: those of a removed site go with its other files. A packed tree
 * has none. They would be many files, and no reader of feeds runs the worker that answers in place of files there.
 */
async function siteFeeds(snapshot: SnapshotView): ReturnType<TreeExtra["files"]> {
  if (snapshot.directory.tree?.isPacked === true) return [];
  const engine = await snapshot.engine;
  const { changesOf, readChanges } = await import("./addition.js");
  const { siteFeedContent } = await import("./host-feeds.js");
  const hosts = new Set<string>();
  for (const file of changesOf(snapshot).changes) {
    for (const { host } of await readChanges(snapshot, file)) {
      if (host !== null) hosts.add(host);
    }
  }
  const named = [...hosts];
  const found = await engine.summariesOf(named);
  const files: { path: string; address: string; digest: string }[] = [];
  for (const host of named.filter((_, at) => found[at] !== undefined)) {
    for (const form of ["xml", "json"] as const) {
      const content = await siteFeedContent(form, host, snapshot);
      if ("error" in content) continue;
      const address = siteFeedAddress(host, form);
      // A feed is made again if its file has to be written: all of them at once might not fit into memory.
      const digest = shortDigest(await snapshot.sha256Of(await content.read()));
      files.push({ path: fileOf(address) ?? address, address, digest });
    }
  }
  return files;
}
