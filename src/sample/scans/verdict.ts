import type { Check } from "../../contract/report.js";
import type { Random } from "../random.js";
import type { Site } from "../sites/site.js";

/** What a check found. */
export interface Verdict {
  readonly status: Check["status"];
  readonly summary: string | null;
  readonly details: Check["details"];
}

/** What a check looks at. */
export interface Visit {
  readonly site: Site;
  readonly random: Random;
  /** The site's quality at the time of the scan. */
  readonly quality: number;
  /** Words of the homepage as sent and after its scripts have run. */
  readonly words: { readonly sent: number; readonly rendered: number };
}

export type Judge = (visit: Visit) => Verdict;

/** A result as likely as the site is good. @param ease added to the quality; 0: half pass at half quality. */
export function graded({ quality, random }: Visit, ease: number): "pass" | "warn" | "fail" {
  const luck = random.unit();
  if (luck < quality + ease) return "pass";
  return luck < quality + ease + 0.25 ? "warn" : "fail";
}

/** As `graded`, for checks that know no middle. */
export function passedOrNot({ quality, random }: Visit, ease: number): "pass" | "fail" {
  return random.chance(quality + ease) ? "pass" : "fail";
}

/** The text of the result, by status. */
export function told(
  status: Check["status"],
  texts: Readonly<Partial<Record<Check["status"], string>>>,
  details: Check["details"],
): Verdict {
  return { status, summary: texts[status] ?? null, details };
}
