import { join } from "node:path";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { hostHash, shardBits, shardOf } from "../contract/host.js";
import { itemAt, tableOf } from "../contract/tables.js";
import { type FileState, fileState, isSameState } from "../files/regular.js";
import type { Input } from "../input/input.js";
import { RECORD_KINDS } from "../input/locating/files.js";
import {
  DIGEST_WORDS,
  type FileRecords,
  recordsBetween,
} from "../input/locating/record-columns.js";
import type { HashRange } from "../input/selection.js";
import { type Manifest, segmentFiles } from "../store/format.js";
import { layout, snapshotId, usualSegmentSize } from "../store/layout.js";
import { isWhole, readChecked } from "../store/reader.js";
import { storedJson } from "../store/stored-json.js";
import { Fingerprints, type Tombstone } from "./erasure.js";
import {
  type BuilderNotes,
  documentsDigest,
  type NotedFiles,
  notedFiles,
  trustedFiles,
} from "./notes.js";
import { manifestBytes, readManifest } from "./publish.js";
import type { CompileOrder } from "./segment-work.js";
import { toolDigest } from "./tool.js";

/** The last build's notes, if the same program wrote them and all of its files are whole. */
export interface FormerBuild {
  readonly id: string;
  readonly documents: string;
  readonly manifest: Manifest;
  /** The states of the segments' files, by path. */
  readonly states: ReadonlyMap<string, FileState>;
  readonly fingerprints: Fingerprints;
  readonly figures: Figures;
  readonly tombstones: readonly Tombstone[];
  readonly rereads: readonly number[];
  readonly noted: Readonly<Record<"listings" | "scans", NotedFiles>>;
  /**
   * The noted files that need not be read again while their states stay the same. Empty if any file of the
   * snapshot has changed: the store may then be a copy, whose notes file is newer than the states it lists.
   */
  readonly known: Readonly<Record<"listings" | "scans", NotedFiles>>;
}

export interface BuildPlan extends ChangedHosts {
  /** The last build, whose segments stay; null for a full build. */
  readonly former: FormerBuild | null;
  /** The work that reads and compiles records. */
  readonly orders: readonly Omit<CompileOrder, "write">[];
  /** Tombstones of the last build that still apply. */
  readonly tombstones: readonly Tombstone[];
  /** About how many listings a segment gets. */
  readonly segmentSize: number;
  /** Whether the input is unchanged since the last build, and no withdrawal was lifted. */
  readonly untouched: boolean;
}

/** Reads the notes of the last build. Returns null if there was none, or if its notes or its files cannot be used. */
export async function formerBuild(
  store: string,
  { built, tombstones }: BuilderNotes,
): Promise<FormerBuild | null> {
  if (built === null || built.tool !== toolDigest()) return null;
  const manifest = await readManifest(store, built.id);
  // A damaged manifest may still have the shape of one, so its digest is checked too.
  if (manifest === null || snapshotId(manifestBytes(manifest)) !== built.id) return null;
  const figures = await figuresIn(store, built.id, manifest);
  if (figures === null) return null;
  const notedStates = new Map(built.files.map(({ file, state }) => [file, state]));
  const states = new Map<string, FileState>();
  let isTouched = false;
  for (const file of segmentFiles(manifest.segments)) {
    const known = notedStates.get(file.file);
    const state = fileState(join(store, file.file));
    const isNoted = known !== undefined && isSameState(known, state);
    if (state === null || (!isNoted && !(await isWhole(store, file)))) return null;
    isTouched ||= !isNoted;
    states.set(file.file, state);
  }
  const noted = tableOf(RECORD_KINDS, (kind) => notedFiles(built, kind));
  const trusted = (files: NotedFiles) =>
    isTouched ? new Map<string, never>() : trustedFiles(store, files);
  return {
    id: built.id,
    documents: built.documents,
    manifest,
    states,
    fingerprints: new Fingerprints(built.fingerprints),
    figures,
    tombstones,
    rereads: built.rereads,
    noted,
    known: { listings: await trusted(noted.listings), scans: await trusted(noted.scans) },
  };
}

