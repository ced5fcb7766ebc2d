import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { hostHash } from "../../contract/host.js";
import { addTo } from "../../contract/tables.js";
import { isObject } from "../../contract/values.js";
import { breaches } from "../../input/checking/breaches.js";
import { hiddenLosses, parseJson } from "../../input/checking/json.js";
import { Findings, formatPath, type Problem, ProblemList } from "../../input/checking/problem.js";
import { checkRecord } from "../../input/checking/record.js";
import { listingChecks, scanChecks } from "../../input/checking/rules.js";
import { BadPublishedError } from "../../input/input.js";
import {
  findFiles,
  isOneRecord,
  RECORD_KINDS,
  type RecordKind,
} from "../../input/locating/files.js";
import { locateRecords } from "../../input/locating/locate.js";
import { KINDS, type Tally } from "./columns.js";
import type { Documents, PartialRecord } from "./documents.js";
import type { ImportOptions, TableKind } from "./options.js";
import { editedLines, replaceFiles } from "./replace.js";
import type { Place } from "./terms.js";

/** A record, or an entry of a document, that an import brings. */
export interface IncomingRecord extends Place {
  readonly kind: TableKind;
  /** What tells it from others: the host, and the id of a scan; the slug or id of an entry. */
  readonly key: readonly string[];
  /** The file to which it is added if it is new, such as `listings/sites.ndjson`. */
  readonly target: string;
  /**
   * What to do if the published directory has it already: `refuse` it, `update` what is there, or refuse it unless it
   * is the `same`.
   */
  readonly ifKnown: "refuse" | "update" | "same";
  /**
   * The record to write.
   * @param known the one that is there, which is not changed
   * @param order the position of a new entry in its list, counted from 1
   */
  apply(known: Readonly<PartialRecord> | null, order: number): PartialRecord;
  /** Counts what becomes of it. */
  readonly tally: Tally;
}

/** A record that the published directory has. The line of an entry is its index in its list. */
interface KnownRecord extends Place {
  readonly value: Readonly<PartialRecord>;
}

/** What is written into a published directory. */
interface Changes {
  /** New texts of records, by the path of the file in the directory and the line. */
  readonly edits: Map<string, Map<number, string>>;
  /** Records at the ends of files. */
  readonly additions: Map<string, string[]>;
  /** The new lists of documents. */
  readonly lists: ReadonlyMap<TableKind, PartialRecord[]>;
}

/** An import into a published directory. */
export interface ImportWork extends ImportOptions {
  readonly published: string;
  readonly update: boolean;
  readonly replace: boolean;
  /** The paths of the tables' files. */
  readonly tables: readonly string[];
  readonly documents: Documents;
  /** Receives what is wrong. If there is anything at the end, nothing was written. */
  readonly problems: ProblemList;
}

