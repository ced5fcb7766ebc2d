import { canonicalHostOf } from "../../contract/host.js";
import type { PublishedScan, PublishedStandards } from "../../input/records.js";
import type { RunCheck, ScannerFormat, ScannerRun } from "./scanner-run.js";

/** A check as standards.json has it. */
export type PublishedCheck = PublishedStandards["checks"][number];

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

/** Rounds points to hundredths, as pages show them. */
function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}
