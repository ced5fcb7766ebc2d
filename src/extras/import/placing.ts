import { closeSync, existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { hostHash } from "../../contract/host.js";
import { addTo } from "../../contract/tables.js";
import { isObject } from "../../contract/values.js";
import { disk } from "../../files/disk.js";
import { readLines } from "../../files/lines.js";
import { unfinishedName } from "../../files/random-name.js";
import { fillSync, openRegularSync, readRegularSync } from "../../files/regular.js";
import { hiddenLosses, parseJson } from "../../input/checking/json.js";
import { Findings, type Problem, type ProblemList } from "../../input/checking/problem.js";
import { checkRecord, type RecordSource } from "../../input/checking/record.js";
import { listingChecks, scanChecks } from "../../input/checking/rules.js";
import { BadPublishedError } from "../../input/input.js";
import {
  findFiles,
  isOneRecord,
  RECORD_KINDS,
  type RecordKind,
} from "../../input/locating/files.js";
import { locateRecords } from "../../input/locating/locate.js";
import type { PartialRecord } from "./cells.js";
import type { Documents } from "./documents.js";
import type { Place } from "./terms.js";

/** What became of the records of a file. */
export interface Tally {
  added: number;
  updated: number;
  unchanged: number;
}

/** A record that an import brings. */
export interface IncomingRecord extends Place {
  readonly kind: RecordKind;
  readonly host: string;
  /** The scan's id; "" for a listing. */
  readonly id: string;
  /** The file to which it is added if it is new, such as `listings/sites.ndjson`. */
  readonly target: string;
  /**
   * What to do if the published directory has a record of this host (and scan) already: `refuse` it, `update` that
   * record, `keep` that record, or keep it if it is the `same` and refuse it otherwise.
   */
  readonly ifKnown: "refuse" | "update" | "keep" | "same";
  /** The record to write. @param known the one that is there, which is not changed */
  apply(known: Readonly<PartialRecord> | null): PartialRecord;
  /** Counts what becomes of it. */
  readonly tally: Tally;
}

/** A record that the published directory has. */
interface KnownRecord extends Place {
  readonly value: Readonly<PartialRecord>;
}

/** New texts of a published directory's files. */
interface Changes {
  /** New texts of records, by the path of the file in the directory and the line. */
  readonly edits: Map<string, Map<number, string>>;
  /** Records at the ends of files. */
  readonly additions: Map<string, string[]>;
}

/**
 * Writes records and documents into a published directory: all of them, or nothing at all.
 * @param replaced files whose records are given anew, relative to the directory
 * @param problems receives what is wrong with records. If it has any at the end, nothing was written
 * @throws BadPublishedError if records that are there cannot be read; StoreWriteError
 */
export async function placeRecords(
  published: string,
  documents: Documents,
  incoming: readonly IncomingRecord[],
  replaced: ReadonlySet<string>,
  problems: ProblemList,
): Promise<void> {
  const given = withoutRepeats(incoming, problems);
  const known = documents.isNew ? new Map() : await knownRecords(published, given, replaced);
  const changes: Changes = { edits: new Map(), additions: new Map() };
  const { standards, taxonomy } = documents;
  const checks = {
    listings: listingChecks({ standards, taxonomy }),
    scans: scanChecks({ standards, taxonomy }),
  };
  for (const [key, record] of given) {
    const { kind, file, line } = record;
    const text = placed(record, known.get(key), changes, (message) => {
      problems.add([{ code: "table-wrong", file, line, column: 1, path: "$", message }]);
    });
    if (text === null) continue;
    const source = { file: "table.ndjson", line, bytes: Buffer.from(text) };
    const { problems: found } = checkRecord<unknown>(checks[kind], source);
    problems.add(found.map((problem): Problem => ({ ...problem, file, column: 1 })));
  }
  if (problems.count > 0) return;
  await writeFiles(published, filesOf(published, documents, changes, replaced));
}

/**
 * Decides what becomes of a record.
 * @param known the one that is there
 * @param say receives why it is refused
 * @returns its text; null if nothing is written for it
 */
function placed(
  record: IncomingRecord,
  known: KnownRecord | undefined,
  { edits, additions }: Changes,
  say: (message: string) => void,
): string | null {
  const { target, ifKnown, tally } = record;
  if (known === undefined) {
    const text = JSON.stringify(record.apply(null));
    addTo(additions, target, `${text}\n`);
    tally.added += 1;
    return text;
  }
  const at = `${known.file}:${known.line}`;
  if (ifKnown === "refuse") {
    say(`${nameOf(record)} is in ${at} already; --update changes the record there`);
    return null;
  }
  const value = ifKnown === "keep" ? known.value : record.apply(known.value);
  if (isDeepStrictEqual(value, known.value)) {
    tally.unchanged += 1;
    return null;
  }
  if (ifKnown === "same") {
    say(`${nameOf(record)} is in ${at} with other content; --update replaces it`);
    return null;
  }
  tally.updated += 1;
  const text = JSON.stringify(value);
  const lines = edits.get(known.file) ?? new Map<number, string>();
  const isOne = isOneRecord(known.file);
  lines.set(known.line, isOne ? `${JSON.stringify(value, null, 2)}\n` : text);
  edits.set(known.file, lines);
  return text;
}

function nameOf({ host, id }: IncomingRecord): string {
  return id === "" ? host : `scan ${id} of ${host}`;
}

function keyOf(kind: RecordKind, host: unknown, id: unknown): string {
  return JSON.stringify(kind === "scans" ? [kind, host, id] : [kind, host]);
}

/** The records by their keys. One that is given twice is refused, unless both say the same. */
function withoutRepeats(
  incoming: readonly IncomingRecord[],
  problems: ProblemList,
): ReadonlyMap<string, IncomingRecord> {
  const given = new Map<string, IncomingRecord>();
  for (const record of incoming) {
    const { kind, host, id, file, line, ifKnown } = record;
    const key = keyOf(kind, host, id);
    const first = given.get(key);
    if (first === undefined) {
      given.set(key, record);
      continue;
    }
    const isSame = () =>
      ifKnown === "same" && isDeepStrictEqual(record.apply(null), first.apply(null));
    if (ifKnown === "keep" || isSame()) continue;
    const message = `is ${nameOf(record)} a second time; the first is ${first.file}:${first.line}`;
    problems.add([{ code: "table-wrong", file, line, column: 1, path: "$", message }]);
  }
  return given;
}

/** The records that the published directory has under the keys of the given ones. */
async function knownRecords(
  published: string,
  given: ReadonlyMap<string, IncomingRecord>,
  replaced: ReadonlySet<string>,
): Promise<Map<string, KnownRecord>> {
  const known = new Map<string, KnownRecord>();
  const hashes = new Set([...given.values()].map(({ host }) => hostHash(host)));
  const kinds = new Set([...given.values()].map(({ kind }) => kind));
  const root = realpathSync(published);
  const findings = new Findings();
  for (const kind of kinds) {
    if (!existsSync(join(root, kind))) continue;
    const files = await findFiles(root, kind, findings);
    await locateRecords(
      files.filter(({ name }) => !replaced.has(name)),
      {
        onLost: () => {},
        onProblem: (problem) => findings.problems.add([problem]),
        onRecord: (source, hash) => {
          if (!hashes.has(hash)) return;
          const value = objectIn(source);
          const key = keyOf(kind, value?.host, value?.id);
          if (value === null || !given.has(key) || known.has(key)) return;
          known.set(key, { file: source.file, line: source.line, value });
        },
      },
    );
  }
  if (findings.problems.count === 0) return known;
  throw new BadPublishedError(published, "published directory", findings.problems);
}

/** The object of a record; null if it is none, or if reading it would change a value. A build reports such a record. */
export function objectIn({ bytes }: RecordSource): Readonly<PartialRecord> | null {
  const json = parseJson(bytes);
  if ("finding" in json || hiddenLosses(json).length > 0) return null;
  return isObject(json.value) ? json.value : null;
}

/** The files to write, by their real paths, with their new bytes. */
function filesOf(
  published: string,
  documents: Documents,
  { edits, additions }: Changes,
  replaced: ReadonlySet<string>,
): Map<string, Iterable<Uint8Array>> {
  const files = new Map<string, Iterable<Uint8Array>>();
  const real = (name: string) => {
    const path = join(published, name);
    return existsSync(path) ? realpathSync(path) : path;
  };
  for (const [name, text] of documents.changed) files.set(real(name), [Buffer.from(text)]);
  for (const name of new Set([...edits.keys(), ...additions.keys(), ...replaced])) {
    const path = real(name);
    const isKept = existsSync(path) && !replaced.has(name);
    const added = additions.get(name) ?? [];
    files.set(path, editedFile(isKept ? path : null, edits.get(name) ?? new Map(), added));
  }
  return files;
}

/** A file with other texts in some of its lines, and with lines at its end. @param path null for a new file */
function* editedFile(
  path: string | null,
  edits: ReadonlyMap<number, string>,
  added: readonly string[],
): Generator<Uint8Array> {
  if (path !== null && isOneRecord(path))
    yield* edits.size > 0 ? bytesOf(edits.values()) : [readRegularSync(path)];
  else if (path !== null) yield* editedLines(path, edits, added.length > 0);
  yield* bytesOf(added);
}

function* bytesOf(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** @param isContinued whether the last line has to end */
function* editedLines(
  path: string,
  edits: ReadonlyMap<number, string>,
  isContinued: boolean,
): Generator<Uint8Array> {
  const { descriptor, size } = openRegularSync(path);
  try {
    const read = (into: Buffer) => fillSync(descriptor, into, null);
    for (const { number, offset, length, bytes } of readLines(read, READ_BYTES, size)) {
      if (bytes === null) continue;
      yield editedLine(bytes, edits.get(number));
      if (offset + length < size || isContinued) yield LINE_END;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** @param text the new record; undefined if the line stays as it is */
function editedLine(line: Buffer, text: string | undefined): Uint8Array {
  if (text === undefined) return line;
  const mark = line.subarray(0, BOM.length).equals(BOM) ? "\ufeff" : "";
  return Buffer.from(`${mark}${text}${line.at(-1) === 0x0d ? "\r" : ""}`);
}

const BOM = Buffer.from("\ufeff");
const READ_BYTES = 512 * 1024;
const LINE_END = Buffer.from("\n");

/**
 * Writes files: first all of them beside their places, then each gets its name. If a step fails, the files that were
 * there are back as they were, and the new ones and their folders are gone. A new directory gets its name last, so
 * that an import that is killed leaves none.
 */
async function writeFiles(
  directory: string,
  contents: ReadonlyMap<string, Iterable<Uint8Array>>,
): Promise<void> {
  const path = resolve(directory);
  const isNew = !existsSync(path);
  const published = isNew ? join(dirname(path), unfinishedName(basename(path))) : path;
  const files = new Map(
    [...contents].map(([file, bytes]) => [join(published, relative(path, resolve(file))), bytes]),
  );
  const made: string[] = [];
  const undo: (() => Promise<void>)[] = [];
  const leftovers: string[] = [];
  const beside = (path: string, what: string) =>
    join(dirname(path), unfinishedName(`${what}-${basename(path)}`));
  try {
    for (const kind of RECORD_KINDS) made.push(...(await disk.makeFolder(join(published, kind))));
    for (const [path, bytes] of files) {
      leftovers.push(beside(path, "new"));
      await disk.writeFile(beside(path, "new"), bytes);
      if (!existsSync(path)) continue;
      leftovers.push(beside(path, "old"));
      await disk.link(path, beside(path, "old"));
    }
    for (const path of files.keys()) {
      const isThere = existsSync(path);
      undo.push(() => (isThere ? disk.rename(beside(path, "old"), path) : disk.remove(path)));
      await disk.rename(beside(path, "new"), path);
    }
    for (const folder of new Set([...files.keys()].map(dirname))) await disk.syncFolder(folder);
    if (isNew) await disk.rename(published, path);
  } catch (error) {
    for (const step of undo) await step().catch(() => {});
    for (const path of leftovers) await disk.remove(path).catch(() => {});
    for (const folder of made.toReversed()) await disk.remove(folder).catch(() => {});
    throw error;
  }
  for (const path of leftovers) await disk.remove(path).catch(() => {});
}
