import { closeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { hostHash } from "../../contract/host.js";
import { isObject } from "../../contract/values.js";
import { type Line, readLines } from "../../files/lines.js";
import { type FileState, fileState, isSameState } from "../../files/regular.js";
import { isUtf16, parseJson, QUOTE, UTF16 } from "../checking/json.js";
import type { Problem } from "../checking/problem.js";
import { RECORD_MAX, type RecordSource, recordDigest, trimBlanks } from "../checking/record.js";
import {
  FileError,
  isOneRecord,
  type OpenFile,
  openInputFile,
  readBytes,
  type SourceFile,
  wholeFile,
} from "./files.js";
import { type FileRecords, GrowingColumns, type RecordColumns } from "./record-columns.js";

/** Bytes per read: large enough to make system calls cheap, small enough for a processor's cache. */
const READ_BYTES = 512 * 1024;

/** After this many bytes, other work such as a signal gets its turn. */
const UNPAUSED_BYTES = 32 * 1024 * 1024;
/** The fixed cost of a record of any length, as the number of bytes that could be read in the same time. */
const RECORD_COST = 8 * 1024;

const BOM = Buffer.from("\ufeff");

/** The records of the files that could be read. */
export interface Located {
  readonly columns: RecordColumns;
  /** How many records name no host. They are in no shard, and not in the columns. */
  readonly lost: number;
  /** The files that could be read, in their order. */
  readonly files: readonly LocatedFile[];
}

/** A file whose records were located. */
export interface LocatedFile {
  /** Path inside the published folder. */
  readonly name: string;
  readonly state: FileState;
  /** Its records have the numbers from `start` up to, but not including, `end` in the columns. */
  readonly start: number;
  readonly end: number;
  /** Whether its records are known from an earlier run. */
  readonly known: boolean;
}

/** A file's located records. Their positions stay valid while the file's state stays the same. */
export interface KnownFile {
  readonly state: FileState;
  readonly records: FileRecords;
}

/** A record, the hash of the host that it names, and its digest (`recordDigest`). */
export type LocatedRecord = [source: RecordSource, hash: number, digest: Uint32Array];

/** Input of `locateRecords`, and its callbacks. */
export interface LocateOptions {
  /** Files located earlier, by name. They are not read again if their state is the same. */
  readonly known?: ReadonlyMap<string, KnownFile> | undefined;
  /** Called for a record that names no host. It is in no shard, so nothing else checks it. */
  onLost(source: RecordSource): void;
  /** Called for a record that is too long, and for a file that cannot be read to its end. */
  onProblem(problem: Problem): void;
  /** Called for each record that names a host. Its bytes are valid until the next call. */
  onRecord?(...record: LocatedRecord): void;
  /** Whether the records of hosts with this hash get into the columns. Default: all do. */
  keeps?(hash: number): boolean;
  /** Called with the bytes read so far and the total bytes to read. Neither includes files that are not read again. */
  readonly onRead?: ((done: number, total: number) => void) | undefined;
  /** Aborts locating; the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The first pass: finds every record in `files`. A file's number in the columns is its position in `files`.
 * Reads no more of a record than its host requires, and holds one record at a time.
 */
export async function locateRecords(
  files: readonly SourceFile[],
  options: LocateOptions,
): Promise<Located> {
  const pointers = new GrowingColumns();
  const located: LocatedFile[] = [];
  const known = unchangedFiles(files, options.known);
  const progress = new ReadProgress(files, known, options);
  let lost = 0;
  for (const [file, source] of files.entries()) {
    const { name, path } = source;
    const start = pointers.count;
    const before = known.get(name);
    if (before !== undefined) {
      pointers.addFile(file, before.records);
      located.push({ name, state: before.state, start, end: pointers.count, known: true });
      continue;
    }
    try {
      const open = openInputFile(path);
      try {
        let lostHere = 0;
        for (const line of recordsOf(source, open)) {
          if (progress.isPauseDue(line.length)) await progress.pause();
          if (!addRecord(pointers, file, name, line, options)) lostHere += 1;
        }
        located.push({ name, state: open.state, start, end: pointers.count, known: false });
        lost += lostHere;
      } finally {
        closeSync(open.fd);
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      options.onProblem(wholeFile(name, error));
    }
  }
  progress.report();
  return { columns: pointers.columns, lost, files: located };
}

/** The known files that are still as they were. */
function unchangedFiles(
  files: readonly SourceFile[],
  known: LocateOptions["known"],
): Map<string, KnownFile> {
  const unchanged = new Map<string, KnownFile>();
  for (const { name, path } of files) {
    const file = known?.get(name);
    if (file !== undefined && isSameState(file.state, fileState(path))) unchanged.set(name, file);
  }
  return unchanged;
}

/** Reports how much has been read, and lets other work, such as a signal, run now and then. */
class ReadProgress {
  readonly #options: LocateOptions;
  #total = 0;
  #done = 0;
  #reported = 0;
  #unpaused = 0;

  constructor(
    files: readonly SourceFile[],
    known: ReadonlyMap<string, KnownFile>,
    options: LocateOptions,
  ) {
    this.#options = options;
    // Reading sizes takes time, so it happens only if they are needed.
    if (options.onRead === undefined) return;
    for (const { name, path } of files) {
      if (!known.has(name)) this.#total += Number(fileState(path)?.bytes ?? 0);
    }
    if (this.#total > 0) options.onRead(0, this.#total);
  }

  /** Counts a record of this many bytes. Returns whether other work should get its turn. */
  isPauseDue(length: number): boolean {
    this.#done += length + 1;
    this.#unpaused += length + RECORD_COST;
    return this.#unpaused > UNPAUSED_BYTES;
  }

  async pause(): Promise<void> {
    this.#unpaused = 0;
    this.report();
    await setImmediate();
    this.#options.signal?.throwIfAborted();
  }

  report(): void {
    if (this.#done === this.#reported) return;
    this.#reported = this.#done;
    this.#options.onRead?.(this.#done, this.#total);
  }
}

/** Adds a record to the columns. Returns false if the record names no host. */
function addRecord(
  pointers: GrowingColumns,
  file: number,
  name: string,
  { number: line, offset, length, bytes }: Line,
  { onLost, onProblem, onRecord, keeps }: LocateOptions,
): boolean {
  if (bytes === null) {
    onProblem({ ...wholeFile(name, tooLong(length)), line });
    return true;
  }
  const host = hostHint(bytes) ?? parsedHost(bytes);
  if (host === null) {
    onLost({ file: name, line, bytes });
    return false;
  }
  const hash = hostHash(host);
  const digest = recordDigest(name, bytes);
  onRecord?.({ file: name, line, bytes }, hash, digest);
  if (keeps?.(hash) !== false) pointers.add({ file, offset, length, line, digest }, hash);
  return true;
}

/**
 * Reads a file that is one record, without byte-order mark. Checks the size before reading; the bytes are null
 * if there are more than `RECORD_MAX`.
 * @throws FileError
 */
export function readWhole(path: string): Line {
  const open = openInputFile(path);
  try {
    return wholeRecord(open);
  } finally {
    closeSync(open.fd);
  }
}

function wholeRecord({ fd, size }: OpenFile): Line {
  if (size > RECORD_MAX) return { number: 1, offset: 0, length: size, bytes: null };
  const room = Buffer.allocUnsafe(size);
  const bytes = room.subarray(0, readBytes(fd, room, 0));
  return withoutMark({ number: 1, offset: 0, length: bytes.length, bytes });
}

/** The error for a record with more than `RECORD_MAX` bytes. */
export function tooLong(bytes: number): FileError {
  const message = `found a record of ${bytes} bytes, expected at most ${RECORD_MAX} (16 MiB)`;
  return new FileError(message, "record-too-large");
}

/** @throws FileError if the file's form means that nothing in it can be a record */
function* recordsOf({ name }: SourceFile, open: OpenFile): Generator<Line, void> {
  const isOne = isOneRecord(name);
  const read = (into: Buffer) => readBytes(open.fd, into, null);
  let isFirst = true;
  for (const line of isOne ? [wholeRecord(open)] : readLines(read, READ_BYTES, RECORD_MAX)) {
    const record = line.number === 1 && !isOne ? withoutMark(line) : line;
    const content = record.bytes && trimBlanks(record.bytes);
    if (content?.length === 0 && !isOne) continue;
    const mistake = isFirst && content !== null ? formMistake(content, isOne) : null;
    if (mistake !== null) throw mistake;
    isFirst = false;
    yield record;
  }
}

/** A mistake of the whole file, found in its first record: one error instead of one for each line. Null if none. */
function formMistake(first: Buffer, isOne: boolean): FileError | null {
  if (isUtf16(first)) return new FileError(UTF16, "encoding-wrong");
  if (first[0] === 0x5b) {
    const expected = isOne
      ? "one record; put several records into an .ndjson file, one per line"
      : "one record per line, without brackets around them or commas between them";
    return new FileError(`is a JSON array, expected ${expected}`, "file-form");
  }
  if (isOne || first.length !== 1 || first[0] !== 0x7b) return null;
  const message =
    "has records that span several lines, expected one record per line, as jq -c prints them";
  return new FileError(message, "file-form");
}

function withoutMark(line: Line): Line {
  if (line.bytes === null || !line.bytes.subarray(0, BOM.length).equals(BOM)) return line;
  const bytes = line.bytes.subarray(BOM.length);
  return { ...line, offset: line.offset + BOM.length, length: bytes.length, bytes };
}

function parsedHost(bytes: Buffer): string | null {
  const json = parseJson(bytes);
  if (!("value" in json) || !isObject(json.value)) return null;
  const { host } = json.value;
  return typeof host === "string" ? host : null;
}

/** The key `"host"` without its first quote. A search stops at each match of the first byte, and quotes are common. */
const KEY_END = Buffer.from('host"');
/** An escaped letter of "host" begins with \u006 or \u007. Most records contain no \u00 at all. */
const ESCAPE = Buffer.from("\\u00");
const ESCAPED_LETTERS = [Buffer.from("\\u006"), Buffer.from("\\u007")];
/** A host that the hint reads must end within this many bytes after the key. A canonical host takes up to 253. */
const VALUE_ROOM = 300;

/**
 * The host that a record names, found without parsing it. Null means that only parsing can tell.
 *
 * Correct for every valid record: its host is under the key `"host"`. If these bytes occur only once and no
 * escape can hide another occurrence, they are that key. In an invalid record the hint may be wrong; then it
 * only decides in which part the record's errors are found.
 */
export function hostHint(bytes: Buffer): string | null {
  const start = endOfOnlyKey(bytes);
  if (start === null || hasEscapedLetter(bytes)) return null;
  const following = bytes.toString("latin1", start, start + VALUE_ROOM);
  return /^[ \t\r\n]*:[ \t\r\n]*"([!#-[\]-~]+)"/.exec(following)?.[1] ?? null;
}

/** The offset after the key; null unless the key occurs exactly once. */
function endOfOnlyKey(bytes: Buffer): number | null {
  let end: number | null = null;
  for (let at = bytes.indexOf(KEY_END); at >= 0; at = bytes.indexOf(KEY_END, at + 1)) {
    if (bytes[at - 1] !== QUOTE) continue;
    if (end !== null) return null;
    end = at + KEY_END.length;
  }
  return end;
}

function hasEscapedLetter(bytes: Buffer): boolean {
  return bytes.includes(ESCAPE) && ESCAPED_LETTERS.some((escaped) => bytes.includes(escaped));
}
