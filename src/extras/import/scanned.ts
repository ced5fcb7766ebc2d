import { existsSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { hostHash } from "../../contract/host.js";
import { hiddenLosses, parseJsonText } from "../../input/checking/json.js";
import { locatedProblems } from "../../input/checking/positions.js";
import { Findings, type ProblemList } from "../../input/checking/problem.js";
import { templateNotices } from "../../input/checking/rules.js";
import { findFiles, type RecordKind, wholeFile } from "../../input/locating/files.js";
import { locateRecords } from "../../input/locating/locate.js";
import type { PublishedScan } from "../../input/records.js";
import type { Documents } from "./documents.js";
import { countedScans, mergeStandards } from "./methodology.js";
import { type IncomingRecord, objectIn, type Tally } from "./placing.js";
import { scanRecord } from "./scan-record.js";
import { DocumentError, type ScannerFormat, type ScannerRun } from "./scanner-run.js";

/** The text of a scanner's file. */
export interface ScannedFile {
  readonly path: string;
  readonly text: string;
}

/** What became of the records of scanners' files. */
export interface ScannedTally {
  readonly name: string;
  readonly kind: RecordKind;
  /** The file of new records; `*` stands for the day on which a scan finished. */
  readonly target: string;
  readonly tally: Tally;
}

/** A run, and the file that it comes from. */
interface FileRun {
  readonly file: string;
  readonly run: ScannerRun;
}

/** How scanners' files are imported. */
interface ScannedOptions {
  readonly published: string;
  readonly documents: Documents;
  /** Whether a scan takes the place of one with the same id. */
  readonly update: boolean;
  /** The publisher's word on whether the scanner's scans count where a site has scans of others. */
  readonly counts: boolean | undefined;
  /** Receives what does not fit. */
  readonly problems: ProblemList;
}

/** What is in scanners' files, for the directory. */
interface Scanned {
  readonly records: readonly IncomingRecord[];
  readonly tallies: readonly ScannedTally[];
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
  files: readonly ScannedFile[],
  format: ScannerFormat,
  options: ScannedOptions,
): Promise<Scanned> {
  const { published, documents, update, problems } = options;
  const all = files.flatMap((file) => runsIn(file, format, problems));
  const runs = all.filter(({ run }) => run.failure === null);
  const failed = all.filter(({ run }) => run.failure !== null);
  const failures = failed.map(
    ({ file, run }) => `${file} is left out, because it has no result: ${run.failure}`,
  );
  if (problems.count === 0 && runs.length === 0) {
    problems.add(
      failed.map(({ file, run }) => {
        const message = `has no result: ${run.failure}`;
        return wholeFile(file, { code: "table-wrong", message });
      }),
    );
  }
  if (problems.count > 0) return { records: [], tallies: [], drafted: [], warnings: [] };
  const results = runs.flatMap(({ run }) => run.checks);
  const merged = mergeStandards(format, documents, results, options.counts);
  const { checks, rubric } = documents.standards;
  const byId = new Map(checks.map((check) => [check.id, check]));
  const version = merged.counts ? rubric.version : null;
  const scans = runs.map(({ file, run }) => {
    return { file, run, scan: scanRecord(format, run, byId, version) };
  });
  const census = new Census(countedScans(merged, documents, format));
  const hosts = new Set(scans.map(({ scan }) => scan.host));
  if (!documents.isNew) await census.read(published, hosts);
  for (const { scan } of scans) census.take(scan);
  const tallyOf = (kind: RecordKind): ScannedTally => {
    const tally = { added: 0, updated: 0, unchanged: 0 };
    const day = kind === "scans" ? "-*" : "";
    return { name: format.name, kind, target: `${kind}/${format.name}${day}.ndjson`, tally };
  };
  const tallies = [tallyOf("listings"), tallyOf("scans")] as const;
  const ifKnown = update ? "update" : "same";
  const sites = new Map(scans.map((one) => [one.scan.host, one]));
  return {
    records: [
      ...[...sites.values()].map((one) => listingOf(one, tallies[0], census)),
      ...scans.map((one): IncomingRecord => {
        const { scan, file } = one;
        const { host, id } = scan;
        // A file a day, so that a build does not read older ones again.
        const day = new Date(scan.finishedAt).toISOString().slice(0, 10);
        const target = `scans/${format.name}-${day}.ndjson`;
        const { tally } = tallies[1];
        const apply = () => ({ ...scan });
        return { file, line: 1, kind: "scans", host, id, target, ifKnown, tally, apply };
      }),
    ],
    tallies,
    drafted: merged.added,
    warnings: [...failures, ...warningsOf(scans), ...census.warnings(hosts)],
  };
}

/** The runs in a file. @param problems receives why it is none of the scanner's */
function runsIn(
  { path, text }: ScannedFile,
  format: ScannerFormat,
  problems: ProblemList,
): FileRun[] {
  const file = basename(path);
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

interface FileScan extends FileRun {
  readonly scan: PublishedScan;
}

/** The listing of a site: a new one, or the present one with the scan that counts. */
function listingOf(
  { file, run }: FileScan,
  { target, tally }: ScannedTally,
  census: Census,
): IncomingRecord {
  const { host, url } = run;
  const address = /^https?:/i.test(url) ? `${new URL(url).origin}/` : `https://${host}/`;
  const publishedScan = census.chosen(host);
  return {
    file,
    line: 1,
    kind: "listings",
    host,
    id: "",
    target,
    ifKnown: "update",
    tally,
    apply: (known) => ({
      ...(known ?? { host, url: address, status: "unclaimed" }),
      ...(publishedScan !== null && { publishedScan }),
    }),
  };
}

/** The newest scans of sites, of those that count, and the sites that have others. */
class Census {
  readonly #counts: (scan: Readonly<Record<string, unknown>>) => boolean;
  readonly #newest = new Map<string, { readonly id: string; readonly time: number }>();
  readonly #others = new Set<string>();

  /** @param counts whether a scan counts */
  constructor(counts: (scan: Readonly<Record<string, unknown>>) => boolean) {
    this.#counts = counts;
  }

  /** Takes the scans of sites that a published directory has. A build reports those that cannot be read. */
  async read(published: string, hosts: ReadonlySet<string>): Promise<void> {
    const hashes = new Set([...hosts].map(hostHash));
    const root = realpathSync(published);
    if (!existsSync(`${root}/scans`)) return;
    await locateRecords(await findFiles(root, "scans", new Findings()), {
      onLost: () => {},
      onProblem: () => {},
      onRecord: (source, hash) => {
        const scan = hashes.has(hash) ? objectIn(source) : null;
        if (scan !== null && hosts.has(String(scan.host))) this.take(scan);
      },
    });
  }

  take(scan: Readonly<Record<string, unknown>>): void {
    const host = String(scan.host);
    if (!this.#counts(scan)) {
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

  warnings(hosts: ReadonlySet<string>): string[] {
    const { length } = [...hosts].filter((host) => !this.#newest.has(host));
    return length === 0
      ? []
      : [`sites without a scan that counts: ${length}; the newest scan of each is published`];
  }
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

/** Whether the rubric of a directory is still the one that `crawldex init` writes. */
export function isTemplate({ standards: { rubric } }: Documents): boolean {
  return [...templateNotices("standards.json")({ rubric })].length > 0;
}
