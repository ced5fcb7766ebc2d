import type { DirectoryContext } from "../compile/directory.js";
import type { Figures } from "../contract/figures.js";
import { hostHash, shardBits } from "../contract/host.js";
import { inParallel, itemAt } from "../contract/tables.js";
import type { Input } from "../input/input.js";
import { type OnProgress, PHASES, type Phase } from "../lib/options.js";
import type { Segment, SnapshotCounts } from "../store/format.js";
import { usualSegmentSize } from "../store/layout.js";
import { segmentsIn } from "../store/reader.js";
import type { DirectoryEntry } from "../store/segments/directory.js";
import type { ListingRow } from "../store/snapshot-reader.js";
import type { StoredSegments } from "../store/stored-segments.js";
import { CountedListings, Tally } from "../store/tally.js";
import { type Crew, crewOf } from "./crew.js";
import { erases, Fingerprints, type Tombstone } from "./erasure.js";
import type { BuildPlan, FormerBuild } from "./plan.js";
import {
  type BuildWork,
  type CompileOrder,
  type CopyOrder,
  type SegmentOrder,
  type SegmentOutcome,
  SegmentWork,
} from "./segment-work.js";

export interface SegmentsOptions {
  readonly store: string;
  readonly jobs: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: OnProgress | undefined;
  /** Throws if the input has errors, which ends the build. */
  throwIfBad(): void;
}

type SegmentCrew = Crew<SegmentOrder, SegmentOutcome>;

/** All segments of a build, in the store. */
export interface DoneSegments {
  /** Oldest first. */
  readonly segments: readonly Segment[];
  /** How many of them are reused from the last build. */
  readonly kept: number;
  readonly counts: SnapshotCounts;
  readonly figures: Figures;
  readonly fingerprints: Fingerprints;
  readonly tombstones: readonly Tombstone[];
  /** Null after a full build. */
  readonly former: FormerEntries | null;
}

/** The last build, with the entries that were read, by host, so that their tables need not be read again. */
export interface FormerEntries {
  readonly id: string;
  readonly entries: ReadonlyMap<string, DirectoryEntry>;
  /** Whether some of its answers may not stay in any file. */
  readonly hasErased: boolean;
}

/**
 * Compiles changed listings into new segments, erases former answers that may not stay, and tidies up. After the first
 * error in the input it stops writing, but reads on to find all errors.
 */
export async function doSegments(
  published: Input,
  context: DirectoryContext,
  plan: BuildPlan,
  options: SegmentsOptions,
): Promise<DoneSegments> {
  const { store, jobs, signal } = options;
  if (plan.orders.length === 0) return unchanged(plan);
  const crew = segmentCrew(Math.min(jobs, plan.orders.length), {
    published: published.located,
    target: { store, context },
  });
  try {
    const outcomes = await compileAll(published, crew, plan.orders, PHASES.compiling, options);
    options.throwIfBad();
    signal?.throwIfAborted();
    const sum = sumOf(outcomes);
    const made = { ...sum, tombstones: [...plan.tombstones, ...sum.tombstones] };
    if (plan.former === null) return { ...made, kept: 0, former: null };
    if (plan.changed.size === 0) return unchanged(plan);
    const size = plan.segmentSize;
    const copy = (orders: readonly CopyOrder[]) => runAll(crew, orders, signal);
    return await joinSegments({ store, context, plan, former: plan.former, made, size, copy });
  } finally {
    await crew.close();
  }
}

function unchanged({ former, tombstones }: BuildPlan): DoneSegments {
  if (former === null) throw new TypeError("a full build has orders");
  const { segments, counts } = former.manifest;
  return {
    segments,
    kept: segments.length,
    counts,
    figures: former.figures,
    fingerprints: former.fingerprints,
    tombstones,
    former: { id: former.id, entries: new Map(), hasErased: false },
  };
}

/**
 * Reads every record only to find errors.
 * @returns figures that count nothing but the scores of the listings that would be in search
 */
export async function readAll(
  published: Input,
  options: Pick<SegmentsOptions, "jobs" | "signal" | "onProgress">,
): Promise<Figures> {
  const bits = shardBits(published.listingCount, usualSegmentSize(published.listingCount));
  const orders = Array.from(
    { length: 2 ** bits },
    (_, shard) =>
      ({ kind: "compile", order: shard, shard, bits, reads: null, changed: null }) as const,
  );
  const crew = segmentCrew(Math.min(options.jobs, orders.length), {
    published: published.located,
    target: null,
  });
  try {
    const outcomes = await compileAll(published, crew, orders, PHASES.checking, options);
    return sumOf(outcomes).figures;
  } finally {
    await crew.close();
  }
}

/** Has a crew read and compile, and collects its findings. @returns the outcomes in the order of the orders */
async function compileAll(
  published: Input,
  crew: SegmentCrew,
  orders: readonly Omit<CompileOrder, "write">[],
  phase: Phase,
  { signal, onProgress }: Pick<SegmentsOptions, "signal" | "onProgress">,
): Promise<SegmentOutcome[]> {
  let done = 0;
  onProgress?.(done, orders.length, phase);
  return inParallel(orders, crew.lanes, async (order) => {
    signal?.throwIfAborted();
    const run = await crew.run({ ...order, write: published.findings.problems.count === 0 });
    published.findings.receive(run.findings);
    done += 1;
    onProgress?.(done, orders.length, phase);
    return run;
  });
}

