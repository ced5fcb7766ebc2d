import { join } from "node:path";
import { hostHash } from "../contract/host.js";
import type { Published } from "../published/published.js";
import { bucketOfHash, recordsBetween } from "../published/record-index.js";
import { fileState, isSameState } from "../published/regular-file.js";
import type { AnyManifest, Manifest } from "./format.js";
import type { FormerFiles } from "./former.js";
import { bucketBits, sha256, snapshotId } from "./layout.js";
import {
  type BuilderNotes,
  type BuiltBucket,
  type NotedFiles,
  notedFiles,
  type Tombstone,
  trustedFiles,
} from "./notes.js";
import { manifestBytes, readManifest } from "./publish.js";
import { changedHashes, digestOfRows, orphanHashes, RecordTable, type Rows } from "./records.js";
import { toolDigest } from "./tool.js";

/** What is known of the last build that was done by the same program. */
export interface FormerBuild {
  readonly id: string;
  readonly documents: string;
  readonly manifest: AnyManifest;
  readonly buckets: readonly BuiltBucket[];
  readonly tombstones: readonly Tombstone[];
  /** Hashes that more than one host had. */
  readonly sharedHashes: readonly number[];
  readonly noted: Readonly<Record<"listings" | "scans", NotedFiles>>;
  /** Those of the noted files that need not be read again while their states are the same. */
  readonly known: Readonly<Record<"listings" | "scans", NotedFiles>>;
}

/** What a build has to do with a bucket: nothing, as it stays as it is, or to make it. */
export type BucketPlan =
  | { readonly kept: Manifest["buckets"][number]; readonly counts: Manifest["counts"] }
  | { readonly kept: null; readonly former: FormerFiles | null };

export interface Plan {
  /** How many bits of a host's hash number its bucket. */
  readonly bits: number;
  readonly buckets: readonly BucketPlan[];
  /** The digest of all records, for the manifest. */
  readonly records: string;
  /**
   * Hashes of hosts that may have scans and no listing, by bucket. Their records are read in every build,
   * to warn of them.
   */
  readonly orphans: ReadonlyMap<number, ReadonlySet<number>>;
  /** Those of the last build that hold as they are. */
  readonly tombstones: readonly Tombstone[];
  /** Whether the input is just what it was. */
  readonly untouched: boolean;
}

/** Reads what is noted of the last build; null where there is none, or nothing of it can be used. */
export async function formerBuild(
  store: string,
  { built, tombstones }: BuilderNotes,
): Promise<FormerBuild | null> {
  if (built === null || built.tool !== toolDigest()) return null;
  const manifest = await readManifest(store, built.id);
  const listings = notedFiles(built.listings);
  const scans = notedFiles(built.scans);
  // A damaged manifest may still have a manifest's shape.
  if (manifest === null || snapshotId(manifestBytes(manifest)) !== built.id) return null;
  if (listings === null || scans === null) return null;
  if (manifest.buckets.length !== built.buckets.length) return null;
  return {
    id: built.id,
    documents: built.documents,
    manifest,
    buckets: built.buckets,
    tombstones,
    sharedHashes: built.sharedHashes,
    noted: { listings, scans },
    known: {
      listings: await trustedFiles(store, listings),
      scans: await trustedFiles(store, scans),
    },
  };
}

/** The digest of what every listing is compiled against. In hex. */
export function documentsDigest({ directory, standards, taxonomy }: Published): string {
  return sha256(JSON.stringify([directory, standards, taxonomy]));
}

/**
 * Finds out what of the last build stays as it is: a bucket with the same records, compiled against the
 * same documents, whose files are in the states in which they were left.
 */
export function planBuild(store: string, published: Published, former: FormerBuild | null): Plan {
  const bits = bucketBits(published.listingCount);
  const { listings, scans } = published.shared;
  const records = [listings, scans].map(({ columns }) => recordsBetween(columns, 0, columns.count));
  const [ofListings, ofScans] = [records.slice(0, 1), records.slice(1)];
  const usable =
    former !== null &&
    former.documents === documentsDigest(published) &&
    former.buckets.length === 2 ** bits
      ? former
      : null;
  // Of hosts that share a hash, one may have no listing though the other has.
  const orphans = byBucket(
    [...orphanHashes(ofListings, ofScans), ...(usable?.sharedHashes ?? [])],
    bits,
  );
  const untouched = usable !== null && isUntouched(published, usable);
  const after = untouched ? null : new RecordTable(ofListings, ofScans, bits);
  const before =
    untouched || usable === null
      ? null
      : new RecordTable(rowsIn(usable.noted.listings), rowsIn(usable.noted.scans), bits);
  const digests: string[] = [];
  const buckets: BucketPlan[] = [];
  const changed: (ReadonlySet<number> | null)[] = [];
  for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
    const rows = after?.rowsOf(bucket) ?? null;
    if (rows !== null) digests.push(digestOfRows(rows));
    const files = usable === null ? null : trustedBucket(store, usable, bucket);
    const hashes = files === null ? null : changedIn(before, rows, bucket);
    changed.push(hashes);
    buckets.push(bucketPlan(files, hashes, orphans.get(bucket) ?? new Set()));
  }
  return {
    bits,
    buckets,
    records: untouched ? usable.manifest.records : sha256(digests.join("\n")),
    orphans,
    tombstones: (usable?.tombstones ?? []).filter(({ host }) => {
      const hash = hostHash(host);
      return changed[bucketOfHash(hash, bits)]?.has(hash) === false;
    }),
    untouched,
  };
}

function byBucket(hashes: readonly number[], bits: number): Map<number, Set<number>> {
  const buckets = new Map<number, Set<number>>();
  for (const hash of hashes) {
    const bucket = bucketOfHash(hash, bits);
    const found = buckets.get(bucket);
    if (found === undefined) buckets.set(bucket, new Set([hash]));
    else found.add(hash);
  }
  return buckets;
}

function rowsIn(files: NotedFiles) {
  return Array.from(files.values(), ({ records }) => records);
}

/** Whether all input files are known, and none is gone. */
function isUntouched({ files }: Published, { noted }: FormerBuild): boolean {
  return (["listings", "scans"] as const).every(
    (kind) => files[kind].every(({ known }) => known) && files[kind].length === noted[kind].size,
  );
}

interface TrustedBucket {
  readonly files: Manifest["buckets"][number];
  readonly counts: Manifest["counts"];
}

/** A bucket of the last build; null where one of its files is not in the state in which it was left. */
function trustedBucket(
  store: string,
  { manifest, buckets }: FormerBuild,
  bucket: number,
): TrustedBucket | null {
  const files = manifest.buckets[bucket]!;
  const { shard, columns, pack, ...counts } = buckets[bucket]!;
  const states = { shard, columns, pack };
  for (const kind of ["shard", "columns", "pack"] as const) {
    if (!isSameState(states[kind], fileState(join(store, files[kind].file)))) return null;
  }
  return { files, counts };
}

function changedIn(
  before: RecordTable | null,
  after: Rows | null,
  bucket: number,
): ReadonlySet<number> {
  return before === null || after === null
    ? new Set()
    : changedHashes(before.rowsOf(bucket), after);
}

function bucketPlan(
  trusted: TrustedBucket | null,
  changed: ReadonlySet<number> | null,
  orphans: ReadonlySet<number>,
): BucketPlan {
  if (trusted === null || changed === null) return { kept: null, former: null };
  const { files, counts } = trusted;
  if (changed.size === 0) return { kept: files, counts };
  return { kept: null, former: { files, changed: new Set([...changed, ...orphans]) } };
}
