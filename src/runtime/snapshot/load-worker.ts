import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import {
  buildListingPart,
  type ListingPart,
  type RankingOrder,
  rankListings,
  type Vocabulary,
} from "../../engine/engine.js";
import { GramGatherer, type Postings } from "../../engine/text/gram-sets.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { columnsIn, readColumnFiles } from "../../store/column-files.js";
import { type AnswerColumns, joinAnswers } from "../../store/columns/answers.js";
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
}

/** The part that the text thread makes, as plain data. */
export interface LoadedText {
  readonly postings: Postings;
  readonly answers: AnswerColumns;
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
/** Makes this thread's part, or says why the snapshot is bad. */
async function load(): Promise<void> {
  if (work.isAside) stepAside();
  try {
    await makePart();
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
 */
async function makePart(): Promise<void> {
  const isText = work.part === "text";
  const { half, otherHalf, first } = halvesOf(work.buckets, isText);
  checkPackSizes(work.store, half);
  const files = readColumnFiles(work.store, half);
  const ownColumns = columnsIn(files, half, { first, total: work.buckets.length });
  other.postMessage(files);
  const otherColumns = columnsIn(await inbox.next<Uint8Array[]>(), otherHalf);
  const columns = isText ? [...ownColumns, ...otherColumns] : [...otherColumns, ...ownColumns];
  const buckets = columns.map(({ listings }) => listings);
  if (isText) {
    const gatherer = new GramGatherer(buckets);
    const ranking = { ...(await inbox.next<RankingOrder>()), buckets };
    const answers = joinAnswers(columns.map((one) => one.answers));
    reply({ postings: gatherer.finish(ranking), answers });
  } else {
    const ranking = rankListings(buckets);
    const { buckets: _, ...order } = ranking;
    other.postMessage(order satisfies RankingOrder);
    reply(buildListingPart(ranking, work.vocabulary));
  }
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

function reply(made: LoadedText | ListingPart | BadLoad): void {
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
