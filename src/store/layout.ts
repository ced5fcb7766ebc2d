import { hash } from "node:crypto";
import { join } from "node:path";

/** About how many listings share a shard and a pack: one changed listing rewrites all of them. */
export const LISTINGS_A_BUCKET = 256;

/** A signature's name, in the folder of the snapshot whose manifest is signed. */
export const SIGNATURE_NAME = "manifest.json.minisig";

/** The paths in a store (design of the store: few, large, immutable files). */
export const layout = {
  current: (store: string) => join(store, "current.json"),
  /** The builder's notes name removed hosts. A public copy leaves out what begins with a dot. */
  notes: (store: string) => join(store, ".notes.json"),
  /** Where older versions wrote them. */
  formerNotes: (store: string) => join(store, "store.json"),
  snapshot: (store: string, id: string) => join(store, id),
  manifest: (store: string, id: string) => join(store, id, "manifest.json"),
  signature: (store: string, id: string) => join(store, id, SIGNATURE_NAME),
  publicFolder: (store: string, id: string) => join(store, id, "public"),
  shardFile: (bucket: number, sha256: string) => `index/${bucket}-${shortDigest(sha256)}.json`,
  columnsFile: (bucket: number, sha256: string) => `index/${bucket}-${shortDigest(sha256)}.bin`,
  detailsFile: (bucket: number, sha256: string) => `index/${bucket}-${shortDigest(sha256)}.details`,
  searchFile: (group: number, sha256: string) => `search/${group}-${shortDigest(sha256)}.bin`,
  /** A pack's name while its hash is still unknown. */
  unfinishedPack: (bucket: number) => `${bucket}.ndjson`,
  packFile: (bucket: number, sha256: string) => `reports/${bucket}-${shortDigest(sha256)}.ndjson`,
} as const;

/**
 * With more than 4,194,304 listings, buckets grow instead: a manifest of more buckets would exceed MANIFEST_BYTES_MAX.
 */
const BUCKET_BITS_MAX = 14;

/** How many high bits of a host's hash number its bucket. Gives one bucket for about `bucketSize` listings. */
export function bucketBits(listings: number, bucketSize: number): number {
  let bits = 0;
  while (bits < BUCKET_BITS_MAX && bucketSize * 2 ** bits < listings) bits += 1;
  return bits;
}

export function sha256(bytes: Uint8Array | string): string {
  return hash("sha256", bytes);
}

/** The first 128 bits of a sha256, which names and tags use. */
export function shortDigest(sha256: string): string {
  return sha256.slice(0, 32);
}

/** A snapshot's id: the digest of its manifest, which in turn has the checksums of everything else. */
export function snapshotId(manifest: Uint8Array): string {
  return shortDigest(sha256(manifest));
}
