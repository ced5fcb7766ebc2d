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
import { FormerRubric } from "../input/checking/schemas.js";
import type { Input } from "../input/input.js";
import { RECORD_KINDS, type RecordKind } from "../input/locating/files.js";
import type { KnownFile } from "../input/locating/locate.js";
import {
  DIGEST_WORDS,
  type FileRecords,
  recordsBetween,
} from "../input/locating/record-columns.js";
import { type Segment, Sha256, SnapshotId, segmentFiles } from "../store/format.js";
import { layout, sha256 } from "../store/layout.js";
import { currentId } from "../store/reader.js";
import { storedJson } from "../store/stored-json.js";
import { MissingListings, Tombstone } from "./erasure.js";
import type { DoneSegments } from "./segments.js";
import { toolDigest } from "./tool.js";

/** An input file, with the number of its records. The columns have the records in the order of the files. */
const InputFile = z.strictObject({ name: z.string(), state: FileState, records: Count });

/** A file of a segment, with its state when the build ended. */
const NotedFile = z.strictObject({ file: z.string(), state: FileState });

/** What the last build did, so that the next one processes only what changed. The columns are stored separately. */
const Built = z.strictObject({
  id: SnapshotId,
  /** What is to be known of the hosts that it was built from, if these were not all of the input. */
  selected: z.unknown().optional(),
  /** Digest of the program that built the snapshot. */
  tool: Sha256,
  /** Digest of directory.json, standards.json and taxonomy.json, and of the former rubrics. */
  documents: Sha256,
  /** Hashes of hosts that the next build reads again to repeat their warnings. */
  rereads: z.array(Count),
  files: z.array(NotedFile),
  listings: z.array(InputFile),
  scans: z.array(InputFile),
  /** The rubric before the current one, whose scores the fingerprints compare; null if none is known. */
  former: FormerRubric.nullable().default(null),
  /** `FINGERPRINT_WORDS` for each fingerprint. */
  fingerprintWords: Count,
});

/** The last build according to the notes. */
export interface Built extends Omit<z.infer<typeof Built>, "fingerprintWords"> {
  /** Fingerprints of all listings (`erasure.ts`). */
  readonly fingerprints: Uint32Array;
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
const NOTES_FORMAT = 4;

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
  missing: z.array(MissingListings).default([]),
  /** The rubrics of this store's publications, the latest one last. */
  rubrics: z.array(FormerRubric).default([]),
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
  missing: [],
  rubrics: [],
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
    const bytes = Buffer.from(new ArrayBuffer(file.size));
    for (let at = 0; at < file.size; at += PIECE)
      fillSync(file.descriptor, bytes.subarray(at, at + PIECE), at);
    const notes = notesIn(bytes);
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
  const { fingerprints, records, ...rest } = built;
  const object = { ...notes, built: { ...rest, fingerprintWords: fingerprints.length } };
  const all = RECORD_KINDS.map((kind) => records[kind]);
  const columns = [
    // Columns of numbers of eight bytes come first, so that each column begins at a multiple of its numbers' size.
    ...all.map(({ offset }) => offset),
    ...all.flatMap(({ length, line, hostHash, digest }) => [length, line, hostHash, digest]),
    fingerprints,
  ];
  await disk.writeFile(layout.notes(store), notesBytes(object, columns), { mode: NOTES_MODE });
}

/** @throws an error if the notes are damaged */
function notesIn(bytes: Buffer<ArrayBuffer>): BuilderNotes {
  const end = bytes.length - DIGEST_BYTES;
  const hash = createHash("sha256");
  for (let at = 0; at < end; at += PIECE)
    hash.update(bytes.subarray(at, Math.min(end, at + PIECE)));
  if (!hash.digest().equals(bytes.subarray(end))) throw new TypeError("the notes are damaged");
  let at = LENGTH_BYTES + Number(bytes.readBigUInt64LE());
  const text = bytes.toString("utf8", LENGTH_BYTES, at);
  const next = <C extends NotedColumn>(
    Column: new (buffer: ArrayBuffer, start: number, count: number) => C,
    count: number,
  ): C => {
    const column = new Column(bytes.buffer, at, count);
    at += column.byteLength;
    return column;
  };
  const { built, ...notes } = NotesObject.parse(storedJson(text));
  if (built === null) return { ...notes, built };
  const { fingerprintWords, ...rest } = built;
  // In the order in which `writeNotes` writes the columns.
  const counts = tableOf(RECORD_KINDS, (kind) =>
    rest[kind].reduce((sum, one) => sum + one.records, 0),
  );
  const offsets = tableOf(RECORD_KINDS, (kind) => next(Float64Array, counts[kind]));
  const records = tableOf(RECORD_KINDS, (kind) => ({
    offset: offsets[kind],
    length: next(Uint32Array, counts[kind]),
    line: next(Uint32Array, counts[kind]),
    hostHash: next(Uint32Array, counts[kind]),
    digest: next(Uint32Array, DIGEST_WORDS * counts[kind]),
  }));
  const fingerprints = next(Uint32Array, fingerprintWords);
  return { ...notes, built: { ...rest, fingerprints, records } };
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
 * object with spaces up to a multiple of eight bytes, the columns, and the sha256 of all these bytes. The columns never
 * become text, so they may be very long.
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
  const json = Buffer.from(JSON.stringify(object));
  const text = Buffer.concat([json, Buffer.alloc(-json.length & 7, " ")]);
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

/** The notes that the next build needs about this one. */
export function builtNotes(
  store: string,
  id: string,
  published: Input,
  known: ReadonlyMap<string, FileState> | undefined,
  { segments, fingerprints }: DoneSegments,
): Built {
  return {
    id,
    ...(published.selected && { selected: published.selected.noted }),
    tool: toolDigest(),
    documents: documentsDigest(published),
    rereads: notedRereads(published.findings.rereads, published.findings.acceptedRereads),
    files: statesOf(store, segments, known),
    former: published.formerRubrics.at(-1) ?? null,
    fingerprints: fingerprints.words,
    records: tableOf(RECORD_KINDS, (kind) => {
      const { columns } = published.located[kind];
      return recordsBetween(columns, 0, columns.count);
    }),
    listings: inputFiles(published, "listings"),
    scans: inputFiles(published, "scans"),
  };
}

/**
 * The digest, in hex, of the documents and former rubrics that every listing is compiled against. Accepted warnings
 * change no listing.
 */
export function documentsDigest(input: Input): string {
  const { directory, standards, taxonomy, former, formerRubrics } = input;
  const compiled = { ...directory, accept: undefined };
  return sha256(JSON.stringify([compiled, standards, taxonomy, former, formerRubrics]));
}

/** The most hosts that a build reads again only to repeat their warnings. Reading this many takes half a second. */
const REREADS_MAX = 1_000;

/**
 * @param rereads hashes of hosts, as in `Findings`
 * @param accepted as `acceptedRereads` in `Findings`: they take what room the others leave
 */
export function notedRereads(rereads: Iterable<number>, accepted: Iterable<number> = []): number[] {
  const hashes = [rereads, accepted].flatMap((some) => [...some].sort((a, b) => a - b));
  return [...new Set(hashes)].slice(0, REREADS_MAX);
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
