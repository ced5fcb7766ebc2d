import { itemAt } from "../../contract/tables.js";
import { isObject } from "../../contract/values.js";
import { hiddenLosses, parseJsonText } from "../../input/checking/json.js";
import { quote } from "../../input/checking/problem.js";
import type { FormerRubric } from "../../input/checking/schemas.js";
import type { PublishedScan } from "../../input/records.js";
import { rubricsWith } from "../../publish/rubrics.js";
import { ImportUsageError, newTally } from "./columns.js";
import type { Documents } from "./documents.js";
import { FORMATS } from "./formats.js";
import type { FullPlan } from "./import.js";
import { type ImportWork, type IncomingRecord, recordsOf } from "./placing.js";
import {
  checkIdOf,
  checkOfRun,
  DocumentError,
  type RunCheck,
  type ScannerFormat,
  type ScannerRun,
  scanRecord,
} from "./scanner.js";

/** A run, and the name of the file that it comes from. */
interface FileRun extends ScannerRun {
  readonly file: string;
}

/** A scan as a file has it. */
type GivenScan = Readonly<Record<string, unknown>>;

/** The runs in a file of a scanner. @throws DocumentError if it is none */
export function runsIn(file: string, text: string, format: ScannerFormat): FileRun[] {
  const json = parseJsonText(text);
  if ("finding" in json) throw new DocumentError([json.finding]);
  // The known scanners write numbers as JavaScript holds them. Another one may have ids of 20 digits.
  const losses = format.standards === null ? hiddenLosses(json) : [];
  if (losses.length > 0) throw new DocumentError(losses);
  return [format.runs(json.value)].flat().map((run) => ({ ...run, file }));
}

/**
 * Plans the listings and scans of a scanner's runs. A listing that is there already keeps all but its `publishedScan`,
 * which is set if it has scans that count and others.
 * @throws ImportUsageError if the publisher has to say whose scans count
 */
export async function scannedPlan(
  work: ImportWork,
  format: ScannerFormat,
  all: readonly FileRun[],
): Promise<FullPlan> {
  const { documents, update } = work;
  const { name } = format;
  const runs = all.filter(({ failure }) => failure === undefined);
  const failed = all.filter(({ failure }) => failure !== undefined);
  const results = runs.flatMap((run) => run.checks);
  const { counts, drafted } = mergeStandards(format, documents, results, work.counts);
  const { checks, rubric } = documents.standards;
  const version = counts ? rubric.version : null;
  const scans = runs.map((run) => scanRecord(format, run, checks, version));
  const sites = new Map(runs.map((run) => [run.host, run]));
  const { newest, others } = await censusOf(work, scans, countedScans(counts, documents, format));
  const uncounted = [...sites.keys()].filter((host) => !newest.has(host)).length;
  const listings = { name, kind: "listings", tally: newTally(), unused: [] } as const;
  const history = { name, kind: "scans", tally: newTally(), unused: [] } as const;
  const records = scans.map((scan, index): IncomingRecord => {
    const { host, id, finishedAt } = scan;
    const { file } = itemAt(runs, index);
    // A file a day, so that a build does not read older ones again.
    const target = `scans/${name}-${new Date(finishedAt).toISOString().slice(0, 10)}.ndjson`;
    const at = { file, line: 1, target, ifKnown: update ? "update" : "same" } as const;
    return { ...history, ...at, key: [host, id], apply: () => ({ ...scan }) };
  });
  const listed = [...sites.values()].map(({ file, host, url: page }): IncomingRecord => {
    const url = /^https?:/i.test(page) ? `${new URL(page).origin}/` : `https://${host}/`;
    const chosen = others.has(host) ? newest.get(host)?.id : undefined;
    const at = { file, line: 1, target: `listings/${name}.ndjson`, ifKnown: "update" } as const;
    const apply = (known: GivenScan | null) => {
      const listing = known ?? { host, url, status: "unclaimed" };
      return { ...listing, ...(chosen !== undefined && { publishedScan: chosen }) };
    };
    return { ...listings, ...at, key: [host], apply };
  });
  const warnings = [
    ...failed.map(({ file, failure }) => {
      return `${file} is left out, because it has no result: ${failure}`;
    }),
    ...warningsOf(runs, scans),
    ...(uncounted === 0
      ? []
      : [`sites without a scan that counts: ${uncounted}; the newest scan of each is published`]),
  ];
  return {
    records: [...listed, ...records],
    replaced: new Set(),
    files: [listings, history],
    result: () => ({ filled: [], terms: [], joined: [], drafted, warnings }),
  };
}

/** The newest scans of sites, of those that count, and the sites that have others. */
async function censusOf(
  { published, documents }: ImportWork,
  scans: readonly PublishedScan[],
  counts: (scan: GivenScan) => boolean,
) {
  const newest = new Map<string, GivenScan>();
  const others = new Set<string>();
  const timeOf = ({ finishedAt }: GivenScan) => Date.parse(String(finishedAt));
  const take = (scan: GivenScan) => {
    const host = String(scan.host);
    const before = newest.get(host);
    if (!counts(scan)) others.add(host);
    else if (before === undefined || !(timeOf(scan) < timeOf(before))) newest.set(host, scan);
  };
  const hosts = new Set(scans.map(({ host }) => host));
  if (!documents.isNew) {
    await recordsOf(published, "scans", hosts, new Set(), ({ value }) => take(value));
  }
  for (const scan of scans) take(scan);
  return { newest, others };
}

function warningsOf(runs: readonly FileRun[], scans: readonly PublishedScan[]): string[] {
  const pages = new Map<string, string>();
  return scans.flatMap(({ host, status, redirect }, index) => {
    const { url } = itemAt(runs, index);
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
