import { join } from "node:path";
import { hostHash } from "../contract/host.js";
import { itemAt } from "../contract/tables.js";
import { type FileState, fileState, isSameState } from "../files/regular.js";
import type { AllNotices } from "../published/checking/notices.js";
import { bucketOfHash, recordsBetween } from "../published/locating/record-index.js";
import type { Published } from "../published/published.js";
import { bucketsIn, type Manifest, type StoredFile } from "../store/format.js";
import { bucketBits, sha256, snapshotId } from "../store/layout.js";
import type { BucketFigures } from "../store/tally.js";
import {
  type BucketStates,
  type NamedBucketFiles,
  notedStates,
  stateIfWhole,
  statesIfWhole,
} from "./file-states.js";
import type { FormerFiles } from "./former.js";
import { type NotedNotice, recalledNotices } from "./noted-notices.js";
import {
  type BuilderNotes,
  type BuiltBucket,
  type NotedFiles,
  notedFiles,
  trustedFiles,
} from "./notes.js";
import type { buildSettings } from "./options.js";
import { manifestBytes, readManifest } from "./publish.js";
import { changedHashes, digestOfRows, orphanHashes, RecordTable, type Rows } from "./records.js";
import type { Tombstone } from "./tombstones.js";
import { toolDigest } from "./tool.js";

/** What we know of the last build, if the same program did it. */
export interface FormerBuild {
  readonly id: string;
  readonly documents: string;
  readonly manifest: Manifest;
  readonly buckets: readonly BuiltBucket[];
  /** By bucket, the states of its files; null if one of them has changed since the last build. */
  readonly states: readonly (BucketStates | null)[];
  /** By group of buckets, the state of its search file; null if it has changed since the last build. */
  readonly searchStates: readonly (FileState | null)[];
  readonly tombstones: readonly Tombstone[];
  /** Hashes that more than one host had. */
  readonly sharedHashes: readonly number[];
  readonly notices: readonly NotedNotice[];
  readonly noted: Readonly<Record<"listings" | "scans", NotedFiles>>;
  /**
   * The noted files that need not be read again while their states stay the same. Empty if any file of the
   * snapshot has changed: the store may then be a copy, whose notes file is newer than the states it lists.
   */
  readonly known: Readonly<Record<"listings" | "scans", NotedFiles>>;
}

/** Whether a bucket is kept or rebuilt. */
export type BucketPlan =
  | {
      readonly kept: NamedBucketFiles;
      readonly counts: Manifest["counts"];
      readonly figures: BucketFigures;
      /** The states from before the bucket was checked. */
      readonly states: BucketStates;
    }
  | { readonly kept: null; readonly former: FormerFiles | null };

/** A search file of the last build, with its state from before it was checked. */
export type FormerGroup = { readonly file: StoredFile; readonly state: FileState } | null;

export interface BuildPlan {
  /** How many bits of a host's hash number its bucket. */
  readonly bits: number;
  readonly buckets: readonly BucketPlan[];
  /** By group of buckets, the last build's search file; null if there is none, or if it has other bytes now. */
  readonly groups: readonly FormerGroup[];
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
  const states = manifest.buckets.map((files, bucket) =>
    notedStates(store, files, itemAt(built.buckets, bucket)),
  );
  const searchStates = manifest.search.map(({ file }, group) => {
    const state = fileState(join(store, file));
    return isSameState(built.search[group], state) ? state : null;
  });
  const isTouched = states.includes(null) || searchStates.includes(null);
  const trusted = (files: NotedFiles) =>
    isTouched ? new Map<string, never>() : trustedFiles(store, files);
  return {
    id: built.id,
    documents: built.documents,
    manifest,
    buckets: built.buckets,
    states,
    searchStates,
    tombstones,
    sharedHashes: built.sharedHashes,
    notices: built.notices,
    noted: { listings, scans },
    known: { listings: await trusted(listings), scans: await trusted(scans) },
  };
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
  { bucketSize, signal }: Pick<ReturnType<typeof buildSettings>, "bucketSize" | "signal">,
): Promise<BuildPlan> {
  const bits = bucketBits(published.listingCount, bucketSize);
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
  const groups = await planGroups(store, usable, buckets, orphans);
  const holds = (hash: number) => changed.get(bucketOfHash(hash, bits))?.has(hash) === false;
  return {
    bits,
    buckets,
    groups,
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
  { manifest, buckets, states: noted }: FormerBuild,
  bucket: number,
  changed: ReadonlySet<number>,
  orphans: Iterable<number>,
): Promise<BucketPlan> {
  const files = itemAt(manifest.buckets, bucket);
  if (changed.size > 0) return copyPlan(files, changed, orphans);
  const { reports, searchable, historical, figures } = itemAt(buckets, bucket);
  const states = noted[bucket] ?? (await statesIfWhole(store, files));
  return states === null || figures === undefined
    ? { kept: null, former: null }
    : { kept: files, counts: { reports, searchable, historical }, figures, states };
}

/** Rebuilds a bucket from its former files. The records of orphans are always read. */
function copyPlan(
  files: NamedBucketFiles,
  changed: ReadonlySet<number>,
  orphans: Iterable<number>,
): BucketPlan {
  return { kept: null, former: { files, changed: new Set([...changed, ...orphans]) } };
}

/**
 * Finds the last build's search files that can be used again. If one cannot, copies all of its buckets, because only
 * it has the places of the blocks in their details files.
 * @param buckets a bucket's plan becomes another one if the bucket is copied
 */
async function planGroups(
  store: string,
  former: FormerBuild | null,
  buckets: BucketPlan[],
  orphans: BuildPlan["orphans"],
): Promise<FormerGroup[]> {
  const groups: FormerGroup[] = [];
  for (const [group, file] of former?.manifest.search.entries() ?? []) {
    const members = bucketsIn(group, buckets.length);
    const areKept = members.every((bucket) => itemAt(buckets, bucket).kept !== null);
    const noted = former?.searchStates[group] ?? null;
    // A file that is read for the rows of its kept buckets is checked first, whatever its state.
    const state = noted !== null && areKept ? noted : await stateIfWhole(store, file);
    groups.push(state === null ? null : { file, state });
    if (state !== null) continue;
    for (const bucket of members) {
      const { kept } = itemAt(buckets, bucket);
      if (kept !== null) buckets[bucket] = copyPlan(kept, new Set(), orphans.get(bucket) ?? []);
    }
  }
  return groups;
}
