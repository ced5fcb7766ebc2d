import { createHash } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { Count } from "../contract/field.js";
import { disk } from "../files/disk.js";
import { codeOf, hasCode } from "../files/errors.js";
import { type Line, readLines } from "../files/lines.js";
import { FileState, openRegularSync } from "../files/regular.js";
import type { RecordsOf } from "../published/checking/kinds.js";
import type { KnownFile, LocatedFile } from "../published/locating/locate.js";
import { type FileRecords, recordsBetween } from "../published/locating/record-index.js";
import type { Published } from "../published/published.js";
import { Sha256, SnapshotId } from "../store/format.js";
import { layout } from "../store/layout.js";
import { currentId } from "../store/reader.js";
import { MARK_WORDS, Marks } from "./erasure.js";
import { NotedNotice } from "./noted-notices.js";
import { decodeRecords, encodeRecords } from "./noted-records.js";
import { settled } from "./publications.js";
import { Remembered, Tombstone } from "./tombstones.js";

/** An input file whose records were located. One with very many records has several entries, with a part each. */
const InputFile = z.strictObject({
  name: z.string(),
  state: FileState,
  /** The columns of its records, one after the other, in base64; see `encodeRecords`. */
  records: z.string(),
});

/** A file of a segment, with its state when the build ended. */
const NotedFile = z.strictObject({ file: z.string(), state: FileState });

/** What the last build did, so that the next one processes only what changed. */
const Built = z.strictObject({
  id: SnapshotId,
  /** Digest of the program that built the snapshot. */
  tool: Sha256,
  /** Digest of directory.json, standards.json and taxonomy.json. */
  documents: Sha256,
  /** Hashes that more than one host had. */
  sharedHashes: z.array(Count),
  notices: z.array(NotedNotice),
  files: z.array(NotedFile),
  /** Marks of all listings (`erasure.ts`): numbers of 32 bits in the machine's byte order, in base64. */
  marks: z.string(),
  listings: z.array(InputFile),
  scans: z.array(InputFile),
});
export type Built = z.infer<typeof Built>;

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
const NOTES_FORMAT = 2;