/** What an import brings. */
export interface ImportPlan {
  readonly records: readonly IncomingRecord[];
  /** Files whose records are given anew, relative to the directory. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * Writes records and documents into a published directory: all of them, or nothing at all.
 * @throws BadPublishedError if records that are there cannot be read; StoreWriteError
 */
export async function placeRecords(work: ImportWork, plan: ImportPlan): Promise<void> {
  const { published, documents, problems } = work;
  const { records, replaced } = plan;
  const say = ({ file, line }: Place, path: string, message: string) =>
    problems.add([{ code: "table-wrong", file, line, column: 1, path, message }]);
  const given = withoutRepeats(records, say);
  const lists = new Map<TableKind, PartialRecord[]>();
  for (const kind of new Set(records.map((one) => one.kind))) {
    const { document } = KINDS[kind];
    if (document !== null) lists.set(kind, [...documents.entries(document, kind)]);
  }
  const known = await knownRecords(work, given, replaced);
  const changes: Changes = { edits: new Map(), additions: new Map(), lists };
  const { standards, taxonomy } = documents;
  const checks = {
    listings: listingChecks({ standards, taxonomy }),
    scans: scanChecks({ standards, taxonomy }),
  };
  for (const record of records) {
    const { kind, file, line } = record;
    if (kind === "listings" || kind === "scans") continue;
    const value = record.apply(known.get(nameOf(record))?.value ?? null, 1);
    for (const { code, path, message } of breaches(KINDS[kind].schema, value)) {
      problems.add([{ code, file, line, column: 1, path: formatPath(path), message }]);
    }
  }
  for (const [name, record] of given) {
    const { kind, file, line } = record;
    const value = placed(record, known.get(name), changes, say);
    if (value === null || (kind !== "listings" && kind !== "scans")) continue;
    const source = { file: "table.ndjson", line, bytes: Buffer.from(JSON.stringify(value)) };
    const found = checkRecord<unknown>(checks[kind], source).problems;
    problems.add(found.map((problem) => ({ ...problem, file, column: 1 })));
  }
  if (problems.count > 0) return;
  for (const [kind, entries] of lists) {
    const { document } = KINDS[kind];
    const hasChanged = records.some(({ tally }) => tally.added + tally.updated > 0);
    if (document !== null && hasChanged) documents.change(document, { [kind]: entries });
  }
  await replaceFiles(published, filesOf(work, changes, replaced), RECORD_KINDS);
}

type Say = (at: Place, path: string, message: string) => void;

/** Where a problem of a whole record is: an entry's is at its slug or id. */
function pathOf({ kind }: IncomingRecord): string {
  return KINDS[kind].document === null ? "$" : `$.${KINDS[kind].keys[0]}`;
}

/** For messages. */
function titleOf({ key: [first, id] }: IncomingRecord): string {
  return id === undefined ? `${first}` : `scan ${id} of ${first}`;
}

/** For comparisons: unlike any other record's. */
function nameOf({ kind, key }: Pick<IncomingRecord, "kind" | "key">): string {
  return JSON.stringify([kind, ...key]);
}

/**
 * Decides what becomes of a record.
 * @param known the one that is there
 * @param say receives why it is refused
 * @returns null if nothing is written for it
 */
function placed(
  record: IncomingRecord,
  known: KnownRecord | undefined,
  { edits, additions, lists }: Changes,
  say: Say,
): PartialRecord | null {
  const { kind, target, ifKnown, tally } = record;
  const list = lists.get(kind);
  tally.paths.add(known?.file ?? target);
  if (known === undefined) {
    const value = record.apply(null, (list?.length ?? 0) + 1);
    if (list === undefined) addTo(additions, target, `${JSON.stringify(value)}\n`);
    else list.push(value);
    tally.added += 1;
    return value;
  }
  const at = list === undefined ? `${known.file}:${known.line}` : known.file;
  if (ifKnown === "refuse") {
    const remedy = `--update changes ${list === undefined ? "the record there" : "it"}`;
    say(record, pathOf(record), `${titleOf(record)} is in ${at} already; ${remedy}`);
    return null;
  }
  const value = record.apply(known.value, known.line);
  if (isDeepStrictEqual(value, known.value)) {
    tally.unchanged += 1;
    return null;
  }
  if (ifKnown === "same") {
    say(
      record,
      pathOf(record),
      `${titleOf(record)} is in ${at} with other content; --update replaces it`,
    );
    return null;
  }
  tally.updated += 1;
  if (list === undefined) {
    const lines = edits.get(known.file) ?? new Map<number, string>();
    const isOne = isOneRecord(known.file);
    lines.set(known.line, isOne ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value));
    edits.set(known.file, lines);
  } else list[known.line] = value;
  return value;
}

