import type { DirectoryContext } from "../compile/directory.js";
import type { Figures } from "../contract/figures.js";
import { hostHash } from "../contract/host.js";
import { itemAt } from "../contract/tables.js";
import type { Segment, SnapshotCounts } from "../store/format.js";
import { segmentsIn } from "../store/reader.js";
import type { DirectoryEntry } from "../store/segments/directory.js";
import type { ListingRow, StoredSegments } from "../store/snapshot-reader.js";
import { CountedListings, Tally } from "../store/tally.js";
import { erases } from "./erasure.js";
import type { BuildPlan, FormerBuild } from "./plan.js";
import type { CopyOrder } from "./segment-work.js";
import type { DoneSegments, MadeSegments } from "./segments.js";
import { evenParts, type SegmentState, segmentsToRewrite } from "./tidying.js";

/*
 * Joins the new segments of a build with those of the last one. The former row of a changed listing stays behind, dead.
 * If it must not stay, its segment is rewritten without it. Other segments are rewritten to tidy up (tidying.ts).
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
export async function joinSegments(join: Join): Promise<DoneSegments> {
  const { store, context, plan, former, made, size } = join;
  const before = segmentsIn(store, former.manifest.segments, context);
  const gone = await goneEntries(before, plan.changed);
  const added = await entriesIn(segmentsIn(store, made.segments, context));
  const parts = await formerParts(before, plan.changed, erasedHashes(join, gone, added));
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
    marks: former.marks.with(plan.changed, made.marks.words),
    tombstones: made.tombstones,
    former: { id: former.id, entries: gone },
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
    const isErased = plan.lostScans.has(hash) || erases(former.marks.of(hash), made.marks.of(hash));
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
