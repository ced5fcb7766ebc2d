import type { StoredFile } from "./format.js";

/** A compressed file of a packed tree, and the packs that it has one after the other. */
export interface PackedFile {
  /** Relative to `data/`. */
  readonly file: string;
  readonly packs: readonly StoredFile[];
}

/** The most files that the packs of a tree become, up to 190,000 listings. */
const PACKED_MAX = 192;
/** The most packs in a file: a report must not cost a reader many others. */
const TOGETHER_MAX = 4;
const HASH_DIGITS = 32;

/** The compressed files of a tree that has these packs. */
export function packedFiles(buckets: readonly { readonly pack: StoredFile }[]): PackedFile[] {
  const together = Math.min(TOGETHER_MAX, Math.ceil(buckets.length / PACKED_MAX));
  const files: PackedFile[] = [];
  for (let bucket = 0; bucket < buckets.length; bucket += together) {
    const packs = buckets.slice(bucket, bucket + together).map(({ pack }) => pack);
    const hashes = packs.map(({ sha256 }) => sha256.slice(0, HASH_DIGITS / together));
    files.push({ file: `reports/${files.length}-${hashes.join("")}.pack`, packs });
  }
  return files;
}
