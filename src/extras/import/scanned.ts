import { basename } from "node:path";
import {
  didYouMean,
  formatPath,
  type Problem,
  type ProblemList,
} from "../../input/checking/problem.js";
import { templateNotices } from "../../input/checking/rules.js";
import { RECORD_KINDS, type RecordKind } from "../../input/locating/files.js";
import { ImportUsageError } from "./columns.js";
import type { Documents } from "./documents.js";
import type { IncomingRecord, Tally } from "./placing.js";
import { FORMATS, ScannedFileError, type ScannedSite, type ScannerFormat } from "./scanner.js";

/** The parsed file of a scanner. */
export interface ScannedFile {
  readonly path: string;
  readonly json: unknown;
}

/** What became of the records of a scanner's file. */
export interface ScannedTally {
  readonly name: string;
  readonly kind: RecordKind;
  readonly target: string;
  readonly tally: Tally;
}

/** The format that `--from` names. @throws ImportUsageError if there is none */
export function formatNamed(from: string): ScannerFormat {
  const format = FORMATS.find(({ name }) => name === from);
  if (format !== undefined) return format;
  const names = FORMATS.map(({ name }) => name);
  const known = `${didYouMean(from, names)}; known are ${names.join(", ")}`;
  throw new ImportUsageError(`--from: there is no format ${JSON.stringify(from)}${known}`);
}

/**
 * The listings and scans in files of a scanner. A listing that is there already stays as it is; a scan is added. If the
 * rubric is still that of `crawldex init`, the scanner's standards take the place of standards.json.
 * @param problems receives what cannot be read
 */
export function scannedRecords(
  files: readonly ScannedFile[],
  format: ScannerFormat,
  documents: Documents,
  { update, problems }: { readonly update: boolean; readonly problems: ProblemList },
): { records: IncomingRecord[]; tallies: ScannedTally[] } {
  const records: IncomingRecord[] = [];
  const tallies = RECORD_KINDS.map((kind): ScannedTally => {
    const tally = { added: 0, updated: 0, unchanged: 0 };
    return { name: format.name, kind, target: `${kind}/${format.name}.ndjson`, tally };
  });
  for (const { path, json } of files) {
    const file = basename(path);
    try {
      if (!format.isOne(json)) throw new ScannedFileError([], `is no file of ${format.name}`);
      if (isTemplate(documents)) documents.replace("standards.json", format.standards(json));
      const sites = format.sites(json);
      records.push(...sites.flatMap((site) => recordsOf(site, file, tallies, update)));
    } catch (error) {
      problems.add([problemOf(file, error)]);
    }
  }
  return { records, tallies };
}

/** The listing and the scan of a site. */
function recordsOf(
  { host, url, scan }: ScannedSite,
  file: string,
  tallies: readonly ScannedTally[],
  update: boolean,
): IncomingRecord[] {
  const ifScanned = update ? "update" : "same";
  return tallies.map(({ kind, target, tally }): IncomingRecord => {
    const isScan = kind === "scans";
    const id = isScan ? String(scan.id) : "";
    const ifKnown = isScan ? ifScanned : "keep";
    const apply = () => (isScan ? { ...scan } : { host, url, status: "unclaimed" });
    return { file, line: 1, kind, host, id, target, ifKnown, tally, apply };
  });
}

function problemOf(file: string, error: unknown): Problem {
  if (!(error instanceof ScannedFileError)) throw error;
  const path = formatPath(error.path);
  return { code: "table-wrong", file, line: 1, column: 1, path, message: error.message };
}

/** Whether the rubric of a directory is still the one that `crawldex init` writes. */
export function isTemplate({ standards: { rubric } }: Documents): boolean {
  return [...templateNotices("standards.json")({ rubric })].length > 0;
}
