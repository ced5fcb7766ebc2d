import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Count } from "../contract/field.js";
import { tableOf } from "../contract/tables.js";
import { disk, StoreWriteError } from "../files/disk.js";
import { codeOf, hasCode } from "../files/errors.js";
import { FileState, fileState, fillSync, openRegularSync } from "../files/regular.js";
import type { Input } from "../published/input.js";
import { RECORD_KINDS, type RecordKind } from "../published/locating/files.js";
import type { KnownFile } from "../published/locating/locate.js";
import {
  DIGEST_WORDS,
  type FileRecords,
  recordsBetween,
} from "../published/locating/record-columns.js";
import { InputFacts } from "../published/share.js";
import { type Segment, Sha256, SnapshotId, segmentFiles } from "../store/format.js";
import { layout, sha256 } from "../store/layout.js";
import { currentId } from "../store/reader.js";
import { Remembered, Tombstone } from "./erasure.js";
import type { DoneSegments } from "./segments.js";
import { toolDigest } from "./tool.js";

/** An input file, with the number of its records. The columns have the records in the order of the files. */
const InputFile = z.strictObject({ name: z.string(), state: FileState, records: Count });

/** A file of a segment, with its state when the build ended. */
const NotedFile = z.strictObject({ file: z.string(), state: FileState });

/** What the last build did, so that the next one processes only what changed. The columns are stored separately. */
const Built = z.strictObject({
  id: SnapshotId,
  /** Which part of an input it was built from, if it was not the whole. */
  part: z.strictObject({ number: Count, count: Count, whole: InputFacts }).optional(),
  /** Digest of the program that built the snapshot. */
  tool: Sha256,
  /** Digest of directory.json, standards.json and taxonomy.json. */
  documents: Sha256,
  /** Hashes of hosts that the next build reads again to repeat their warnings. */
  rereads: z.array(Count),
  files: z.array(NotedFile),
  listings: z.array(InputFile),
  scans: z.array(InputFile),
  /** `MARK_WORDS` for each mark. */
  markWords: Count,
});

/** The last build according to the notes. */
export interface Built extends Omit<z.infer<typeof Built>, "markWords"> {
  /** Marks of all listings (`erasure.ts`). */
  readonly marks: Uint32Array;
  readonly records: Readonly<Record<RecordKind, FileRecords>>;
}

/** The last rollback. The entry counts only while the rollback's snapshot is current. */
const RolledBack = z.strictObject({
  snapshot: SnapshotId,
  /** The snapshot that the rollback went back to. */
  former: SnapshotId,
  /** The snapshots that a further rollback can go back to, oldest first. */
  earlier: z.array(SnapshotId),
  /** Whether the rollback left out listings that one with `restoreMissing` to the same snapshot brings back. */
  leftMissing: z.boolean().default(false),
  /** Whether a build has ended since. A rollback may publish the very snapshot that was built last. */
  isOver: z.boolean().default(false),
});

/** The format of the notes. Notes in another format are ignored, and the next build is a full one. */
const NOTES_FORMAT = 3;

/** `.notes`: the builder's notes without their columns. Readers of the store do not need them. */
const NotesObject = z.strictObject({
  format: z.literal(NOTES_FORMAT),
  /** Ids in the order of their publication, oldest first. Each id appears once, at its latest publication. */
  publications: z.array(SnapshotId),
  /**
   * Ids that the notes were written for before `current.json`, oldest first. Those that did not become current were
   * never published: their runs ended before the commit.
   */
  pending: z.array(SnapshotId).optional(),
  /** The last build's tombstones, in the order of their hosts. */
  tombstones: z.array(Tombstone),
  remembered: z.array(Remembered).default([]),
  built: Built.nullable(),
  rolledBack: RolledBack.optional(),
});
/** The builder's notes. */
export interface BuilderNotes extends Omit<z.infer<typeof NotesObject>, "built"> {
  readonly built: Built | null;
}

export const NO_NOTES: BuilderNotes = {
  format: NOTES_FORMAT,
  publications: [],
  pending: [],
  tombstones: [],
  remembered: [],
  built: null,
};

/**
 * Reads the builder's notes. Returns `NO_NOTES` if they are lost, damaged or not ours: that costs only a full build.
 * @throws Error if the file exists but cannot be opened: it must not count as missing. This is a fault of the
 * machine, not of a snapshot, so it is not a BadSnapshotError.
 */
