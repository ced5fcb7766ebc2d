/*
 * The formats and file names of a store, for every reader of it, also outside of Node.
 *
 * Each kind of file in a store has its own format number. The store's format number is that of its manifests, and it
 * grows whenever a build of an older version would be misread: such a store is refused, and has to be built again.
 */

/** The format of manifests: the only one that this program reads. */
export const STORE_FORMAT = 5;
/** The format of `current.json`. */
export const CURRENT_FORMAT = 1;
/** The format of shards. */
export const SHARD_FORMAT = 1;

const SNAPSHOT_ID = "[0-9a-f]{32}";

/** The fewest characters that identify a snapshot, if no other id begins with them. */
export const ID_PREFIX_MIN = 4;

/** The names that our program uses. Clean-up ignores all others. */
export const OWN_NAMES = {
  snapshot: new RegExp(`^${SNAPSHOT_ID}$`),
  shard: new RegExp(`^[0-9]+-${SNAPSHOT_ID}\\.json$`),
  columns: new RegExp(`^[0-9]+-${SNAPSHOT_ID}\\.bin$`),
  details: new RegExp(`^[0-9]+-${SNAPSHOT_ID}\\.details$`),
  pack: new RegExp(`^[0-9]+-${SNAPSHOT_ID}\\.ndjson$`),
  search: new RegExp(`^[0-9]+-${SNAPSHOT_ID}\\.bin$`),
  /** Files and folders that a build has not finished, or has put aside to delete. Older versions number them. */
  unfinished: new RegExp(
    `^\\.new-[0-9a-f]+-(?:current\\.json|store\\.json|\\.notes\\.json|manifest\\.json\\.minisig|${SNAPSHOT_ID}|[0-9]+(?:-${SNAPSHOT_ID})?\\.(?:json|bin|details|ndjson))$`,
  ),
} as const;

/** The folders of the files that snapshots share. */
export const SHARED_FOLDERS = ["index", "reports", "search"] as const;
