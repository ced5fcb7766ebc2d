import { isObject } from "../../contract/values.js";
import { hiddenLosses, parseJsonText } from "../../input/checking/json.js";
import { locatedProblems } from "../../input/checking/positions.js";
import { Findings, type ProblemList, quote } from "../../input/checking/problem.js";
import type { FormerRubric } from "../../input/checking/schemas.js";
import { wholeFile } from "../../input/locating/files.js";
import type { PublishedScan } from "../../input/records.js";
import { rubricsWith } from "../../publish/rubrics.js";
import { ImportUsageError, newTally, type Tally } from "./columns.js";
import type { Documents, PartialRecord } from "./documents.js";
import { FORMATS } from "./formats.js";
import { eachRecord, type IncomingRecord } from "./placing.js";
import {
  checkIdOf,
  checkOfRun,
  DocumentError,
  type RunCheck,
  type ScannerFormat,
  type ScannerRun,
  scanRecord,
} from "./scanner.js";

/** The text of a file. */
export interface NamedText {
  /** The file's name. */
  readonly name: string;
  readonly text: string;
}

/** How scanners' files are imported. */
interface ScannedOptions {
  readonly published: string;
  readonly documents: Documents;
  /** Whether a scan takes the place of one with the same id. */
  readonly update: boolean;
  /** The publisher's word on whether the scanner's scans count where a site has scans of others. */
  readonly counts?: boolean | undefined;
  /** Receives what does not fit. */
  readonly problems: ProblemList;
}

/** What is in scanners' files, for the directory. */
interface Scanned {
  readonly records: readonly IncomingRecord[];
  readonly listings: Tally;
  readonly scans: Tally;
  /** Ids of the checks that were added to standards.json. */
  readonly drafted: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The listings and scans in files of a scanner. A listing that is there already keeps all but its `publishedScan`,
 * which is set if it has scans that count and others.
 * @throws ImportUsageError if the publisher has to say whose scans count
 */
export async function scannedRecords(
  files: readonly NamedText[],
  format: ScannerFormat,
  { published, documents, update, counts: flag, problems }: ScannedOptions,
): Promise<Scanned> {
  const tallies = { listings: newTally(), scans: newTally() };
  const all = files.flatMap((file) => runsIn(file, format, problems));
  const runs = all.filter(({ run }) => run.failure === undefined);
  const failed = all.filter(({ run }) => run.failure !== undefined);
  if (problems.count === 0 && runs.length === 0) {
    problems.add(
      failed.map(({ file, run }) => {
        return wholeFile(file, { code: "table-wrong", message: `has no result: ${run.failure}` });
      }),
    );
  }
  if (problems.count > 0) return { records: [], ...tallies, drafted: [], warnings: [] };
  const results = runs.flatMap(({ run }) => run.checks);
  const { counts, drafted } = mergeStandards(format, documents, results, flag);
  const { checks, rubric } = documents.standards;
  const version = counts ? rubric.version : null;
  const scans = runs.map(({ file, run }): FileScan => {
    return { file, run, scan: scanRecord(format, run, checks, version) };
  });
  const sites = new Map(scans.map((one) => [one.scan.host, one]));
  const hosts = new Set(sites.keys());
  const census = new Census(countedScans(counts, documents, format));
  if (!documents.isNew) {
    const read = {
      kind: "scans",
      hosts,
      without: new Set<string>(),
      findings: new Findings(),
    } as const;
    await eachRecord(published, read, ({ value }) => census.take(value));
  }
  for (const { scan } of scans) census.take(scan);
  const uncounted = [...hosts].filter((host) => !census.newest.has(host)).length;
  return {
    records: [
      ...[...sites.values()].map((one): IncomingRecord => {
        const target = `listings/${format.name}.ndjson`;
        return { ...listingOf(one, census), target, tally: tallies.listings };
      }),
      ...scans.map(({ scan, file }): IncomingRecord => {
        const { host, id, finishedAt } = scan;
        // A file a day, so that a build does not read older ones again.
        const day = new Date(finishedAt).toISOString().slice(0, 10);
        return {
          file,
          line: 1,
          kind: "scans",
          key: [host, id],
          target: `scans/${format.name}-${day}.ndjson`,
          ifKnown: update ? "update" : "same",
          tally: tallies.scans,
          apply: () => ({ ...scan }),
        };
      }),
    ],
    ...tallies,
    drafted,
    warnings: [
      ...failed.map(({ file, run }) => {
        return `${file} is left out, because it has no result: ${run.failure}`;
      }),
      ...warningsOf(scans),
      ...(uncounted === 0
        ? []
        : [`sites without a scan that counts: ${uncounted}; the newest scan of each is published`]),
    ],
  };
}

/** A run, and the file that it comes from. */
interface FileRun {
  readonly file: string;
  readonly run: ScannerRun;
}

interface FileScan extends FileRun {
  readonly scan: PublishedScan;
}

/** The runs in a file. @param problems receives why it is none of the scanner's */
function runsIn(
  { name: file, text }: NamedText,
  format: ScannerFormat,
  problems: ProblemList,
): FileRun[] {
  const json = parseJsonText(text);
  try {
    if ("finding" in json) throw new DocumentError([json.finding]);
    // The known scanners write numbers as JavaScript holds them. Another one may have ids of 20 digits.
    const losses = format.standards === null ? hiddenLosses(json) : [];
    if (losses.length > 0) throw new DocumentError(losses);
    return format.runs(json.value).map((run) => ({ file, run }));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    problems.add(locatedProblems(file, 1, text, error.findings));
    return [];
  }
}

/** The listing of a site: a new one, or the present one with the scan that counts. */
function listingOf({ file, run: { host, url } }: FileScan, census: Census) {
  const address = /^https?:/i.test(url) ? `${new URL(url).origin}/` : `https://${host}/`;
  const publishedScan = census.chosen(host);
  return {
    file,
    line: 1,
    kind: "listings",
    key: [host],
    ifKnown: "update",
    apply: (known: Readonly<PartialRecord> | null) => ({
      ...(known ?? { host, url: address, status: "unclaimed" }),
      ...(publishedScan !== undefined && { publishedScan }),
    }),
  } as const;
}

function warningsOf(scans: readonly FileScan[]): string[] {
  const pages = new Map<string, string>();
  return scans.flatMap(({ run: { host, url }, scan: { status, redirect } }) => {
    const other = pages.get(host) ?? url;
    pages.set(host, url);
    return [
      ...(other === url ? [] : [`${host} has runs of ${other} and ${url}; the newest one counts`]),
      ...(status === "moved"
        ? [`${host} redirects to ${redirect?.host}, so its scan has no score`]
        : []),
    ];
  });
}

/** A scan as a file has it. */
type GivenScan = Readonly<Record<string, unknown>>;

/** The newest scans of sites, of those that count, and the sites that have others. */
class Census {
  readonly newest = new Map<string, { readonly id: string; readonly time: number }>();
  readonly #others = new Set<string>();
  readonly #counts: (scan: GivenScan) => boolean;

