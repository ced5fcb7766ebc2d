import { join } from "node:path";
import { hostHash } from "../contract/host.js";
import { itemAt } from "../contract/item-at.js";
import { type FileState, fileState, isSameState } from "../files/state.js";
import type { AllNotices } from "../published/checking/notices.js";
import { bucketOfHash, recordsBetween } from "../published/locating/record-index.js";
import type { Published } from "../published/published.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { AnyManifest, Manifest } from "../store/format.js";
import { bucketBits, sha256, snapshotId } from "../store/layout.js";
import { checkHash } from "../store/reader.js";
import type { FormerFiles } from "./former.js";
import { type NotedNotice, recalledNotices } from "./noted-notices.js";
import {
  type BuilderNotes,
  type BuiltBucket,
  type NotedFiles,
  notedFiles,
  trustedFiles,
} from "./notes.js";
import { manifestBytes, readManifest } from "./publish.js";
import { changedHashes, digestOfRows, orphanHashes, RecordTable, type Rows } from "./records.js";
import type { Tombstone } from "./tombstones.js";
import { toolDigest } from "./tool.js";

/** What we know of the last build, if the same program did it. */
export interface FormerBuild {
  readonly id: string;
  readonly documents: string;
  readonly manifest: AnyManifest;
  readonly buckets: readonly BuiltBucket[];
  /** Numbers of the buckets with a file whose state has changed since the last build. */
  readonly touched: ReadonlySet<number>;
  readonly tombstones: readonly Tombstone[];
  /** Hashes that more than one host had. */
  readonly sharedHashes: readonly number[];
  readonly notices: readonly NotedNotice[];
  readonly noted: Readonly<Record<"listings" | "scans", NotedFiles>>;
  /**
   * The noted files that need not be read again while their states stay the same. Empty if any bucket is
   * touched: the store may then be a copy, whose notes file is newer than the states it lists.
   */
  readonly known: Readonly<Record<"listings" | "scans", NotedFiles>>;
}

/** The states of a bucket's files. */
export type BucketStates = Readonly<Record<keyof NamedBucketFiles, FileState>>;
type NamedBucketFiles = Manifest["buckets"][number];

/** Whether a bucket is kept or rebuilt. */
export type BucketPlan =
  | {
      readonly kept: NamedBucketFiles;
      readonly counts: Manifest["counts"];
      /** The states from before the bucket was checked. */
      readonly states: BucketStates;
    }
  | { readonly kept: null; readonly former: FormerFiles | null };

export interface BuildPlan {
  /** How many bits of a host's hash number its bucket. */
  readonly bits: number;
  readonly buckets: readonly BucketPlan[];
  /** The digest of all records, for the manifest. */
  readonly records: string;
  /**
   * By bucket, hashes of hosts that may have scans but no listing. Every build reads their records, to
   * warn of them.
   */
  readonly orphans: ReadonlyMap<number, ReadonlySet<number>>;
  /** Tombstones of the last build that still apply. */
  readonly tombstones: readonly Tombstone[];
  readonly notices: AllNotices;
  /** Whether the input is unchanged since the last build. */
  readonly untouched: boolean;
}

/** Reads the notes of the last build. Returns null if there was none, or if its notes cannot be used. */
export async function formerBuild(
  store: string,
  { built, tombstones }: BuilderNotes,
): Promise<FormerBuild | null> {
  if (built === null || built.tool !== toolDigest()) return null;
  const manifest = await readManifest(store, built.id);
  const listings = notedFiles(built.listings);
  const scans = notedFiles(built.scans);
  // A damaged manifest may still have the shape of one, so its digest is checked too.
  if (manifest === null || snapshotId(manifestBytes(manifest)) !== built.id) return null;
  if (listings === null || scans === null) return null;
  if (manifest.buckets.length !== built.buckets.length) return null;
  const touched = touchedBuckets(store, manifest.buckets, built.buckets);
  const trusted = (files: NotedFiles) =>
    touched.size > 0 ? new Map<string, never>() : trustedFiles(store, files);
  return {
    id: built.id,
    documents: built.documents,
    manifest,
    buckets: built.buckets,
    touched,
    tombstones,
    sharedHashes: built.sharedHashes,
    notices: built.notices,
    noted: { listings, scans },
    known: { listings: await trusted(listings), scans: await trusted(scans) },
  };
}

