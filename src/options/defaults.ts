/** The store's folder if none is given. */
export const STORE = "snapshots";

/** The path of key files, without their endings, if none is given. */
export const KEY_NAME = "crawldex";

/** The address that the server listens on if none is given. */
export const HOST = "127.0.0.1";

/** Options that are whole numbers: the values that they may have, and `usual`, the value if none is given. */
export const NUMBERS = {
  /** Snapshots that stay in the store. */
  keep: { min: 1, max: 1_000, usual: 3 },
  /** Threads. Without a value, one for each core. */
  jobs: { min: 1, max: 256 },
  /** A TCP port; 0 takes a free one. */
  port: { min: 0, max: 65_535, usual: 3000 },
  /** Megabytes (2^20 bytes) of answers that a process keeps in memory. */
  cacheMb: { min: 0, max: 65_536, usual: 64 },
  /** Seconds between two pulls of a server that follows a remote store. */
  refreshSeconds: { min: 1, max: 86_400, usual: 10 },
  /** Listings of a sample; the package has no more. */
  listings: { min: 0, max: 500, usual: 500 },
} as const;
