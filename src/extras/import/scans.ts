import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { disk } from "../../files/disk.js";
import { unfinishedName } from "../../files/random-name.js";
import { readRegular } from "../../files/regular.js";
import { breaches } from "../../input/checking/breaches.js";
import { hiddenLosses, type ParsedJson, parseJson } from "../../input/checking/json.js";
import { locatedProblems } from "../../input/checking/positions.js";
import { ProblemList, quote } from "../../input/checking/problem.js";
import { templateNotices } from "../../input/checking/rules.js";
import { Scan } from "../../input/checking/schemas.js";
import { goodStandards } from "../../input/input.js";
import { fileError, RECORD_KINDS, wholeFile } from "../../input/locating/files.js";
import { readWhole } from "../../input/locating/locate.js";
import type { PublishedScan, PublishedStandards } from "../../input/records.js";
import { checkedOptions, FILE, type Rule, requireArgument, text } from "../../lib/options.js";
import { writeEmptyPublished } from "../../sample/sample.js";
import { DirectoryEdits, type JsonRecord } from "./directory-edits.js";
import { FORMATS } from "./formats.js";
import { TableRefusedError } from "./import.js";
import { mappedFormat, mappingIn } from "./mapping/mapping.js";
import { type ImportScansOptions, SCANS } from "./scan-options.js";
import {
  countedIn,
  type MergedStandards,
  mergedStandards,
  newListing,
  scannerOf,
  scanRecord,
} from "./scan-records.js";
import { DocumentError, type ScannerFormat, type ScannerRun } from "./scanner-run.js";
import { TABLE_LIMITS } from "./table.js";

/** The checked options of an import. */
interface ScansImport {
  readonly published: string;
  readonly format: ScannerFormat;
  readonly counts: boolean | undefined;
  readonly update: boolean;
}