function touchedBuckets(
  store: string,
  buckets: Manifest["buckets"],
  built: readonly BuiltBucket[],
): Set<number> {
  const touched = new Set<number>();
  for (const [bucket, files] of buckets.entries()) {
    const states = statesOf(store, files);
    const before = itemAt(built, bucket);
    const isTouched = FILE_KINDS.some((kind) => !isSameState(before[kind], states[kind]));
    if (isTouched) touched.add(bucket);
  }
  return touched;
}

const FILE_KINDS = ["shard", "columns", "pack"] as const;

/** A state is null if the file does not exist. */
function statesOf(store: string, files: NamedBucketFiles) {
  const stateOf = (kind: keyof NamedBucketFiles) => fileState(join(store, files[kind].file));
  return { shard: stateOf("shard"), columns: stateOf("columns"), pack: stateOf("pack") };
}

/** The digest, in hex, of the documents that every listing is compiled against. */
export function documentsDigest({ directory, standards, taxonomy }: Published): string {
  return sha256(JSON.stringify([directory, standards, taxonomy]));
}

/**
 * Decides which buckets of the last build are kept: those with the same records, compiled against the
 * same documents, whose files still have the states that the last build noted or, in a copied store, the
 * same bytes.
 * @throws the signal's reason
 */
export async function planBuild(
  store: string,
  published: Published,
  former: FormerBuild | null,
  signal?: AbortSignal,
): Promise<BuildPlan> {
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
  // Of two hosts that share a hash, one may have a listing and the other none.
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
  const changed = new Map<number, ReadonlySet<number>>();
  for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
    const rows = after?.rowsOf(bucket) ?? null;
    if (rows !== null) digests.push(digestOfRows(rows));
    if (usable === null) {
      buckets.push({ kept: null, former: null });
      continue;
    }
    signal?.throwIfAborted();
    const hashes = changedIn(before, rows, bucket);
    const planned = await bucketPlan(store, usable, bucket, hashes, orphans.get(bucket) ?? []);
    buckets.push(planned);
    if (planned.kept !== null || planned.former !== null) changed.set(bucket, hashes);
  }
  const holds = (hash: number) => changed.get(bucketOfHash(hash, bits))?.has(hash) === false;
  return {
    bits,
    buckets,
    records: untouched ? usable.manifest.records : sha256(digests.join("\n")),
    orphans,
    tombstones: (usable?.tombstones ?? []).filter(({ host }) => holds(hostHash(host))),
    notices: recalledNotices(usable?.notices ?? [], holds),
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

/** Whether all input files are known and none was deleted. */
function isUntouched({ files }: Published, { noted }: FormerBuild): boolean {
  return (["listings", "scans"] as const).every(
    (kind) => files[kind].every(({ known }) => known) && files[kind].length === noted[kind].size,
  );
}

/** @returns hashes of the hosts whose records have changed */
function changedIn(
  before: RecordTable | null,
  after: Rows | null,
  bucket: number,
): ReadonlySet<number> {
  return before === null || after === null
    ? new Set()
    : changedHashes(before.rowsOf(bucket), after);
}

/**
 * @param changed hashes of the hosts whose listings must be recompiled. Answers of all others are
 * copied, and each copy is checked
 */
async function bucketPlan(
  store: string,
  { manifest, buckets, touched }: FormerBuild,
  bucket: number,
  changed: ReadonlySet<number>,
  orphans: Iterable<number>,
): Promise<BucketPlan> {
  const files = itemAt(manifest.buckets, bucket);
  if (changed.size > 0) {
    return { kept: null, former: { files, changed: new Set([...changed, ...orphans]) } };
  }
  const { shard, columns, pack, ...counts } = itemAt(buckets, bucket);
  const states = touched.has(bucket) ? await statesIfWhole(store, files) : { shard, columns, pack };
  return states === null ? { kept: null, former: null } : { kept: files, counts, states };
}

/** The states of a bucket's files if their bytes match the manifest, else null. */
async function statesIfWhole(store: string, files: NamedBucketFiles): Promise<BucketStates | null> {
  const { shard, columns, pack } = statesOf(store, files);
  if (shard === null || columns === null || pack === null) return null;
  try {
    for (const kind of FILE_KINDS) await checkHash(store, files[kind]);
    return { shard, columns, pack };
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
