import { canonicalHostOf } from "../../contract/host.js";
import { isObject } from "../../contract/values.js";
import { quote } from "../../input/checking/problem.js";
import type { PublishedListing, PublishedScan, PublishedStandards } from "../../input/records.js";
import { FORMATS } from "./formats.js";
import type { RunCheck, ScannerFormat, ScannerRun } from "./scanner-run.js";

type PublishedCheck = PublishedStandards["checks"][number];

/**
 * The id in standards.json of a scanner's check: `robotsTxt` of URL Scanner is `cloudflare-robots-txt`. The scanner's
 * name keeps the checks of two scanners apart. A mapped scanner's checks have none, since they may be the publisher's.
 */
export function checkIdOf({ name, standards }: ScannerFormat, id: string): string {
  const slug = id
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return standards === null ? slug : `${name}-${slug}`;
}

/** A check that standards.json lacks, in its form. */
export function draftedCheck(
  format: ScannerFormat,
  { id, title, maxPoints }: RunCheck,
): PublishedCheck {
  const isScored = maxPoints > 0;
  return {
    id: checkIdOf(format, id),
    name: title,
    kind: isScored ? "achievement" : "capability",
    block: isScored ? 1 : null,
    maxPoints: rounded(maxPoints),
  };
}

/**
 * The record of a run.
 * @param checks the checks of standards.json, by their ids
 * @param rubric the version of the methodology if the file does not say it
 */
export function scanRecord(
  format: ScannerFormat,
  run: ScannerRun,
  checks: ReadonlyMap<string, PublishedCheck>,
  rubric: string | null,
): PublishedScan {
  const { host } = run;
  const to = run.finalUrl === null ? host : canonicalHostOf(run.finalUrl);
  // What the scanner found is about another site.
  const hasMoved = to !== null && to !== host;
  const score = hasMoved ? null : run.score;
  const results = hasMoved ? [] : run.checks;
  const earned = results.reduce((sum, { points }) => sum + points, 0);
  return {
    host,
    id: scanId(format, run),
    status: hasMoved ? "moved" : "complete",
    finishedAt: run.finishedAt,
    score,
    scoreVersion: score === null ? null : (run.scoreVersion ?? rubric),
    summary: run.summary,
    ...(score !== null && { block1: rounded(earned), block2: 0, penalties: 0 }),
    ...(hasMoved && { redirect: { host: to, status: null } }),
    profile: {
      scanner: format.scanner,
      scannerVersion: run.scannerVersion,
      url: run.url,
      ...run.profile,
    },
    checks: results.map((result) => checkRecord(format, result, checks)),
    fixes: results.flatMap((result) => fixRecord(format, result, checks)),
  };
}

function scanId({ name }: ScannerFormat, { key }: ScannerRun): string {
  return `${name}-${key}`.replace(/[^a-zA-Z0-9_-]+/g, "-").slice(0, SCAN_ID_MAX);
}

const SCAN_ID_MAX = 128;

function checkRecord(
  format: ScannerFormat,
  result: RunCheck,
  checks: ReadonlyMap<string, PublishedCheck>,
) {
  const { status, points, maxPoints, summary, details } = result;
  const check = checks.get(checkIdOf(format, result.id)) ?? draftedCheck(format, result);
  const { id, name, title = name, version = 1, kind, block = null, lifecycle = "active" } = check;
  return {
    checkId: id,
    checkVersion: version,
    title,
    label: name,
    kind,
    block,
    status,
    points: rounded(points),
    maxPoints: rounded(maxPoints),
    lifecycle,
    summary,
    details,
  };
}

function fixRecord(
  format: ScannerFormat,
  result: RunCheck,
  checks: ReadonlyMap<string, PublishedCheck>,
) {
  const { fix, status, points, maxPoints } = result;
  if (fix === null || (status !== "fail" && status !== "warn")) return [];
  const { checkId, title, kind } = checkRecord(format, result, checks);
  const recoverablePoints = rounded(maxPoints - points);
  const promptStatus = "unavailable" as const;
  return [
    {
      checkId,
      title,
      kind,
      status,
      summary: fix,
      recoverablePoints,
      scoreAfter: null,
      prompt: null,
      promptStatus,
    },
  ];
}

