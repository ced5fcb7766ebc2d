import type { ZodType } from "zod";
import { canonicalHostOf } from "../../contract/host.js";
import type { CheckDescription } from "../../contract/standards.js";
import { itemAt } from "../../contract/tables.js";
import { breaches } from "../../input/checking/breaches.js";
import { describeValue, type Finding, type Path } from "../../input/checking/problem.js";
import type { PublishedScan, PublishedStandards } from "../../input/records.js";
import { draftedCheck, type Outcome, type PublishedCheck, resultOf } from "./checks.js";

/** A file that a scanner writes: how it is read, and what the scanner's checks and scores mean. */
export interface ScannerFormat {
  /** The value of `--from`. It begins the ids of its checks and scans, and its rubric's version. */
  readonly name: string;
  /** The scanner's own name. */
  readonly scanner: string;
  /** The scanner's methodology in the form of standards.json; null if the file says nothing of it. */
  readonly standards: PublishedStandards | null;
  /**
   * The runs in a parsed file.
   * @throws DocumentError if the file is not one of the scanner's
   */
  readonly runs: (document: unknown) => ScannerRun | readonly ScannerRun[];
}

/** A run of a scanner on one site. What a file does not say may be left out. */
export interface ScannerRun {
  /** Canonical. */
  readonly host: string;
  /** Address of the page that the scanner was given. */
  readonly url: string;
  /** Address to which that page led. */
  readonly finalUrl?: string | null | undefined;
  /** What tells the runs of a site apart, if it is not their time; it becomes part of the scan's id. */
  readonly key?: string | null;
  /** RFC 3339. */
  readonly finishedAt: string;
  /** From 0 to 100; null if there is none. */
  readonly score: number | null;
  /** Which methodology gave the score. */
  readonly scoreVersion?: string | null;
  readonly scannerVersion?: string | null;
  readonly summary?: string | null;
  /** What else the file says of the site, for the scan's profile. */
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly checks: readonly RunCheck[];
  /** Why the run found nothing out, in words for people. Such a run becomes no scan. */
  readonly failure?: string | undefined;
}

/** The result of a check. Its points are of 100, and both are 0 for a check that changes no score. */
export interface RunCheck extends Outcome {
  /** The scanner's own id of the check. */
  readonly id: string;
  /** A name for people, which a check gets that standards.json lacks. */
  readonly title: string;
  /** How to make the check pass, if the scanner says it. */
  readonly fix?: string | undefined;
}

/** A file is not what the scanner writes. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ message }) => message).join("; "));
    this.findings = findings;
  }
}

/**
 * A part of a document in the form of a schema. Keys that the schema lacks are ignored: scanners add some all the time.
 * @throws DocumentError
 */
export function partOf<T>(schema: ZodType<T>, value: unknown, path: Path = []): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const findings = [...breaches(schema, value, path)].filter(({ at }) => at !== "key");
  if (findings.length === 0) return refusePart(path, "is not as expected");
  throw new DocumentError(findings);
}

/** @throws DocumentError always */
export function refusePart(path: Path, message: string): never {
  throw new DocumentError([{ code: "value-wrong", path, message }]);
}

/**
 * The host that a scanner was given by its address.
 * @throws DocumentError if it can have no listing
 */
export function hostAt(url: string, path: Path): string {
  const host = canonicalHostOf(url);
  if (host !== null) return host;
  return refusePart(path, `found ${describeValue(url)}, expected the address of a public website`);
}

/** `House Scanner` becomes `house-scanner`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/**
 * The id in standards.json of a scanner's check: `robotsTxt` of URL Scanner is `cloudflare-robots-txt`. The scanner's
 * name keeps the checks of two scanners apart. A mapped scanner's checks have none, since they may be the publisher's.
 */
export function checkIdOf({ name, standards }: ScannerFormat, id: string): string {
  const slug = slugOf(id.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
  return standards === null ? slug : `${name}-${slug}`;
}

/** The check of a result, for standards.json. */
export function checkOfRun(
  format: ScannerFormat,
  { id, title, maxPoints }: RunCheck,
): PublishedCheck {
  return draftedCheck(checkIdOf(format, id), title, rounded(maxPoints));
}

/**
 * The record of a run.
 * @param checks the checks of standards.json, those of the run among them
 * @param rubric the version of the methodology if the file does not say it
 */
export function scanRecord(
  format: ScannerFormat,
  run: ScannerRun,
  checks: readonly CheckDescription[],
  rubric: string | null,
): PublishedScan {
  const { host, url, finalUrl, finishedAt } = run;
  const { scoreVersion, scannerVersion = null, summary = null } = run;
  const to = finalUrl ? canonicalHostOf(finalUrl) : null;
  // What the scanner found is about another site.
  const hasMoved = to !== null && to !== host;
  const score = hasMoved ? null : run.score;
  const found = hasMoved ? [] : run.checks;
  const results = found.map((one) => {
    const id = checkIdOf(format, one.id);
    const check = itemAt(
      checks,
      checks.findIndex((each) => each.id === id),
    );
    const points = { points: rounded(one.points), maxPoints: rounded(one.maxPoints) };
    return resultOf(check, { ...one, ...points });
  });
  const earned = found.reduce((sum, { points }) => sum + points, 0);
  return {
    host,
    id: `${format.name}-${run.key ?? finishedAt}`
      .replace(/[^a-zA-Z0-9_-]+/g, "-")
      .slice(0, SCAN_ID_MAX),
    status: hasMoved ? "moved" : "complete",
    finishedAt,
    score,
    scoreVersion: score === null ? null : (scoreVersion ?? rubric),
    summary,
    ...(score !== null && { block1: rounded(earned), block2: 0, penalties: 0 }),
    ...(hasMoved && { redirect: { host: to, status: null } }),
    profile: { scanner: format.scanner, scannerVersion, url, ...run.profile },
    checks: results,
    fixes: results.flatMap(({ checkId, title, kind, status }, at) => {
      const { fix, points, maxPoints } = itemAt(found, at);
      if (fix === undefined || (status !== "fail" && status !== "warn")) return [];
      const recoverablePoints = rounded(maxPoints - points);
      const left = { recoverablePoints, scoreAfter: null, prompt: null };
      const promptStatus = "unavailable" as const;
      return [{ checkId, title, kind, status, summary: fix, ...left, promptStatus }];
    }),
  };
}

const SCAN_ID_MAX = 128;

/** Rounds points to hundredths, as pages show them. */
function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}
