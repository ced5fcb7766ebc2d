import { closeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { hostHash } from "../contract/host.js";
import { isObject } from "./breaches.js";
import { type SourceFile, wholeFile } from "./files.js";
import { hostHint } from "./host-hint.js";
import { parseJson } from "./json.js";
import { type Line, readLines } from "./lines.js";
import type { Problem } from "./problem.js";
import { RECORD_MAX, type RecordSource, recordDigest, trimBlanks } from "./record.js";
import { checksumOf, RecordIndex } from "./record-index.js";
import { FileError, openRegular, readBytes } from "./regular-file.js";

/** Read at once: large enough that system calls cost nothing, small enough for a processor's cache. */
const CHUNK_BYTES = 512 * 1024;

/** Bytes after which other work, such as a signal's, gets its turn. */
const BREATH_BYTES = 32 * 1024 * 1024;
/** Bytes that could be gone through in the time that a record costs whatever its length. */
const RECORD_COST = 8 * 1024;

const BOM = Buffer.from("\ufeff");

export interface Located {
  readonly index: RecordIndex;
  /** Records that name no host, and so are in no bucket. */
  readonly lost: number;
}

/** What locating tells its caller on the way. */
export interface LocateEvents {
  /** A record that names no host: nobody else will look at it. */
  onLost(source: RecordSource): void;
  onProblem(problem: Problem): void;
  /** Ends it: its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The first pass: finds every record of files, whose place in `files` is the file's number in the index.
 * Looks no further into a record than to learn its host, and holds one record at a time.
 */
export async function locateRecords(
  files: readonly SourceFile[],
  { onLost, onProblem, signal }: LocateEvents,
): Promise<Located> {
  const index = new RecordIndex();
  let lost = 0;
  let breath = 0;
  for (const [file, source] of files.entries()) {
    const { name } = source;
    try {
      for (const { number, offset, length, bytes } of recordsOf(source)) {
        breath += length + RECORD_COST;
        if (breath > BREATH_BYTES) {
          breath = 0;
          await setImmediate();
          signal?.throwIfAborted();
        }
        if (bytes === null) {
          onProblem({ ...wholeFile(name, tooLong(length)), line: number });
          continue;
        }
        const host = hostHint(bytes) ?? parsedHost(bytes);
        if (host === null) {
          lost += 1;
          onLost({ file: name, line: number, bytes });
        } else {
          const checksum = checksumOf(recordDigest(bytes));
          const pointer = { file, offset, length, line: number, checksum };
          index.add(pointer, hostHash(host));
        }
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      onProblem(wholeFile(name, error.message));
    }
  }
  return { index, lost };
}

/**
 * A file that is one record, without byte-order mark. Its size is looked at before it is read.
 * @throws FileError
 */
export function readWhole(path: string): Line {
  const { fd, size } = openRegular(path);
  try {
    if (size > RECORD_MAX) return { number: 1, offset: 0, length: size, bytes: null };
    const room = Buffer.allocUnsafe(size);
    const bytes = room.subarray(0, readBytes(fd, room, 0));
    return withoutMark({ number: 1, offset: 0, length: bytes.length, bytes });
  } finally {
    closeSync(fd);
  }
}

/** Says that a record's bytes are too many to be kept. */
export function tooLong(bytes: number): string {
  return `found a record of ${bytes} bytes, expected at most ${RECORD_MAX} (16 MiB)`;
}

function* recordsOf({ name, path }: SourceFile): Generator<Line, void> {
  if (name.endsWith(".json")) {
    yield readWhole(path);
    return;
  }
  const { fd } = openRegular(path);
  try {
    for (const line of readLines((into) => readBytes(fd, into, null), CHUNK_BYTES, RECORD_MAX)) {
      const record = line.number === 1 ? withoutMark(line) : line;
      if (record.bytes === null || !isBlank(record.bytes)) yield record;
    }
  } finally {
    closeSync(fd);
  }
}

function withoutMark(line: Line): Line {
  if (line.bytes === null || !line.bytes.subarray(0, BOM.length).equals(BOM)) return line;
  const bytes = line.bytes.subarray(BOM.length);
  return { ...line, offset: line.offset + BOM.length, length: bytes.length, bytes };
}

function isBlank(bytes: Buffer): boolean {
  return trimBlanks(bytes).length === 0;
}

function parsedHost(bytes: Buffer): string | null {
  const json = parseJson(bytes);
  if (!("value" in json) || !isObject(json.value)) return null;
  const { host } = json.value;
  return typeof host === "string" ? host : null;
}
