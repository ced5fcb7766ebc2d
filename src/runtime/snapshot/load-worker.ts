import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import {
  buildListingPart,
  callTheRoll,
  type ListingPart,
  type RosterOrder,
  type Vocabulary,
} from "../../engine/engine.js";
import { GramGatherer, type Postings } from "../../engine/text/gram-sets.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import {
  type BucketRange,
  type ColumnFiles,
  columnsIn,
  inSharedMemory,
  readColumnFiles,
} from "../../store/column-files.js";
import { type AnswerColumns, joinAnswers } from "../../store/columns/answers.js";
import type { BucketColumns } from "../../store/columns/columns.js";
import type { BucketNames } from "../../store/format.js";
import { checkPackSizes } from "../../store/packs/pack-sizes.js";
import { Inbox } from "./inbox.js";

/** The part that a thread makes, and the files that it makes it from. */
export interface LoadWork {
  readonly part: "text" | "listings";
  /** The channel to the other thread. */
  readonly other: MessagePort;
  readonly store: string;
  readonly buckets: readonly BucketNames[];
  readonly vocabulary: Vocabulary;
  /** Whether another snapshot answers meanwhile. Its requests take priority. */
  readonly isAside: boolean;
  /** Keys of buckets (`bucketKey`) whose columns are known to match their shards. */
  readonly compared: ReadonlySet<string>;
}

/** The part that the text thread makes, as plain data. */
export interface LoadedText {
  readonly postings: Postings;
  readonly answers: AnswerColumns;
  readonly rebuilt: Rebuilt | null;
}

/** Columns that were rebuilt from the shards, because the stored ones have another version than this program's. */
export interface Rebuilt {
  /** The version of the stored columns. */
  readonly version: number;
  readonly seconds: number;
}

/** The columns of half of the buckets, as one thread sends them to the other. */
interface HalfOfColumns extends ColumnFiles {
  readonly seconds: number;
  readonly compared: Compared;
}

/**
 * How the columns of buckets compare with their shards. If another snapshot answers meanwhile, the comparison comes
 * first, and columns rebuilt from the shards replace those that differ. At a start the comparison comes last.
 */
export interface Compared {
  /** Keys of buckets whose columns match their shards. */
  readonly same: readonly string[];
  /** Column files that differ from their shards. */
  readonly different: readonly string[];
}

/** The reason why the snapshot is bad. */
export interface BadLoad {
  readonly bad: string;
}

/**
 * A niceness from 0 to 19. At 5 the thread gets a third of the share of a thread that answers. With a smaller share, a
 * busy machine would never finish a load.
 */
const ASIDE = 5;

// The entry of a worker thread; load.ts starts two of them. The work begins at the end of this file.
const { other, ...work } = workerData as LoadWork;
// If the other thread fails, this one ends while it waits for a message: nothing else keeps it alive.
const inbox = new Inbox(other);
/** Makes this thread's part. The thread that makes the listings then reports how the columns compare with the shards. */
async function load(): Promise<void> {
  const { part, buckets, isAside } = work;
  if (isAside) stepAside();
  try {
    const compared = await makePart();
    if (part === "text") {
      other.postMessage("done");
      return;
    }
    // At a start the comparison comes last, once everything that answers is loaded. By then the columns are free.
    await inbox.next();
    if (!isAside) stepAside();
    reply(isAside ? compared : await compare(buckets));
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    reply({ bad: error.message });
  } finally {
    other.close();
  }
}

/**
 * Each thread checks the pack sizes of half of the buckets, and reads and checks their columns. Both threads then have
 * all columns, in shared memory. One thread numbers the listings for both, while the other counts grams.
 * @returns how the columns compare with their shards, if another snapshot answers meanwhile
 */
async function makePart(): Promise<Compared> {
  const isText = work.part === "text";
  const { half, otherHalf, first } = halvesOf(work.buckets, isText);
  checkPackSizes(work.store, half);
  const range = { first, total: work.buckets.length };
  const { ownColumns, ...own } = await readHalf(half, range);
  other.postMessage(own satisfies HalfOfColumns);
  const others = await inbox.next<HalfOfColumns>();
  const otherColumns = columnsIn(others.files, otherHalf);
  const columns = isText ? [...ownColumns, ...otherColumns] : [...otherColumns, ...ownColumns];
  const buckets = columns.map(({ listings }) => listings);
  if (isText) {
    const gatherer = new GramGatherer(buckets);
    const roster = { ...(await inbox.next<RosterOrder>()), buckets };
    const answers = joinAnswers(columns.map((one) => one.answers));
    const version = own.rebuilt ?? others.rebuilt;
    const slower = Math.max(own.seconds, others.seconds);
    const rebuilt = version === null ? null : { version, seconds: slower };
    reply({ postings: gatherer.finish(roster), answers, rebuilt });
  } else {
    const roster = callTheRoll(buckets);
    const { buckets: _, ...order } = roster;
    other.postMessage(order satisfies RosterOrder);
    reply(buildListingPart(roster, work.vocabulary));
  }
  return joinCompared(own.compared, others.compared);
}

