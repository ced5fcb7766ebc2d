import { hash } from "node:crypto";
import { join } from "node:path";

/** Listings that share a shard and a pack, about: what one changed listing rewrites. */
const LISTINGS_A_BUCKET = 256;

/** Where things lie in a store (design of the store: few, large, immutable files). */
export const layout = {
  current: (store: string) => join(store, "current.json"),
  notes: (store: string) => join(store, "store.json"),
  snapshot: (store: string, id: string) => join(store, id),
  manifest: (store: string, id: string) => join(store, id, "manifest.json"),
  publicFolder: (store: string, id: string) => join(store, id, "public"),
  shardFile: (bucket: number, sha256: string) => `index/${bucket}-${shortDigest(sha256)}.json`,
  columnsFile: (bucket: number, sha256: string) => `index/${bucket}-${shortDigest(sha256)}.bin`,
  /** What a pack is called while its hash is not known. */
  unfinishedPack: (bucket: number) => `${bucket}.ndjson`,
  packFile: (bucket: number, sha256: string) => `reports/${bucket}-${shortDigest(sha256)}.ndjson`,
} as const;

const ID = "[0-9a-f]{32}";

/** Characters of an id that are enough where no other id begins with them. */
export const ID_PREFIX_MIN = 4;

/** Names that are ours; clean-up looks at no other. */
export const OWN_NAMES = {
  snapshot: new RegExp(`^${ID}$`),
  shard: new RegExp(`^[0-9]+-${ID}\\.json$`),
  columns: new RegExp(`^[0-9]+-${ID}\\.bin$`),
  pack: new RegExp(`^[0-9]+-${ID}\\.ndjson$`),
  /** Files and folders that a build has not finished, or has put aside to delete; older versions number them. */
  unfinished: new RegExp(
    `^\\.new-[0-9a-f]+-(?:current\\.json|store\\.json|${ID}|[0-9]+(?:-${ID})?\\.(?:json|bin|ndjson))$`,
  ),
} as const;

/** How many high bits of a host's hash number its bucket: one bucket for about 256 listings. */
export function bucketBits(listings: number): number {
  let bits = 0;
  while (LISTINGS_A_BUCKET * 2 ** bits < listings) bits += 1;
  return bits;
}

export function sha256(bytes: Uint8Array | string): string {
  return hash("sha256", bytes);
}

/** The 128 bits of a sha256 that names and tags are made of. */
export function shortDigest(sha256: string): string {
  return sha256.slice(0, 32);
}

/** A snapshot's id: the digest of its manifest, through which all else is checked. */
export function snapshotId(manifest: Uint8Array): string {
  return shortDigest(sha256(manifest));
}
