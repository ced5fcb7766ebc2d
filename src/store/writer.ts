import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { CompiledListing } from "../compile/listing.js";
import { disk } from "./disk.js";
import { type AnswerLocation, type Shard, STORE_FORMAT, type StoredFile } from "./format.js";
import { layout, sha256 } from "./layout.js";

/** A bucket's two files as bytes, and what the manifest says of them. */
export interface PackedBucket {
  readonly shard: StoredFile;
  readonly pack: StoredFile;
  readonly shardBytes: Buffer;
  readonly packBytes: Buffer;
}

/** Lays out a bucket: all bodies one after the other in the pack, an entry a listing in the shard. */
export function packBucket(bucket: number, listings: readonly CompiledListing[]): PackedBucket {
  const pack: Buffer[] = [];
  let end = 0;
  const append = (body: string): AnswerLocation => {
    const bytes = Buffer.from(`${body}\n`);
    const answer = bytes.subarray(0, -1);
    const offset = end;
    pack.push(bytes);
    end += bytes.length;
    return [offset, answer.length, sha256(answer)];
  };
  const shard: Shard = {
    format: STORE_FORMAT,
    entries: listings.map((listing) => ({
      host: listing.host,
      search: listing.search,
      report: append(listing.report),
      enrichment: append(listing.enrichment),
      publishedScan: listing.publishedScan,
      historical: listing.historical.map(({ scan, report }) => ({ scan, report: append(report) })),
      locked: [...listing.locked],
    })),
  };
  const shardBytes = Buffer.from(JSON.stringify(shard));
  const packBytes = Buffer.concat(pack);
  return {
    shard: describe(shardBytes, (hash) => layout.shardFile(bucket, hash)),
    pack: describe(packBytes, (hash) => layout.packFile(bucket, hash)),
    shardBytes,
    packBytes,
  };
}

/** What a manifest says of a file with these bytes. */
export function describe(bytes: Uint8Array, name: (sha256: string) => string): StoredFile {
  const hash = sha256(bytes);
  return { file: name(hash), bytes: bytes.length, sha256: hash };
}

/**
 * Puts a content-named file into the store. One that is there with the right size is kept: its name
 * is its content.
 * @returns whether it was written.
 */
export async function putContent(
  store: string,
  file: StoredFile,
  bytes: Uint8Array,
): Promise<boolean> {
  const path = join(store, file.file);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() && found.size === file.bytes) return false;
  await disk.writeFile(path, bytes);
  return true;
}
