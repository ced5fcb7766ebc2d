import { isObject } from "../../contract/values.js";
import { quote } from "../../input/checking/problem.js";
import { templateNotices } from "../../input/checking/rules.js";
import { ImportUsageError } from "./columns.js";
import type { Documents } from "./documents.js";
import { FORMATS } from "./formats.js";
import { checkIdOf, draftedCheck, type PublishedCheck } from "./scan-record.js";
import type { RunCheck, ScannerFormat } from "./scanner-run.js";

/** What an import of a scanner's files did to standards.json. */
export interface Merged {
  /** Whether the scanner's scans count where a site has scans of others. */
  readonly counts: boolean;
  /** Ids of the checks that were added to those of others. */
  readonly added: readonly string[];
}

/**
 * Adds a scanner's methodology to a directory's. It takes the place of the one that `crawldex init` and `crawldex
 * import` write. The rubric of a directory says whose scores count: it becomes the scanner's if the publisher says so.
 * @param results the checks of all runs
 * @param flag the publisher's word; undefined if there is none
 * @throws ImportUsageError if the publisher has to say whose scans count
 */
export function mergeStandards(
  format: ScannerFormat,
  documents: Documents,
  results: readonly RunCheck[],
  flag: boolean | undefined,
): Merged {
  const own = format.standards;
  const isTemplate = hasTemplate(documents);
  const counts = isTemplate || countsIn(documents, format, results, flag);
  if (isTemplate && own !== null) documents.replace("standards.json", { ...own });
  else if (counts && own !== null && !isOf(documents, format)) {
    documents.setEntries("standards.json", "rubric", own.rubric);
  }
  const known = new Set(documents.standards.checks.map(({ id }) => id));
  const drafted = results.map((one) => draftedCheck(format, one));
  const added = new Map<string, PublishedCheck>();
  for (const check of [...(own?.checks ?? []), ...drafted]) {
    if (!known.has(check.id) && !added.has(check.id)) added.set(check.id, check);
  }
  if (added.size > 0) {
    const checks = documents.entries("standards.json", "checks");
    documents.setEntries("standards.json", "checks", [...checks, ...added.values()]);
  }
  return { counts, added: [...added.keys()] };
}

/** Whether the rubric is the one that `crawldex init` writes, and the checks are, too, or are none. */
function hasTemplate(documents: Documents): boolean {
  const { rubric, checks } = documents.standards;
  const isLeft = (part: object) => [...templateNotices("standards.json")({ ...part })].length > 0;
  const written = { checks: documents.entries("standards.json", "checks") };
  return isLeft({ rubric }) && (checks.length === 0 || isLeft(written));
}

/** Whether a directory's scores are those of a scanner: the version of its rubric begins with the scanner's name. */
function isOf({ standards: { rubric } }: Documents, { name }: ScannerFormat): boolean {
  return rubric.version.startsWith(`${name}-`);
}

function countsIn(
  documents: Documents,
  format: ScannerFormat,
  results: readonly RunCheck[],
  flag: boolean | undefined,
): boolean {
  const { name, scanner, standards: own } = format;
  const { rubric, checks } = documents.standards;
  if (isOf(documents, format)) {
    if (flag !== false) return true;
    throw new ImportUsageError(
      `--counts no: the rubric ${quote(rubric.version)} of standards.json is that of ${scanner}, so its scans count; ` +
        "to change that, import the other scanner's files with --counts yes, or write another rubric",
    );
  }
  if (flag !== undefined) return flag;
  const ids = new Set(checks.map(({ id }) => id));
  // An earlier import was told that the scanner's scans do not count.
  if (own !== null && [...ids].some((id) => id.startsWith(`${name}-`))) return false;
  const areKnown = ids.size === 0 || results.every(({ id }) => ids.has(checkIdOf(format, id)));
  // A mapped scanner without a methodology of its own has the publisher's.
  if (own === null && areKnown) return true;
  const change = own === null ? "" : ` (the rubric becomes that of ${scanner})`;
  throw new ImportUsageError(
    `standards.json has other checks than those of ${scanner}, and the rubric ${quote(rubric.version)}. The scans of ` +
      "both are kept; say which count where a site has both: --counts yes for those of " +
      `${scanner}${change}, or --counts no`,
  );
}

/**
 * Whose scans count after an import: the scanner's, or those of the scanner whose rubric the directory has, or else
 * those of the publisher, whom no format names.
 */
export function countedScans(
  { counts }: Merged,
  documents: Documents,
  { scanner }: ScannerFormat,
): (scan: Readonly<Record<string, unknown>>) => boolean {
  const owner = counts ? scanner : FORMATS.find((one) => isOf(documents, one))?.scanner;
  if (owner !== undefined) return (scan) => scannerOf(scan) === owner;
  const known = [scanner, ...FORMATS.map((one) => one.scanner)];
  return (scan) => !known.includes(scannerOf(scan));
}

/** The scanner that a scan names; "" if it names none. */
function scannerOf({ profile }: Readonly<Record<string, unknown>>): string {
  return isObject(profile) ? String(profile.scanner ?? "") : "";
}