/** `.notes.json`: the builder's notes. Readers of the store do not need them. */
const BuilderNotes = z.strictObject({
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
export type BuilderNotes = z.infer<typeof BuilderNotes>;

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
 * machine, not of a snapshot, so it is no BadSnapshotError.
 */
export async function readNotes(store: string): Promise<BuilderNotes> {
  const path = layout.notes(store);
  let file: number;
  try {
    file = openRegularSync(path).descriptor;
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return NO_NOTES;
    const remedy =
      "let the user that builds read it, or delete it: the next build is then a full one";
    throw new Error(`${path} cannot be read: ${codeOf(error)}; ${remedy}`, {
      cause: error,
    });
  }
  try {
    const read = (into: Buffer) => readSync(file, into);
    const notes = BuilderNotes.parse(notesIn(readLines(read, NOTES_CHUNK_BYTES, NOTES_LINE_MAX)));
    // If the pointer is damaged, assume that it named the newest snapshot.
    return settled(notes, await currentId(store).catch(() => notes.pending?.at(-1) ?? null));
  } catch {
    return NO_NOTES;
  } finally {
    closeSync(file);
  }
}

/**
 * The rollback that made `current` current; null if there was none, or if a build has published `current` since. (A
 * build that died before its commit has written its notes, too.)
 */
export function rollbackOf(current: string, { built, rolledBack }: BuilderNotes) {
  if (rolledBack?.snapshot !== current) return null;
  return rolledBack.isOver && built?.id === current ? null : rolledBack;
}

/** Other users may not read the notes: a copy may keep that, and so keep them from its web server. */
const NOTES_MODE = 0o640;

/** @throws StoreWriteError */
export async function writeNotes(store: string, notes: BuilderNotes): Promise<void> {
  await disk.writeFile(layout.notes(store), notesText(notes), { mode: NOTES_MODE });
}

/** Bytes of the notes that are read at a time. */
const NOTES_CHUNK_BYTES = 1024 * 1024;
/** The longest line of the notes that is read, in bytes. */
const NOTES_LINE_MAX = 256 * 1024 * 1024;
/** The most records that one line holds. */
const LINE_RECORDS = 1_000_000;

/** The notes' text: JSON whose last line has the digest of all lines before it. */
function* notesText(notes: BuilderNotes): Generator<string> {
  const hash = createHash("sha256");
  for (const line of linesOf(notes)) {
    hash.update(`${line}\n`);
    yield `${line}\n`;
  }
  yield `,"sha256":"${hash.digest("hex")}"}\n`;
}

/** One line for each part of an input file: all parts together may exceed the longest string that Node allows. */
function* linesOf({ built, ...notes }: BuilderNotes): Generator<string> {
  const head = `${JSON.stringify(notes).slice(0, -1)},"built":`;
  if (built === null) {
    yield `${head}null`;
    return;
  }
  const { listings, scans, ...rest } = built;
  yield `${head}${JSON.stringify(rest).slice(0, -1)},`;
  yield '"listings":[';
  yield* listed(listings);
  yield '],"scans":[';
  yield* listed(scans);
  yield "]}";
}

function* listed(files: Built["listings"]): Generator<string> {
  for (const [place, file] of files.entries()) {
    yield `${JSON.stringify(file)}${place + 1 < files.length ? "," : ""}`;
  }
}

const SEAL = /^,"sha256":"([0-9a-f]{64})"\}$/;

/** Parses the lines of `notesText`. @throws TypeError or SyntaxError if the lines are damaged */
function notesIn(lines: Iterable<Line>): unknown {
  const hash = createHash("sha256");
  const files: Record<RecordsOf, unknown[]> = { listings: [], scans: [] };
  let into = files.listings;
  let head = "";
  for (const { bytes } of lines) {
    const text = bytes?.toString("utf8") ?? "";
    const seal = SEAL.exec(text)?.[1];
    if (seal !== undefined) {
      if (seal !== hash.digest("hex")) throw new TypeError("the notes are damaged");
      if (!head.endsWith(",")) return JSON.parse(`${head}}`);
      const notes: { built: object } = JSON.parse(`${head}"listings":[],"scans":[]}}`);
      return { ...notes, built: { ...notes.built, ...files } };
    }
    hash.update(`${text}\n`);
    if (head === "") head = text;
    else if (text.startsWith("{"))
      into.push(JSON.parse(text.endsWith(",") ? text.slice(0, -1) : text));
    else if (text.startsWith("]")) into = files.scans;
  }
  throw new TypeError("the notes end too early");
}

/** The input files of one kind, for the notes. */
export function inputFiles(
  published: Pick<Published, "files" | "shared">,
  kind: RecordsOf,
): Built["listings"] {
  const { columns } = published.shared[kind];
  return published.files[kind].flatMap(({ name, state, start, end }: LocatedFile) =>
    Array.from({ length: Math.max(1, Math.ceil((end - start) / LINE_RECORDS)) }, (_, line) => ({
      name,
      state,
      // A getter, so that it is encoded only when written: all files together would be the build's largest object.
      get records() {
        const from = start + LINE_RECORDS * line;
        return encodeRecords(recordsBetween(columns, from, Math.min(end, from + LINE_RECORDS)));
      },
    })),
  );
}

/** The text of marks in the notes. */
export function marksText({ words }: Marks): string {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString("base64");
}

/** Reads the marks of the notes. Returns null if the notes are damaged. */
export function marksIn(text: string): Marks | null {
  // Copies the bytes, because a small Buffer may start at an offset that is not a multiple of 4.
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return bytes.length % (4 * MARK_WORDS) === 0 ? new Marks(new Uint32Array(bytes.buffer)) : null;
}

/** The records of all input files of one kind at the last build, by the files' names. */
export type NotedFiles = ReadonlyMap<string, KnownFile>;

/** Returns null if the notes are damaged. */
export function notedFiles(files: Built["listings"]): NotedFiles | null {
  const noted = new Map<string, KnownFile>();
  for (const { name, state, records } of files) {
    const decoded = decodeRecords(records);
    if (decoded === null) return null;
    const before = noted.get(name)?.records;
    noted.set(name, { state, records: before ? joinedRecords(before, decoded) : decoded });
  }
  return noted;
}

/** The records of a file whose notes take more than one line. */
function joinedRecords(a: FileRecords, b: FileRecords): FileRecords {
  const both = <A extends Uint32Array | Float64Array>(into: A, first: A, then: A): A => {
    into.set(first);
    into.set(then, first.length);
    return into;
  };
  const words = (column: Exclude<keyof FileRecords, "offset">) =>
    both(new Uint32Array(a[column].length + b[column].length), a[column], b[column]);
  return {
    offset: both(new Float64Array(a.offset.length + b.offset.length), a.offset, b.offset),
    length: words("length"),
    line: words("line"),
    hostHash: words("hostHash"),
    digest: words("digest"),
  };
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
