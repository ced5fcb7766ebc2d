import { hash } from "node:crypto";
import { join } from "node:path";

/** A signature's name, in the folder of the snapshot whose manifest is signed. */
export const SIGNATURE_NAME = "manifest.json.minisig";

/** The paths in a store, which has few, large, immutable files. */
export const layout = {
  current: (store: string) => join(store, "current.json"),
  /** The builder's notes name removed hosts. A public copy leaves out names that begin with a dot. */
  notes: (store: string) => join(store, ".notes"),
  snapshot: (store: string, id: string) => join(store, id),
  manifest: (store: string, id: string) => join(store, id, "manifest.json"),
  signature: (store: string, id: string) => join(store, id, SIGNATURE_NAME),
  publicFolder: (store: string, id: string) => join(store, id, "public"),
  table: (sha256: string) => `segments/${shortDigest(sha256)}.brief`,
  pack: (sha256: string) => `segments/${shortDigest(sha256)}.pack`,
  /** A file that an extra adds. @param kind a word */
  added: (sha256: string, kind: string) => `segments/${shortDigest(sha256)}.${kind}.gz`,
} as const;

/** The most and the fewest listings that a build writes to a segment, if there are enough. */
const SEGMENT_MAX = 1_000;
const SEGMENT_MIN = 128;
/** A directory has at least this many segments if it is large enough, so that its reports are not all in one file. */
const SEGMENTS_MIN = 8;

/** About how many listings a build writes to a segment. @param listings of the whole directory */
export function usualSegmentSize(listings: number): number {
  return Math.max(SEGMENT_MIN, Math.min(SEGMENT_MAX, Math.ceil(listings / SEGMENTS_MIN)));
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