/** What an import of scanners' files did. */
export interface ScansResult {
  /** The scanner's name. */
  readonly scanner: string;
  /** Whether its newest scan is the published one where a site has scans of others. */
  readonly counts: boolean;
  readonly scans: { readonly added: number; readonly updated: number; readonly unchanged: number };
  /** Listings that were added, and those whose `publishedScan` was set. */
  readonly listings: { readonly added: number; readonly pinned: number };
  /** Ids of the checks that were added to standards.json. */
  readonly checks: readonly string[];
  /** The files that were written, relative to the published directory. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Adds the runs in files of a scanner to a published directory: scans, listings of new sites, and the scanner's checks.
 * Nothing is written if a file does not fit.
 * @param files paths of the scanner's files
 * @param from the scanner: `lighthouse`, `afdocs`, `a14y`, `cloudflare`, or the path of a mapping (docs/scanners.md)
 * @throws TableRefusedError if a file or the mapping does not fit; UndecidedError if the publisher has to say which
 * scanner counts; BadPublishedError; StoreWriteError; TypeError for a wrong argument
 */
export async function importScans(
  files: readonly string[],
  from: string,
  options: ImportScansOptions = {},
): Promise<ScansResult> {
  requireArgument("importScans", "files", files, FILES);
  requireArgument("importScans", "from", from, FROM);
  const { published, counts, update } = checkedOptions("importScans", options, SCANS);
  const format = FORMATS.find(({ name }) => name === from) ?? (await mappedFrom(from));
  const runs = await readRuns(files, format);
  const given = { published, format, counts, update };
  if (existsSync(published) && readdirSync(published).length > 0) return addScans(runs, given);
  const path = resolve(published);
  const unfinished = join(dirname(path), unfinishedName(basename(path)));
  try {
    await writeEmptyPublished(unfinished);
    for (const kind of RECORD_KINDS) await disk.makeFolder(join(unfinished, kind));
    const result = await addScans(runs, { ...given, published: unfinished });
    await disk.rename(unfinished, path);
    return result;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

const FROM = text("the name of a scanner or the path of a mapping");

const FILES: Rule<readonly string[]> = {
  expected: "a list of paths of files",
  accepts: (value): value is readonly string[] =>
    Array.isArray(value) && value.length > 0 && value.every(FILE.accepts),
};

/** The format that a mapping file describes. @throws TableRefusedError */
async function mappedFrom(path: string): Promise<ScannerFormat> {
  const problems = new ProblemList();
  const format = await readInto(problems, path, ({ value }) => mappedFormat(mappingIn(value)));
  if (format !== null) return format;
  if (existsSync(path)) throw new TableRefusedError(path, "mapping", problems);
  const names = FORMATS.map(({ name }) => name).join(", ");
  const message = `is neither a scanner (${names}) nor the path of a mapping`;
  const unknown = new ProblemList();
  unknown.add([wholeFile(path, message)]);
  throw new TableRefusedError(path, "mapping", unknown);
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Reads a JSON file.
 * @param problems receives what is wrong with it
 * @param read makes something of the parsed file, or throws a DocumentError
 * @returns null if there are problems
 */
async function readInto<T>(
  problems: ProblemList,
  file: string,
  read: (json: ParsedJson) => T,
): Promise<T | null> {
  let text = "";
  try {
    const bytes = await readRegular(file, TABLE_LIMITS.bytes);
    const json = parseJson(bytes.subarray(bytes.indexOf(BYTE_ORDER_MARK) === 0 ? 3 : 0));
    text = json.text;
    if ("finding" in json) throw new DocumentError([json.finding]);
    return read(json);
  } catch (error) {
    if (error instanceof DocumentError) {
      problems.add(locatedProblems(file, 1, text, error.findings));
    } else {
      problems.add([wholeFile(file, fileError(error).message)]);
    }
    return null;
  }
}

/** A run, and the file that it comes from. */
interface FileRun {
  readonly file: string;
  readonly run: ScannerRun;
}

/** Reads all files. @throws TableRefusedError with the problems of all of them */
async function readRuns(files: readonly string[], format: ScannerFormat): Promise<FileRun[]> {
  const problems = new ProblemList();
  const runs: FileRun[] = [];
  for (const file of files) {
    const found = await readInto(problems, file, (json) => {
      // The known scanners write numbers as JavaScript holds them. Another one may have ids of 20 digits.
      const losses = format.standards === null ? hiddenLosses(json) : [];
      if (losses.length > 0) throw new DocumentError(losses);
      return format.runs(json.value);
    });
    for (const run of found ?? []) runs.push({ file, run });
  }
  const failed = runs.filter(({ run }) => run.failure !== null);
  if (problems.count === 0 && failed.length === runs.length) {
    problems.add(failed.map(({ file, run }) => wholeFile(file, `has no result: ${run.failure}`)));
  }
  if (problems.count > 0) throw new TableRefusedError(files.join(" "), "scanner's files", problems);
  return runs;
}

async function addScans(runs: readonly FileRun[], options: ScansImport): Promise<ScansResult> {
  const { published, format, counts: flag } = options;
  const done = runs.filter(({ run }) => run.failure === null);
  const results = done.flatMap(({ run }) => run.checks);
  const { present, isTemplate } = presentStandards(published);
  const merged = mergedStandards(format, present, isTemplate, results, flag);
  const records = recordsOf(done, format, merged);
  const edits = new DirectoryEdits(published);
  const hosts = new Map(done.map(({ run }) => [run.host, run]));
  const census = new Census(countedIn(merged, format), flag === undefined ? hosts : null);
  const scans = await addRecords(records, options, edits, census);
  const known = new Set<string>();
  let pinned = 0;
  await edits.eachRecord("listings", (listing, source) => {
    const host = String(listing.host);
    known.add(host);
    const chosen = census.chosen(host);
    if (chosen === null || listing.publishedScan === chosen) return;
    edits.replace(source, { ...listing, publishedScan: chosen });
    pinned += 1;
  });
  const added = [...hosts].filter(([host]) => !known.has(host));
  for (const [, run] of added) edits.append(`listings/${format.name}.ndjson`, newListing(run));
  if (isTemplate || merged.added.length > 0 || merged.standards.rubric !== present.rubric) {
    edits.setDocument("standards.json", merged.standards);
  }
  return {
    scanner: format.scanner,
    counts: merged.counts,
    scans,
    listings: { added: added.length, pinned },
    checks: merged.added,
    files: await edits.write(),
    warnings: warningsOf(runs, records, merged.counts ? 0 : census.uncounted, format),
  };
}

/** The directory's standards. @throws BadPublishedError if one of its documents is bad; PublishedFolderError */
function presentStandards(published: string): { present: PublishedStandards; isTemplate: boolean } {
  goodStandards(published);
  const { bytes } = readWhole(join(published, "standards.json"));
  const json = parseJson(bytes ?? Buffer.alloc(0));
  const present = ("value" in json ? json.value : {}) as PublishedStandards;
  const isLeft = (key: "rubric" | "checks") =>
    [...templateNotices("standards.json")({ [key]: present[key] })].length > 0;
  const isTemplate = isLeft("rubric") && (present.checks.length === 0 || isLeft("checks"));
  return { present, isTemplate };
}

/** A scan to be added, and the file that it comes from. */
interface NewScan {
  readonly file: string;
  readonly record: PublishedScan;
}

/** The records of all runs, by host and id. @throws TableRefusedError */
function recordsOf(
  runs: readonly FileRun[],
  format: ScannerFormat,
  { standards, counts }: MergedStandards,
): Map<string, NewScan> {
  const checks = new Map(standards.checks.map((check) => [check.id, check]));
  const rubric = counts ? standards.rubric.version : null;
  const problems = new ProblemList();
  const records = new Map<string, NewScan>();
  for (const { file, run } of runs) {
    const refuse = (message: string) => problems.add([wholeFile(file, message)]);
    const record = scanRecord(format, run, checks, rubric);
    const [wrong] = breaches(Scan, record);
    if (wrong !== undefined) refuse(`makes no scan: ${wrong.path.join(".")} ${wrong.message}`);
    const ids = new Set(record.checks?.map(({ checkId }) => checkId));
    if (ids.size < (record.checks?.length ?? 0)) refuse("has two checks with one id");
    const key = keyOf(record);
    const earlier = records.get(key);
    if (earlier !== undefined && !isDeepStrictEqual(earlier.record, record)) {
      refuse(
        `has another run of ${record.host} with the id ${quote(record.id)} of ${earlier.file}`,
      );
    }
    records.set(key, { file, record });
  }
  if (problems.count > 0) throw new TableRefusedError("", "scanner's files", problems);
  return records;
}

function keyOf({ host, id }: JsonRecord | PublishedScan): string {
  return `${host} ${id}`;
}

/** Adds the scans that the directory lacks. @throws TableRefusedError if it has one with other content */
async function addRecords(
  records: ReadonlyMap<string, NewScan>,
  { format, update }: ScansImport,
  edits: DirectoryEdits,
  census: Census,
): Promise<ScansResult["scans"]> {
  const problems = new ProblemList();
  const missing = new Map(records);
  let updated = 0;
  await edits.eachRecord("scans", (scan, source) => {
    const key = keyOf(scan);
    const fresh = missing.get(key);
    missing.delete(key);
    const changed = fresh !== undefined && !isDeepStrictEqual(scan, fresh.record) ? fresh : null;
    census.take(changed?.record ?? scan);
    if (changed === null) return;
    updated += 1;
    if (update) edits.replace(source, changed.record);
    const { host, id } = changed.record;
    const place = `${source.file}:${source.line}`;
    const message = `has other content than the scan ${id} of ${host} at ${place}; --update replaces that`;
    if (!update) problems.add([wholeFile(changed.file, message)]);
  });
  if (problems.count > 0) throw new TableRefusedError("", "scanner's files", problems);
  for (const { record } of missing.values()) {
    census.take(record);
    // A file a day, so that a build reads no older file again.
    const day = new Date(record.finishedAt).toISOString().slice(0, 10);
    edits.append(`scans/${format.name}/${day}.ndjson`, record);
  }
  return { added: missing.size, updated, unchanged: records.size - missing.size - updated };
}

interface Newest {
  readonly id: string;
  readonly time: number;
}

/** Which scans count, and the newest of these of each site. */
class Census {
  readonly #counts: (scanner: string | null) => boolean;
  readonly #hosts: ReadonlyMap<string, unknown> | null;
  readonly #newest = new Map<string, Newest>();
  /** Sites with scans that do not count. */
  readonly #others = new Set<string>();

  /**
   * @param counts whether the scans of a scanner count; it is null for scans that name none
   * @param hosts the sites that are looked at; null for all
   */
  constructor(
    counts: (scanner: string | null) => boolean,
    hosts: ReadonlyMap<string, unknown> | null,
  ) {
    this.#counts = counts;
    this.#hosts = hosts;
  }

  take(scan: JsonRecord | PublishedScan): void {
    const host = String(scan.host);
    if (this.#hosts?.has(host) === false) return;
    if (!this.#counts(scannerOf(scan))) {
      this.#others.add(host);
      return;
    }
    const time = Date.parse(String(scan.finishedAt));
    const newest = this.#newest.get(host);
    if (newest !== undefined && time < newest.time) return;
    this.#newest.set(host, { id: String(scan.id), time });
  }

  /** The scan to publish for a site with scans of both kinds; null for any other site. */
  chosen(host: string): string | null {
    return this.#others.has(host) ? (this.#newest.get(host)?.id ?? null) : null;
  }

  /** How many sites have only scans that do not count. */
  get uncounted(): number {
    return [...this.#others].filter((host) => !this.#newest.has(host)).length;
  }
}

function warningsOf(
  runs: readonly FileRun[],
  records: ReadonlyMap<string, NewScan>,
  uncounted: number,
  { scanner }: ScannerFormat,
): string[] {
  const failed = runs.filter(({ run }) => run.failure !== null);
  const warnings = failed.map(({ file, run }) => `${file} is left out: ${run.failure}`);
  const pages = new Map<string, string>();
  for (const { run } of runs) {
    const { host, url } = run;
    const other = pages.get(host);
    pages.set(host, url);
    if (other === undefined || other === url) continue;
    warnings.push(`${host} has runs of ${other} and ${url}; the newest one counts`);
  }
  for (const { record } of records.values()) {
    if (record.status !== "moved") continue;
    warnings.push(`${record.host} redirects to ${record.redirect?.host}, so its scan has no score`);
  }
  if (uncounted > 0) {
    warnings.push(
      `sites with scans of ${scanner} alone: ${uncounted}; there the newest one counts`,
    );
  }
  return warnings;
}