async function runAll(
  crew: SegmentCrew,
  orders: readonly CopyOrder[],
  signal: AbortSignal | undefined,
): Promise<Segment[]> {
  const outcomes = await inParallel(orders, crew.lanes, async (order) => {
    signal?.throwIfAborted();
    return crew.run(order);
  });
  return outcomes.flatMap(({ segments }) => segments);
}

function segmentCrew(jobs: number, work: BuildWork): SegmentCrew {
  const worker = new URL("./segment-worker.js", import.meta.url);
  return crewOf(jobs, worker, work, () => new SegmentWork(work));
}

/** Segments that were made together, with what was counted and noted of their listings. */
export interface MadeSegments extends Omit<DoneSegments, "kept" | "former"> {}

/** Adds up what was made together, such as by the orders of a build. */
export function sumOf(
  made: readonly (Omit<MadeSegments, "fingerprints"> & { readonly fingerprints: Uint32Array })[],
): MadeSegments {
  const tally = new Tally();
  const counts = { reports: 0, searchable: 0, historical: 0 };
  for (const { figures, counts: more } of made) {
    tally.addFigures(figures);
    counts.reports += more.reports;
    counts.searchable += more.searchable;
    counts.historical += more.historical;
  }
  return {
    segments: made.flatMap(({ segments }) => segments),
    counts,
    figures: tally.figures(),
    fingerprints: new Fingerprints(
      joinedColumn(
        Uint32Array,
        made.map(({ fingerprints }) => fingerprints),
      ),
    ),
    tombstones: made.flatMap(({ tombstones }) => tombstones),
  };
}