export async function readNotes(store: string): Promise<BuilderNotes> {
  const path = layout.notes(store);
  let file: ReturnType<typeof openRegularSync>;
  try {
    file = openRegularSync(path);
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return NO_NOTES;
    const remedy =
      "let the user that builds read it, or delete it: the next build is then a full one";
    throw new Error(`${path} cannot be read: ${codeOf(error)}; ${remedy}`, {
      cause: error,
    });
  }
  try {
    const notes = notesIn(new NotesFile(file.descriptor, file.size));
    // If the pointer is damaged, assume that it named the newest snapshot.
    return settled(notes, await currentId(store).catch(() => notes.pending?.at(-1) ?? null));
  } catch {
    return NO_NOTES;
  } finally {
    closeSync(file.descriptor);
  }
}

/** The ids that the builder's notes list. */
export interface Publications {
  readonly publications: string[];
  readonly pending?: string[] | undefined;
}

/**
 * Moves the current snapshot from the pending ids to the publications. The notes are written before
 * `current.json`, so only the pointer tells whether a pending snapshot was published.
 */
export function settled<T extends Publications>(notes: T, current: string | null): T {
  const { publications, pending = [] } = notes;
  if (current === null || !pending.includes(current)) return notes;
  const others = (ids: readonly string[]) => ids.filter((id) => id !== current);
  return { ...notes, publications: [...others(publications), current], pending: others(pending) };
}

/**
 * The rollback that made `current` current; null if there was none, or if a build has published `current` since. (A
 * build writes its notes before its commit and may die in between, so `isOver` alone does not tell.)
 */
export function rollbackOf(current: string, { built, rolledBack }: BuilderNotes) {
  if (rolledBack?.snapshot !== current) return null;
  return rolledBack.isOver && built?.id === current ? null : rolledBack;
}

/** Other users may not read the notes. If a copy of the store keeps this mode, its web server cannot serve them. */
const NOTES_MODE = 0o640;

/** @throws StoreWriteError */
export async function writeNotes(store: string, notes: BuilderNotes): Promise<void> {
  const { built } = notes;
  if (built === null) {
    await disk.writeFile(layout.notes(store), notesBytes(notes, []), { mode: NOTES_MODE });
    return;
  }
  const { marks, records, ...rest } = built;
  const object = { ...notes, built: { ...rest, markWords: marks.length } };
  const columns = [marks, ...RECORD_KINDS.flatMap((kind) => columnsOf(records[kind]))];
  await disk.writeFile(layout.notes(store), notesBytes(object, columns), { mode: NOTES_MODE });
}

function columnsOf({ offset, length, line, hostHash, digest }: FileRecords): NotedColumn[] {
  return [offset, length, line, hostHash, digest];
}

/** @throws an error if the notes are damaged */
function notesIn(file: NotesFile): BuilderNotes {
  const { built, ...notes } = NotesObject.parse(file.object);
  if (built === null) {
    file.finish();
    return { ...notes, built };
  }
  const { markWords, ...rest } = built;
  const marks = file.words(markWords);
  const records = tableOf(RECORD_KINDS, (kind) => {
    const count = rest[kind].reduce((sum, one) => sum + one.records, 0);
    return {
      offset: file.doubles(count),
      length: file.words(count),
      line: file.words(count),
      hostHash: file.words(count),
      digest: file.words(DIGEST_WORDS * count),
    };
  });
  file.finish();
  return { ...notes, built: { ...rest, marks, records } };
}

/** The input files of one kind, for the notes. */
function inputFiles(published: Pick<Input, "files">, kind: RecordKind) {
  return published.files[kind].map(({ name, state, start, end }) => ({
    name,
    state,
    records: end - start,
  }));
}

/** The records of all input files of one kind at the last build, by the files' names. */
export type NotedFiles = ReadonlyMap<string, KnownFile>;

export function notedFiles(built: Built, kind: RecordKind): NotedFiles {
  let end = 0;
  return new Map(
    built[kind].map(({ name, state, records }) => {
      const start = end;
      end += records;
      return [name, { state, records: recordsBetween(built.records[kind], start, end) }];
    }),
  );
}

/** A file system's coarsest clock, in nanoseconds: a file may change twice within it and keep the same time. */
const CLOCK_GRAIN = 2_000_000_000n;

/**
 * The noted files whose state can be trusted. A file that changed shortly before the notes were written may have
 * changed once more without a new time.
 */
export async function trustedFiles(store: string, noted: NotedFiles): Promise<NotedFiles> {
  const { mtimeNs } = await stat(layout.notes(store), { bigint: true });
  const isSettled = (time: string) => BigInt(time) + CLOCK_GRAIN <= mtimeNs;
  return new Map(
    [...noted].filter(([, { state }]) => isSettled(state.mtime) && isSettled(state.ctime)),
  );
}

