import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import {
  buildListingPart,
  type ListingPart,
  type RankingOrder,
  rankListings,
} from "../../engine/engine.js";
import { GramGatherer, type Postings } from "../../engine/text/gram-sets.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import type { ListingColumns } from "../../store/columns/listings.js";
import type { Manifest, Segment } from "../../store/format.js";
import { checkPackSizes } from "../../store/packs/pack-sizes.js";
import type { AnswerColumns } from "../../store/segments/answer-table.js";
import { liveRows } from "../../store/segments/live.js";
import { withGrams } from "../../store/segments/rows.js";
import { checking, readAnswers, readStoredTable } from "../../store/segments/set.js";
import { Inbox } from "./inbox.js";

/** The part that a thread makes, and the files that it makes it from. */
export interface LoadWork {
  readonly part: "text" | "listings";
  /** The channel to the other thread. */
  readonly other: MessagePort;
  readonly store: string;
  readonly segments: readonly Segment[];
  readonly vocabulary: Manifest["vocabulary"];
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
 * Each thread reads the tables of half of the segments. They tell each other the hosts, as of a host in several segments
 * only the last row counts, then the rows. One thread numbers the listings for both, while the other counts grams.
 */
async function makePart(): Promise<void> {
  const { store, segments, vocabulary } = work;
  const isText = work.part === "text";
  const half = halfOf(segments);
  const [own, others] = isText
    ? [segments.slice(0, half), segments.slice(half)]
    : [segments.slice(half), segments.slice(0, half)];
  checkPackSizes(store, own);
  const tables = own.map((segment) => readStoredTable(store, segment));
  const hosts = tables.map((table) => table.hosts);
  other.postMessage(hosts);
  const otherHosts = await inbox.next<string[][]>();
  const live = liveRows(isText ? [...hosts, ...otherHosts] : [...otherHosts, ...hosts]);
  const first = isText ? 0 : others.length;
  const rows = tables.map((table, number) =>
    checking(own[number]!.table.file, () =>
      withGrams(table.rows(vocabulary, live[first + number]!)),
    ),
  );
  other.postMessage(isText ? rows.map(({ grams, ...rest }) => rest) : rows.map(textOf));
  const otherRows = await inbox.next<ListingColumns[]>();
  const all = isText ? [...rows, ...otherRows] : [...otherRows, ...rows];
  if (isText) {
    const gatherer = new GramGatherer(all);
    const ranking = { ...(await inbox.next<RankingOrder>()), buckets: all };
    const postings = gatherer.finish(ranking);
    reply({ postings, answers: readAnswers(store, segments) });
  } else {
    const ranking = rankListings(all);
    const { buckets: _, ...order } = ranking;
    other.postMessage(order satisfies RankingOrder);
    reply(buildListingPart(ranking, vocabulary));
  }
}

/** What of a segment's rows the text thread needs. */
function textOf({ size, units, fields, grams }: ListingColumns) {
  return { size, units, fields, grams };
}

/** How many segments from the first have half of all rows. */
function halfOf(segments: readonly Segment[]): number {
  const total = segments.reduce((sum, { rows }) => sum + rows, 0);
  let end = 0;
  let half = 0;
  for (const { rows } of segments) {
    end += rows;
    if (end > total / 2) break;
    half += 1;
  }
  return half;
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