/** The listing of a site that the directory does not have yet. */
export function newListing({ host, url }: ScannerRun): PublishedListing {
  const address = /^https?:/i.test(url) ? `${new URL(url).origin}/` : `https://${host}/`;
  return { host, url: address, status: "unclaimed" };
}

/** Rounds points to hundredths, as pages show them. */
function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}

/** Which scanner a record of a scan names; null if it names none. */
export function scannerOf({ profile }: Readonly<Record<string, unknown>>): string | null {
  return isObject(profile) && typeof profile.scanner === "string" ? profile.scanner : null;
}

/** The standards that a directory has after an import, and whether the scanner's scores count in it. */
export interface MergedStandards {
  readonly standards: PublishedStandards;
  /** Whether the scanner's newest scan is the published one where a site has scans of others. */
  readonly counts: boolean;
  /** Ids of the checks that were added. */
  readonly added: readonly string[];
}

/** A directory has the standards of another scanner or of its publisher, who has to say which scans count. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
}

/**
 * Adds a scanner's methodology to a directory's.
 * @param present the directory's standards
 * @param isTemplate whether they are those that `crawldex import` writes: the scanner's take their place
 * @param results the checks of all runs
 * @param flag the publisher's word; undefined if there is none
 * @throws UndecidedError
 */
export function mergedStandards(
  format: ScannerFormat,
  present: PublishedStandards,
  isTemplate: boolean,
  results: readonly RunCheck[],
  flag: boolean | undefined,
): MergedStandards {
  const own = format.standards;
  const base = isTemplate && own !== null ? own : present;
  const counts = isTemplate || countsIn(present, format, results, flag);
  const known = new Set(base.checks.map(({ id }) => id));
  const added = new Map<string, PublishedCheck>();
  for (const check of [
    ...(own?.checks ?? []),
    ...results.map((one) => draftedCheck(format, one)),
  ]) {
    if (!known.has(check.id) && !added.has(check.id)) added.set(check.id, check);
  }
  const rubric = counts && own !== null ? own.rubric : base.rubric;
  const standards = {
    ...base,
    rubric: isOf(base, format) ? base.rubric : rubric,
    checks: [...base.checks, ...added.values()],
  };
  return { standards, counts, added: [...added.keys()] };
}

/** Whether a directory's scores are those of a scanner: the version of its rubric begins with the scanner's name. */
function isOf({ rubric }: PublishedStandards, { name }: ScannerFormat): boolean {
  return rubric.version.startsWith(`${name}-`);
}

/**
 * Whose scans count after an import: the scanner's, or those of the scanner whose rubric the directory has, or else
 * those of the publisher, whom no format names.
 */
export function countedIn(
  { standards, counts }: MergedStandards,
  { scanner }: ScannerFormat,
): (scanner: string | null) => boolean {
  const owner = counts ? scanner : FORMATS.find((one) => isOf(standards, one))?.scanner;
  if (owner !== undefined) return (name) => name === owner;
  const known = [scanner, ...FORMATS.map((one) => one.scanner)];
  return (name) => name === null || !known.includes(name);
}

function countsIn(
  present: PublishedStandards,
  format: ScannerFormat,
  results: readonly RunCheck[],
  flag: boolean | undefined,
): boolean {
  const { name, scanner, standards } = format;
  const version = quote(present.rubric.version);
  if (isOf(present, format)) {
    if (flag !== false) return true;
    throw new UndecidedError(
      `the rubric ${version} of standards.json is that of ${scanner}, so its scans count; to change that, import ` +
        "the other scanner's files with --counts yes, or write another rubric",
    );
  }
  if (flag !== undefined) return flag;
  const ids = new Set(present.checks.map(({ id }) => id));
  // An earlier import was told that the scanner's scans do not count.
  if (standards !== null && [...ids].some((id) => id.startsWith(`${name}-`))) return false;
  const areKnown = ids.size === 0 || results.every(({ id }) => ids.has(checkIdOf(format, id)));
  // A mapped scanner without a methodology of its own has the publisher's.
  if (standards === null && areKnown) return true;
  throw new UndecidedError(
    `standards.json has other checks than those of ${scanner}, and the rubric ${version}. Both scanners' scans are ` +
      "kept; say which counts where a site has both: --counts yes (the rubric becomes that of " +
      `${scanner}) or --counts no`,
  );
}