/*
 * A file with a JSON object and columns of numbers in the machine's byte order: the object's length in eight bytes, the
 * object, the columns, and the sha256 of all these bytes. The columns never become text, so they may be very long.
 */

export type NotedColumn = Uint32Array | Float64Array;

const LENGTH_BYTES = 8;
const DIGEST_BYTES = 32;
/** Bytes that are copied, hashed and written at a time. */
const PIECE = 16 * 1024 * 1024;

/** The bytes of a file, in pieces. */
export function* notesBytes(
  object: object,
  columns: readonly NotedColumn[],
): Generator<Uint8Array> {
  const hash = createHash("sha256");
  for (const piece of piecesOf(object, columns)) {
    hash.update(piece);
    yield piece;
  }
  yield hash.digest();
}

function* piecesOf(object: object, columns: readonly NotedColumn[]): Generator<Uint8Array> {
  const text = Buffer.from(JSON.stringify(object));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(text.length));
  yield length;
  yield text;
  for (const { buffer, byteOffset, byteLength } of columns) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    // Copies: threads may share the memory.
    for (let at = 0; at < byteLength; at += PIECE) yield bytes.slice(at, at + PIECE);
  }
}

/** Reads a file's columns in their order, and then its digest. All methods throw TypeError if the file is damaged. */
class NotesFile {
  /** Not checked against the digest before `finish`. */
  readonly object: unknown;
  readonly #descriptor: number;
  readonly #size: number;
  readonly #hash = createHash("sha256");
  #at = 0;

  constructor(descriptor: number, size: number) {
    this.#descriptor = descriptor;
    this.#size = size;
    const length = Buffer.from(this.#next(LENGTH_BYTES)).readBigUInt64LE();
    this.object = JSON.parse(Buffer.from(this.#next(Number(length))).toString("utf8"));
  }

  words(count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#next(4 * count));
  }

  doubles(count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#next(8 * count));
  }

  finish(): void {
    const digest = this.#hash.digest("hex");
    const stated = Buffer.alloc(DIGEST_BYTES);
    const isWhole = this.#at + DIGEST_BYTES === this.#size;
    fillSync(this.#descriptor, stated, this.#at);
    if (!isWhole || stated.toString("hex") !== digest) throw new TypeError("the notes are damaged");
  }

  #next(length: number): ArrayBuffer {
    if (this.#at + length + DIGEST_BYTES > this.#size)
      throw new TypeError("the notes end too early");
    const buffer = new ArrayBuffer(length);
    const bytes = new Uint8Array(buffer);
    fillSync(this.#descriptor, bytes, this.#at);
    this.#hash.update(bytes);
    this.#at += length;
    return buffer;
  }
}

/** The notes that the next build needs about this one. */
export function builtNotes(
  store: string,
  id: string,
  published: Input,
  known: ReadonlyMap<string, FileState> | undefined,
  { segments, marks }: DoneSegments,
): Built {
  return {
    id,
    ...(published.share && { part: published.share }),
    tool: toolDigest(),
    documents: documentsDigest(published),
    rereads: notedRereads(published.findings.rereads),
    files: statesOf(store, segments, known),
    marks: marks.words,
    records: tableOf(RECORD_KINDS, (kind) => {
      const { columns } = published.located[kind];
      return recordsBetween(columns, 0, columns.count);
    }),
    listings: inputFiles(published, "listings"),
    scans: inputFiles(published, "scans"),
  };
}

/** The digest, in hex, of the documents that every listing is compiled against. */
export function documentsDigest({ directory, standards, taxonomy }: Input): string {
  return sha256(JSON.stringify([directory, standards, taxonomy]));
}

/** The most hosts that a build reads again only to repeat their warnings. Reading this many takes half a second. */
const REREADS_MAX = 1_000;

/** @param rereads hashes of hosts, as in `Findings` */
export function notedRereads(rereads: Iterable<number>): number[] {
  return [...new Set(rereads)].sort((a, b) => a - b).slice(0, REREADS_MAX);
}

/**
 * The states of all files of segments.
 * @param known the states of kept files before they were checked, so that files that changed since are checked again
 */
export function statesOf(
  store: string,
  segments: readonly Segment[],
  known?: ReadonlyMap<string, FileState>,
): Built["files"] {
  return segmentFiles(segments).map(({ file }) => {
    const state = known?.get(file) ?? fileState(join(store, file));
    if (state !== null) return { file, state };
    const message = `${join(store, file)} was removed during the build; build again`;
    throw new StoreWriteError(message);
  });
}
