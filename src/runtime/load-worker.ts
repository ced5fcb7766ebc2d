import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type AnswerColumns, joinAnswers } from "../columns/answers.js";
import {
  buildListingPart,
  buildTextPart,
  callTheRoll,
  type ListingPart,
  type Roster,
  type TextPart,
  type Vocabulary,
} from "../engine/engine.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { columnsIn, readColumnFiles } from "../store/column-files.js";
import type { Manifest } from "../store/format.js";

/** What a snapshot's index is made of. */
export interface LoadWork {
  readonly store: string;
  readonly buckets: Manifest["buckets"];
  readonly vocabulary: Vocabulary;
  /** Whether another snapshot answers meanwhile: its requests go first. */
  readonly isAside: boolean;
}

/** What a thread makes of it, and where it gets the files' bytes from, or sends them to. */
export interface LoadPart extends LoadWork {
  readonly part: "text" | "listings";
  readonly files: MessagePort;
}

/** All of a snapshot that is held in memory but for the postings, as plain data. */
export interface LoadedListings {
  readonly listings: ListingPart;
  readonly answers: AnswerColumns;
}

/** What one thread tells the other: the files' bytes, shared, and the roster, whose buckets are in them. */
interface ReadFiles {
  readonly files: readonly Uint8Array[];
  readonly roster: Roster;
}

/** What is bad about the snapshot. */
export interface BadLoad {
  readonly bad: string;
}

/** Of 0 to 19: a third of the share of a thread that answers. With less, a busy machine would never load. */
const ASIDE = 5;

// A worker thread's entry: load.ts starts it, twice. Whatever else fails ends the thread with that error.
const work = workerData as LoadPart;
if (work.isAside) stepAside();
if (work.part === "text") {
  reply(() => {
    const files = readColumnFiles(work.store, work.buckets);
    const columns = columnsIn(files, work.buckets);
    const roster = callTheRoll(columns.map(({ listings }) => listings));
    work.files.postMessage({ files, roster: { ...roster, buckets: [] } } satisfies ReadFiles);
    return buildTextPart(roster);
  });
} else {
  work.files.once("message", ({ files, roster }: ReadFiles) => {
    reply(() => {
      const columns = columnsIn(files, work.buckets);
      const buckets = columns.map(({ listings }) => listings);
      return {
        listings: buildListingPart({ ...roster, buckets }, work.vocabulary),
        answers: joinAnswers(columns.map(({ answers }) => answers)),
      };
    });
  });
}

function reply(make: () => TextPart | LoadedListings): void {
  let made: TextPart | LoadedListings | BadLoad;
  try {
    made = make();
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    made = { bad: error.message };
  }
  parentPort?.postMessage(made, [...buffersOf(made)]);
  work.files.close();
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