  /** @param counts whether a scan counts */
  constructor(counts: (scan: GivenScan) => boolean) {
    this.#counts = counts;
  }

  take(scan: GivenScan): void {
    const host = String(scan.host);
    const time = Date.parse(String(scan.finishedAt));
    const newest = this.newest.get(host);
    if (!this.#counts(scan)) this.#others.add(host);
    else if (newest === undefined || !(time < newest.time)) {
      this.newest.set(host, { id: String(scan.id), time });
    }
  }

  /** The scan to publish for a site with scans of both kinds. */
  chosen(host: string): string | undefined {
    return this.#others.has(host) ? this.newest.get(host)?.id : undefined;
  }
}

/**
 * Adds a scanner's methodology to a directory's. It takes the place of the one that `crawldex init` and `crawldex
 * import` write. The rubric of a directory says whose scores count: it becomes the scanner's if the publisher says so.
 * Scans under the former one keep their bands.
 * @param results the checks of all runs
 * @param flag the publisher's word; undefined if there is none
 * @returns whether the scanner's scans count where a site has scans of others, and the ids of added checks
 * @throws ImportUsageError if the publisher has to say whose scans count
 */
function mergeStandards(
  format: ScannerFormat,
  documents: Documents,
  results: readonly RunCheck[],
  flag: boolean | undefined,
) {
  const { standards: own } = format;
  const { rubric, checks } = documents.standards;
  const isTemplate =
    documents.hasTemplate("rubric") && (checks.length === 0 || documents.hasTemplate("checks"));
  const counts = isTemplate || countsIn(documents, format, results, flag);
  if (isTemplate && own !== null) documents.replace("standards.json", own);
  else if (counts && own !== null && !isOf(documents, format)) {
    const stated = documents.entries("standards.json", "formerRubrics") as readonly FormerRubric[];
    const others = stated.filter(({ version }) => version !== own.rubric.version);
    const formerRubrics = rubricsWith(others, rubric);
    documents.change("standards.json", { rubric: own.rubric, formerRubrics });
  }
  const present = documents.entries("standards.json", "checks");
  const known = new Set<unknown>(present.map(({ id }) => id));
  const ofScanner = [...(own?.checks ?? []), ...results.map((one) => checkOfRun(format, one))];
  const added = ofScanner.filter(({ id }) => !known.has(id) && known.add(id));
  if (added.length > 0) documents.change("standards.json", { checks: [...present, ...added] });
  return { counts, drafted: added.map(({ id }) => id) };
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
function countedScans(
  counts: boolean,
  documents: Documents,
  { scanner }: ScannerFormat,
): (scan: GivenScan) => boolean {
  const owner = counts ? scanner : FORMATS.find((one) => isOf(documents, one))?.scanner;
  const known = [scanner, ...FORMATS.map((one) => one.scanner)];
  return ({ profile }) => {
    const named = isObject(profile) ? String(profile.scanner ?? "") : "";
    return owner === undefined ? !known.includes(named) : named === owner;
  };
}
