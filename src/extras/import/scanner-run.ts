import type { ZodType } from "zod";
import { canonicalHostOf } from "../../contract/host.js";
import { breaches } from "../../input/checking/breaches.js";
import { describeValue, type Finding, type Path } from "../../input/checking/problem.js";
import type { PublishedStandards } from "../../input/records.js";

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
  readonly runs: (document: unknown) => readonly ScannerRun[];
}

/** A run of a scanner on one site. */
export interface ScannerRun {
  /** Canonical. */
  readonly host: string;
  /** Address of the page that the scanner was given. */
  readonly url: string;
  /** Address to which that page led; null if the file does not say. */
  readonly finalUrl: string | null;
  /** What tells the runs of a site apart, such as their time; it becomes part of the scan's id. */
  readonly key: string;
  /** RFC 3339. */
  readonly finishedAt: string;
  /** From 0 to 100; null if there is none. */
  readonly score: number | null;
  /** Which methodology gave the score; null if the file does not say. */
  readonly scoreVersion: string | null;
  readonly scannerVersion: string | null;
  readonly summary: string | null;
  /** What else the file says of the site, for the scan's profile. */
  readonly profile: Readonly<Record<string, unknown>>;
  readonly checks: readonly RunCheck[];
  /** Why the run found nothing out, in words for people; null if it succeeded. Such a run becomes no scan. */
  readonly failure: string | null;
}

/** The result of a check. */
export interface RunCheck {
  /** The scanner's own id of the check. */
  readonly id: string;
  /** A name for people, which a check gets that standards.json lacks. */
  readonly title: string;
  readonly status: "pass" | "warn" | "fail" | "na";
  /** Points of the score, of 100. Both are 0 for a check that changes no score. */
  readonly points: number;
  readonly maxPoints: number;
  readonly summary: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** How to make the check pass; null if the scanner does not say. */
  readonly fix: string | null;
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
  throw new DocumentError(
    findings.length > 0 ? findings : [{ code: "value-wrong", path, message: "is not as expected" }],
  );
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