/**
 * Reads and checks the columns of half of the buckets. If another snapshot answers meanwhile, rebuilds columns that
 * differ from their shards.
 */
async function readHalf(
  half: readonly BucketNames[],
  range: BucketRange,
): Promise<HalfOfColumns & { readonly ownColumns: readonly BucketColumns[] }> {
  const start = performance.now();
  const { files, rebuilt } = await readColumnFiles(work.store, half);
  const seconds = (performance.now() - start) / 1_000;
  const ownColumns = columnsIn(files, half, range);
  if (!work.isAside) return { files, rebuilt, seconds, compared: NOTHING_COMPARED, ownColumns };
  const compared = await compare(half);
  if (compared.different.length > 0) {
    const { rebuildColumns } = await import("../../store/column-rebuild.js");
    for (const [place, bucket] of half.entries()) {
      if (!compared.different.includes(bucket.columns.file)) continue;
      files[place] = inSharedMemory(rebuildColumns(work.store, bucket));
      const own = { ...range, first: range.first + place };
      ownColumns.splice(place, 1, ...columnsIn([files[place]], [bucket], own));
    }
  }
  return { files, rebuilt, seconds, compared, ownColumns };
}

const NOTHING_COMPARED: Compared = { same: [], different: [] };

/** Compares the columns of buckets with their shards, except those that were compared before. */
async function compare(buckets: readonly BucketNames[]): Promise<Compared> {
  const { store, compared } = work;
  const keys = buckets.map(bucketKey);
  const same = keys.filter((key) => compared.has(key));
  if (same.length === buckets.length) return { same, different: [] };
  // Imported only when needed: making the schema of shards takes as long as loading many a small snapshot.
  const { compareWithShard } = await import("../../store/column-rebuild.js");
  const different: string[] = [];
  for (const [place, bucket] of buckets.entries()) {
    const key = keys[place]!;
    if (compared.has(key)) continue;
    const found = compareWithShard(store, bucket);
    if (found === "same") same.push(key);
    if (found === "different") different.push(bucket.columns.file);
  }
  return { same, different };
}

function joinCompared(one: Compared, other: Compared): Compared {
  return {
    same: [...one.same, ...other.same],
    different: [...one.different, ...other.different],
  };
}

/** Identifies a bucket's columns and its shard by their content. */
function bucketKey({ columns, shard }: BucketNames): string {
  return `${columns.sha256} ${shard.sha256}`;
}

/**
 * Splits the buckets in two halves by the bytes of their columns.
 * @returns the first or the second half, the other one, and the number of the half's first bucket
 */
function halvesOf(buckets: readonly BucketNames[], isFirst: boolean) {
  const total = buckets.reduce((sum, { columns }) => sum + columns.bytes, 0);
  let end = 0;
  let firsts = 0;
  for (const { columns } of buckets) {
    end += columns.bytes;
    if (end > total / 2) break;
    firsts += 1;
  }
  const [one, other] = [buckets.slice(0, firsts), buckets.slice(firsts)];
  return isFirst
    ? { half: one, otherHalf: other, first: 0 }
    : { half: other, otherHalf: one, first: firsts };
}

function reply(made: LoadedText | ListingPart | Compared | BadLoad): void {
  parentPort?.postMessage(made, [...buffersOf(made)]);
}

/**
 * Lowers the priority of this thread, for the sake of other threads. Only on Linux: elsewhere a priority belongs to the
 * whole process.
 */
function stepAside(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(ASIDE);
  } catch {
    // If the system forbids it, requests wait a little longer.
  }
}

/** Collects the buffers of all typed arrays in plain data, to transfer them without a copy. */
function buffersOf(data: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(data)) {
    if (data.buffer instanceof ArrayBuffer) found.add(data.buffer);
  } else if (typeof data === "object" && data !== null) {
    for (const value of Object.values(data)) buffersOf(value, found);
  }
  return found;
}

// An error that `load` does not handle ends the thread.
void load();