/** The numbers of all columns, one after the other. */
export function joinedColumn<C extends Uint32Array | Float64Array>(
  Column: new (length: number) => C,
  columns: readonly C[],
): C {
  const all = new Column(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/*
 * Joins the new segments of a build with those of the last one. The former row of a changed listing stays behind, dead.
 * If it must not stay, its segment is rewritten without it. Other segments are rewritten to tidy up
 * (`segmentsToRewrite`).
 */

interface Join {
  readonly store: string;
  readonly context: DirectoryContext;
  readonly plan: BuildPlan;
  readonly former: FormerBuild;
  readonly made: MadeSegments;
  /** Listings in a full segment. */
  readonly size: number;
  copy(orders: readonly CopyOrder[]): Promise<Segment[]>;
}

/** @throws BadSnapshotError if a file of the last build is damaged; StoreWriteError */
async function joinSegments(join: Join): Promise<DoneSegments> {
  const { store, context, plan, former, made, size } = join;
  const before = segmentsIn(store, former.manifest.segments, context);
  const gone = await goneEntries(before, plan.changed);
  const added = await entriesIn(segmentsIn(store, made.segments, context));
  const erased = erasedHashes(join, gone, added);
  const parts = await formerParts(before, plan.changed, erased);
  const rewritten = segmentsToRewrite(parts, size);
  const kept = parts
    .filter((part) => !rewritten.has(part))
    .map(({ segment, live }) => ({ ...segment, live: live.length }));
  const copied = await join.copy(copyOrders([...rewritten], size));
  // A host's last row counts, so copies come after the dead rows of kept segments, and before new rows.
  const segments = [...kept, ...copied, ...made.segments];
  return {
    segments,
    kept: kept.length,
    counts: countsAfter(former.manifest.counts, [...gone.values()], made.counts),
    figures: await figuresAfter(join, [...gone.values()], segments),
    fingerprints: former.fingerprints.with(plan.changed, made.fingerprints.words),
    tombstones: made.tombstones,
    former: { id: former.id, entries: gone, hasErased: erased.size > 0 },
  };
}

/** A segment of the last build. */
interface FormerPart extends SegmentState {
  readonly number: number;
  readonly segment: Segment;
  /** The hashes of all hosts in its directory, and the rows that stay live. */
  readonly hashes: Uint32Array;
  readonly live: Uint32Array;
}

async function formerParts(
  before: StoredSegments,
  changed: ReadonlySet<number>,
  erased: ReadonlySet<number>,
): Promise<FormerPart[]> {
  const directories = await before.directories();
  const allLive = await before.live();
  return before.segments.map((segment, number) => {
    const { hashes } = itemAt(directories, number);
    const live = itemAt(allLive, number).filter((row) => !changed.has(hashes[row]!));
    return {
      number,
      segment,
      hashes,
      live,
      listings: segment.listings,
      liveListings: live.length,
      isErased: erased.size > 0 && hashes.some((hash) => erased.has(hash)),
    };
  });
}

/** Copies the live rows of segments into as few new ones as they need, in the order of their hashes. */
function copyOrders(parts: readonly FormerPart[], size: number): CopyOrder[] {
  const rows = parts.flatMap(({ number, hashes, live }) =>
    Array.from(live, (row) => ({ number, row, hash: hashes[row]! })),
  );
  rows.sort((a, b) => a.hash - b.hash || a.number - b.number || a.row - b.row);
  return evenParts(rows, size).map((some, order) => {
    const sources = parts.flatMap(({ number, segment }) => {
      const own = some.filter((one) => one.number === number).map(({ row }) => row);
      return own.length === 0 ? [] : [{ segment, rows: Uint32Array.from(own) }];
    });
    return { kind: "copy", order, sources };
  });
}

/** The live entries of the last build whose hosts have changed, by host. */
async function goneEntries(
  before: StoredSegments,
  changed: ReadonlySet<number>,
): Promise<Map<string, DirectoryEntry>> {
  const rows: ListingRow[] = [];
  for (const [segment, live] of (await before.live()).entries()) {
    const { hashes } = await before.directory(segment);
    for (const row of live) if (changed.has(hashes[row]!)) rows.push({ segment, row });
  }
  return before.entriesAt(rows);
}

/** All live entries, by host. */
async function entriesIn(set: StoredSegments): Promise<Map<string, DirectoryEntry>> {
  const all = new Map<string, DirectoryEntry>();
  for (const segment of set.segments.keys())
    for (const entry of await set.entries(segment)) all.set(entry.host, entry);
  return all;
}

/** The hashes of hosts whose former answers may not stay in any file. */
function erasedHashes(
  { plan, former, made }: Join,
  gone: ReadonlyMap<string, DirectoryEntry>,
  added: ReadonlyMap<string, DirectoryEntry>,
): Set<number> {
  const erased = new Set<number>();
  for (const hash of plan.changed) {
    const isErased =
      plan.lostScans.has(hash) || erases(former.fingerprints.of(hash), made.fingerprints.of(hash));
    if (isErased) erased.add(hash);
  }
  for (const [host, entry] of gone)
    if (showsLess(entry, added.get(host))) erased.add(hostHash(host));
  return erased;
}

/** Whether a listing is gone, newly withheld, or back at an older scan. */
function showsLess({ search }: DirectoryEntry, after: DirectoryEntry | undefined): boolean {
  if (after === undefined) return true;
  if (search === null) return false;
  return after.search === null || after.search.recent < search.recent;
}

function countsAfter(
  before: SnapshotCounts,
  gone: readonly DirectoryEntry[],
  made: SnapshotCounts,
): SnapshotCounts {
  const searchable = gone.filter(({ search }) => search !== null).length;
  const historical = gone.reduce((sum, entry) => sum + entry.historical.length, 0);
  return {
    reports: before.reports - gone.length + made.reports,
    searchable: before.searchable - searchable + made.searchable,
    historical: before.historical - historical + made.historical,
  };
}

/** The figures of the last build, without the former entries of changed listings and with the new ones. */
async function figuresAfter(
  { store, context, former, made }: Join,
  gone: readonly DirectoryEntry[],
  segments: readonly Segment[],
): Promise<Figures> {
  const { version } = context.standards.rubric;
  const tally = new Tally();
  tally.addFigures(former.figures);
  for (const entry of gone) tally.addListing(entry, version, -1);
  tally.addFigures(made.figures);
  const figures = tally.figures();
  const isLastGone = tally.isLastUnsure && figures.lastScannedAt === former.figures.lastScannedAt;
  if (!isLastGone || made.figures.lastScannedAt === figures.lastScannedAt) return figures;
  const counted = await CountedListings.of(segmentsIn(store, segments, context), version);
  return counted.tally.figures();
}

/*
 * Besides the segments that it erases from, a build rewrites segments that are mostly dead, and joins small ones once
 * there are many. So its work, averaged over builds, is at most a constant times what has changed.
 */

/** A segment with fewer live listings than this share of a full one is small. */
const SMALL = 1 / 2;
/** Small segments that may be in a store before they are joined. */
const SMALL_MAX = 8;

/** A segment of the last build, after the changes since. */
export interface SegmentState {
  /** All of its listings, dead ones too. */
  readonly listings: number;
  readonly liveListings: number;
  /** Whether it has a row, live or dead, that may not stay. */
  readonly isErased: boolean;
}

/** @param size listings in a full segment */
export function segmentsToRewrite<S extends SegmentState>(
  segments: readonly S[],
  size: number,
): Set<S> {
  const isDue = ({ listings, liveListings, isErased }: S) =>
    isErased || 2 * liveListings < listings;
  const due = new Set(segments.filter(isDue));
  const isSmall = (one: S) => !due.has(one) && one.liveListings < SMALL * size;
  const small = segments.filter(isSmall);
  if (small.length > SMALL_MAX) for (const one of small) due.add(one);
  return due;
}

/** Divides rows evenly among as few new segments as they need, in their order. */
export function evenParts<R>(rows: readonly R[], size: number): R[][] {
  const count = Math.ceil(rows.length / size);
  const each = Math.ceil(rows.length / Math.max(1, count));
  return Array.from({ length: count }, (_, part) => rows.slice(part * each, (part + 1) * each));
}