/** Null if the document is lost or damaged. */
async function figuresIn(store: string, id: string, manifest: Manifest): Promise<Figures | null> {
  const file = manifest.public.find((one) => one.file === FIGURES_DOCUMENT);
  if (file === undefined) return null;
  return readChecked(layout.publicFolder(store, id), file).then(
    (bytes) => storedJson<Figures>(bytes),
    () => null,
  );
}

/** Records that are compared at the same time. */
const COMPARED = 256;

/**
 * Decides what a build reads: everything, or the records of the hosts that have changed since the last build, if that
 * one compiled against the same documents.
 * @param restored hashes of hosts that the last build left out, and that this one compiles although they are unchanged
 */
export function planBuild(
  published: Input,
  former: FormerBuild | null,
  segmentSize: number | undefined,
  restored: ReadonlySet<number>,
): BuildPlan {
  const { listings, scans } = published.located;
  const [ofListings, ofScans] = [listings, scans].map(({ columns }) => [
    recordsBetween(columns, 0, columns.count),
  ]) as [ReturnType<typeof recordsBetween>[], ReturnType<typeof recordsBetween>[]];
  const usable = former?.documents === documentsDigest(published) ? former : null;
  // Every build reads hosts that may have scans but no listing, or that have warnings. Of two hosts that share a
  // hash, one may have a listing and the other none.
  const rereads = new Set([...orphanHashes(ofListings, ofScans), ...(usable?.rereads ?? [])]);
  const untouched = usable !== null && restored.size === 0 && isUntouched(published, usable);
  const found: ChangedHosts = { changed: new Set(restored), lostScans: new Set() };
  if (usable !== null && !untouched) {
    const bits = shardBits(published.listingCount + published.scanCount, COMPARED);
    const after = new RecordTable(ofListings, ofScans, bits);
    const before = new RecordTable(rowsIn(usable.noted.listings), rowsIn(usable.noted.scans), bits);
    for (let shard = 0; shard < 2 ** bits; shard += 1) {
      addChanged(found, before.rowsOf(shard), after.rowsOf(shard));
    }
  }
  const { changed } = found;
  const { selected } = published;
  const hashes = selected?.hashes ?? ALL_HASHES;
  // Chosen hosts get segments of the size that they would have in a build of the whole.
  const count = selected?.listings ?? published.listingCount;
  const size = segmentSize ?? usualSegmentSize(count);
  const most = changed.size * timesIn(hashes);
  const holds = (hash: number) => usable !== null && !changed.has(hash);
  return {
    ...found,
    former: usable,
    orders:
      usable === null
        ? ordersOf(shardBits(count, size), null, rereads, hashes)
        : ordersOf(shardBits(most, size), changed, rereads, hashes),
    segmentSize: size,
    tombstones: (usable?.tombstones ?? []).filter(({ host }) => holds(hostHash(host))),
    untouched,
  };
}

const HASHES = 2 ** 32;
const ALL_HASHES: HashRange = [0, HASHES - 1];

/** How many ranges of this length all hashes have. */
function timesIn([first, last]: HashRange): number {
  return Math.round(HASHES / (last - first + 1));
}

/**
 * Compile orders, each for one range of host hashes.
 * @param changed hashes of the hosts to compile; null for all
 * @param rereads hashes of hosts whose records are read in any case
 * @param hashes the range of the hosts' hashes: orders for other hosts are left out
 */
function ordersOf(
  bits: number,
  changed: ReadonlySet<number> | null,
  rereads: ReadonlySet<number>,
  hashes: HashRange,
): Omit<CompileOrder, "write">[] {
  const [first, last] = hashes;
  const all = Array.from({ length: 2 ** bits }, (_, shard) => shard);
  const shards = all.slice(shardOf(first, bits), shardOf(last, bits) + 1);
  const order = (shard: number, reads: ReadonlySet<number> | null) =>
    ({ kind: "compile", order: shard, shard, bits, changed, reads }) as const;
  if (changed === null) return shards.map((shard) => order(shard, null));
  const reads = all.map(() => new Set<number>());
  for (const hash of [...changed, ...rereads]) reads[shardOf(hash, bits)]?.add(hash);
  return shards
    .filter((shard) => itemAt(reads, shard).size > 0)
    .map((shard) => order(shard, itemAt(reads, shard)));
}