/** The records by their keys. One that is given twice is refused, unless both say the same. */
function withoutRepeats(
  incoming: readonly IncomingRecord[],
  say: Say,
): ReadonlyMap<string, IncomingRecord> {
  const given = new Map<string, IncomingRecord>();
  for (const record of incoming) {
    const { ifKnown } = record;
    const first = given.get(nameOf(record));
    if (first === undefined) {
      given.set(nameOf(record), record);
      continue;
    }
    const isSame = () => isDeepStrictEqual(record.apply(null, 0), first.apply(null, 0));
    if (ifKnown === "same" && isSame()) continue;
    const at = `${first.file}:${first.line}`;
    say(record, pathOf(record), `is ${titleOf(record)} a second time; the first is ${at}`);
  }
  return given;
}

/** What the published directory has under the keys of the given records. */
async function knownRecords(
  { published, documents }: ImportWork,
  given: ReadonlyMap<string, IncomingRecord>,
  replaced: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KnownRecord>> {
  const known = new Map<string, KnownRecord>();
  const take = (kind: TableKind, at: KnownRecord) => {
    const name = nameOf({ kind, key: KINDS[kind].keys.map((key) => String(at.value[key])) });
    if (given.has(name) && !known.has(name)) known.set(name, at);
  };
  const hosts = new Set([...given.values()].map(({ key: [host = ""] }) => host));
  const problems = new ProblemList();
  for (const kind of new Set([...given.values()].map((one) => one.kind))) {
    const { document } = KINDS[kind];
    if (document !== null) {
      for (const [line, value] of documents.entries(document, kind).entries()) {
        take(kind, { file: document, line, value });
      }
    } else if ((kind === "listings" || kind === "scans") && !documents.isNew) {
      problems.add(await recordsOf(published, kind, hosts, replaced, (one) => take(kind, one)));
    }
  }
  if (problems.count === 0) return known;
  throw new BadPublishedError(published, "published directory", problems);
}

/**
 * Reads records of hosts, except those that reading would change. A build reports them.
 * @param without files that are not read
 * @returns why files cannot be read
 */
export async function recordsOf(
  published: string,
  kind: RecordKind,
  hosts: ReadonlySet<string>,
  without: ReadonlySet<string>,
  onRecord: (record: KnownRecord) => void,
): Promise<readonly Problem[]> {
  const findings = new Findings();
  const root = realpathSync(published);
  if (!existsSync(join(root, kind))) return [];
  const hashes = new Set([...hosts].map(hostHash));
  const files = (await findFiles(root, kind, findings)).filter(({ name }) => !without.has(name));
  await locateRecords(files, {
    onLost: () => {},
    onProblem: (problem) => findings.problems.add([problem]),
    onRecord: ({ file, line, bytes }, hash) => {
      if (!hashes.has(hash)) return;
      const json = parseJson(bytes);
      if ("finding" in json || hiddenLosses(json).length > 0 || !isObject(json.value)) return;
      if (hosts.has(String(json.value.host))) onRecord({ file, line, value: json.value });
    },
  });
  return findings.problems.sorted;
}

/** The files to write, by their real paths, with their new bytes. */
function filesOf(
  { published, documents }: ImportWork,
  { edits, additions }: Changes,
  replaced: ReadonlySet<string>,
): Map<string, Iterable<Uint8Array>> {
  const files = new Map<string, Iterable<Uint8Array>>();
  const real = (name: string) => {
    const path = join(published, name);
    return existsSync(path) ? realpathSync(path) : path;
  };
  for (const [name, text] of documents.changed) files.set(real(name), bytesOf([text]));
  for (const name of new Set([...edits.keys(), ...additions.keys(), ...replaced])) {
    const path = real(name);
    const edited = edits.get(name) ?? new Map<number, string>();
    const added = additions.get(name) ?? [];
    const isKept = existsSync(path) && !replaced.has(name);
    if (isKept && !isOneRecord(name)) files.set(path, editedLines(path, edited, added));
    else files.set(path, bytesOf(isKept ? edited.values() : added));
  }
  return files;
}

function* bytesOf(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
