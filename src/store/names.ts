/*
 * The formats and file names of a store, for all of its readers, even outside Node. The store's format is that of its
 * manifests and segments. It grows whenever this program would misread the stores of older ones: they are refused,
 * and have to be built again.
 */

/** The format of manifests and segments: the only one that this program reads. */
export const STORE_FORMAT = 11;
/** The format of `current.json`. */
export const CURRENT_FORMAT = 2;

const SNAPSHOT_ID = "[0-9a-f]{32}";

/** The fewest characters that identify a snapshot, if no other id begins with them. */
export const ID_PREFIX_MIN = 4;

/** A generation as people write it: a whole number from 1. */
export const GENERATION = /^[1-9][0-9]{0,14}$/;

/** The ends of the names of unfinished files and folders, after `.new-` and the random digits of their writer. */
const UNFINISHED = [
  "current\\.json",
  "touch",
  "\\.notes",
  "manifest\\.json\\.minisig",
  `${SNAPSHOT_ID}(?:\\.brief|\\.pack|\\.[a-z]{1,16}\\.gz)?`,
  "[0-9-]+\\.(?:pack|brief)",
];

/** The names that our program uses. Clean-up ignores all others. */
export const OWN_NAMES = {
  snapshot: new RegExp(`^${SNAPSHOT_ID}$`),
  table: new RegExp(`^${SNAPSHOT_ID}\\.brief$`),
  pack: new RegExp(`^${SNAPSHOT_ID}\\.pack$`),
  /** A file that an extra added. Its extra chooses the kind. */
  added: new RegExp(`^${SNAPSHOT_ID}\\.[a-z]{1,16}\\.gz$`),
  /** Files and folders that a build has not finished, or has put aside to delete. */
  unfinished: new RegExp(`^\\.new-[0-9a-f]+-(?:${UNFINISHED.join("|")})$`),
} as const;

/** The folders of the files that snapshots share. */
export const SHARED_FOLDERS = ["segments"] as const;