function rowsIn(files: NotedFiles) {
  return Array.from(files.values(), ({ records }) => records);
}

/** Whether all input files are known and none was deleted. */
function isUntouched({ files }: Input, { noted }: FormerBuild): boolean {
  return RECORD_KINDS.every(
    (kind) => files[kind].every(({ known }) => known) && files[kind].length === noted[kind].size,
  );
}

/** Words in a row: the host's hash, the record's kind as a number, and the record's digest. */
const ROW = 2 + DIGEST_WORDS;
const LISTING = 0;
const SCAN = 1;

/**
 * The facts of a build's records that decide its result: one row for each record, grouped by shard. `rowsOf` sorts
 * them, so that their order does not depend on the records' files.
 */
class RecordTable {
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  /** @param bits how many bits of a host's hash number its shard */
  constructor(listings: readonly FileRecords[], scans: readonly FileRecords[], bits: number) {
    const kinds = [
      [LISTING, listings],
      [SCAN, scans],
    ] as const;
    this.#starts = new Uint32Array(2 ** bits + 1);
    for (const [, files] of kinds) {
      for (const { hostHash } of files) {
        for (const hash of hostHash) this.#starts[shardOf(hash, bits) + 1]! += 1;
      }
    }
    for (let shard = 0; shard < 2 ** bits; shard += 1) {
      this.#starts[shard + 1]! += this.#starts[shard]!;
    }
    const next = this.#starts.slice();
    this.#rows = new Uint32Array(ROW * this.#starts.at(-1)!);
    for (const [kind, files] of kinds) {
      for (const { hostHash, digest } of files) {
        for (const [record, hash] of hostHash.entries()) {
          const shard = shardOf(hash, bits);
          const at = ROW * next[shard]!;
          next[shard]! += 1;
          this.#rows[at] = hash;
          this.#rows[at + 1] = kind;
          for (let word = 0; word < DIGEST_WORDS; word += 1) {
            this.#rows[at + 2 + word] = digest[DIGEST_WORDS * record + word]!;
          }
        }
      }
    }
  }

  /** A shard's rows, sorted. */
  rowsOf(shard: number): Rows {
    const rows = this.#rows.subarray(ROW * this.#starts[shard]!, ROW * this.#starts[shard + 1]!);
    const order = Array.from({ length: rows.length / ROW }, (_, row) => ROW * row);
    order.sort((a, b) => compareRows(rows, a, rows, b));
    const sorted = new Uint32Array(rows.length);
    for (const [place, row] of order.entries()) {
      sorted.set(rows.subarray(row, row + ROW), ROW * place);
    }
    return sorted;
  }
}

/** Rows of a shard, sorted. */
export type Rows = Uint32Array;

/** Hosts whose records differ between two builds, by their hashes. */
export interface ChangedHosts {
  readonly changed: Set<number>;
  /** The changed hosts that had a scan record which has changed or left the input. */
  readonly lostScans: Set<number>;
}

/** Adds the hosts of a shard whose records differ. */
function addChanged({ changed, lostScans }: ChangedHosts, before: Rows, after: Rows): void {
  let a = 0;
  let b = 0;
  while (a < before.length || b < after.length) {
    const order =
      a === before.length ? 1 : b === after.length ? -1 : compareRows(before, a, after, b);
    if (order < 0) {
      changed.add(before[a]!);
      if (before[a + 1] === SCAN) lostScans.add(before[a]!);
    }
    if (order > 0) changed.add(after[b]!);
    if (order <= 0) a += ROW;
    if (order >= 0) b += ROW;
  }
}

/** The hashes of hosts that have scans but no listing. */
function orphanHashes(
  listings: readonly FileRecords[],
  scans: readonly FileRecords[],
): Set<number> {
  const listed = new Set<number>();
  for (const { hostHash } of listings) for (const hash of hostHash) listed.add(hash);
  const orphans = new Set<number>();
  for (const { hostHash } of scans) {
    for (const hash of hostHash) if (!listed.has(hash)) orphans.add(hash);
  }
  return orphans;
}

function compareRows(a: Rows, atA: number, b: Rows, atB: number): number {
  for (let word = 0; word < ROW; word += 1) {
    const difference = a[atA + word]! - b[atB + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
