import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type AnswerColumns, joinAnswers } from "../columns/answers.js";
import {
  buildListingPart,
  callTheRoll,
  type LaterPart,
  type ListingPart,
  type RosterOrder,
  TextGatherer,
  type TextPart,
  type Vocabulary,
} from "../engine/engine.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { type ColumnFiles, columnsIn, readColumnFiles } from "../store/column-files.js";
import type { Manifest } from "../store/format.js";
import { checkPackSizes } from "../store/pack-sizes.js";
import { Inbox } from "./inbox.js";

/** What a snapshot's index is made of. */
export interface LoadWork {
  readonly store: string;
  readonly buckets: Manifest["buckets"];
  readonly vocabulary: Vocabulary;
  /** Whether another snapshot answers meanwhile: its requests go first. */
  readonly isAside: boolean;
}

/** What a thread makes of it, and the other thread. */
export interface LoadPart {
  readonly part: "text" | "listings";
  readonly other: MessagePort;
}

/** What the thread of the text part makes first, as plain data. */
export interface LoadedText {
  readonly text: TextPart;
  readonly answers: AnswerColumns;
  readonly rebuilt: Rebuilt | null;
}

/** Columns that were made from the shards, as the stored ones are not this program's. */
export interface Rebuilt {
  /** Of the stored columns. */
  readonly version: number;
  readonly seconds: number;
}

/** The columns of half of the buckets, as one thread hands them to the other. */
interface HalfOfColumns extends ColumnFiles {
  readonly seconds: number;
}

/** What is bad about the snapshot. */
export interface BadLoad {
  readonly bad: string;
}

/** Of 0 to 19: a third of the share of a thread that answers. With less, a busy machine would never load. */
const ASIDE = 5;

// A worker thread's entry: load.ts starts it, twice. Whatever else fails ends the thread with that error.
const { part, other } = workerData as LoadPart;
// Where the other thread has failed, this one ends while it waits: nothing else keeps it.
const inbox = new Inbox(other);
parentPort?.once("message", (work: LoadWork | null) => {
  if (work === null) other.close();
  else void load(work);
});

/**
 * Each thread looks at half of the packs and reads half of the columns' files, and both have all of these: their
 * memory is shared. One calls the roll, for both, while the other counts grams.
 */
async function load(work: LoadWork): Promise<void> {
  if (work.isAside) stepAside();
  try {
    const isText = part === "text";
    const half = halfOf(work.buckets, isText);
    checkPackSizes(work.store, half);
    const start = performance.now();
    const own = readColumnFiles(work.store, half);
    const seconds = (performance.now() - start) / 1_000;
    other.postMessage({ ...own, seconds } satisfies HalfOfColumns);
    const others = await inbox.next<HalfOfColumns>();
    const files = isText ? [...own.files, ...others.files] : [...others.files, ...own.files];
    const columns = columnsIn(files, work.buckets);
    const buckets = columns.map(({ listings }) => listings);
    if (isText) {
      const gatherer = new TextGatherer(buckets);
      const roster = { ...(await inbox.next<RosterOrder>()), buckets };
      const answers = joinAnswers(columns.map((one) => one.answers));
      const version = own.rebuilt ?? others.rebuilt;
      const slower = Math.max(seconds, others.seconds);
      const rebuilt = version === null ? null : { version, seconds: slower };
      reply({ text: gatherer.part(roster), answers, rebuilt });
      // What the first answers wait for goes first.
      await inbox.next();
      reply(gatherer.later(roster));
    } else {
      const roster = callTheRoll(buckets);
      const { buckets: _, ...order } = roster;
      other.postMessage(order satisfies RosterOrder);
      reply(buildListingPart(roster, work.vocabulary));
      other.postMessage("done");
    }
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    reply({ bad: error.message });
  } finally {
    other.close();
  }
}

/** The first or the other half of the buckets, by the bytes of their columns. */
function halfOf(buckets: Manifest["buckets"], isFirst: boolean): Manifest["buckets"] {
  const total = buckets.reduce((sum, { columns }) => sum + columns.bytes, 0);
  let end = 0;
  return buckets.filter(({ columns: { bytes } }) => {
    end += bytes;
    return end <= total / 2 === isFirst;
  });
}

function reply(made: LoadedText | LaterPart | ListingPart | BadLoad): void {
  parentPort?.postMessage(made, [...buffersOf(made)]);
}

/** Leaves the processor to other threads. On Linux priorities are a thread's, elsewhere the whole process'. */
function stepAside(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(ASIDE);
  } catch {
    // Where that is forbidden, requests wait a little longer.
  }
}

/** The buffers of all typed arrays in plain data: they are handed over, not copied. */
function buffersOf(data: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(data)) {
    if (data.buffer instanceof ArrayBuffer) found.add(data.buffer);
  } else if (typeof data === "object" && data !== null) {
    for (const value of Object.values(data)) buffersOf(value, found);
  }
  return found;
}
