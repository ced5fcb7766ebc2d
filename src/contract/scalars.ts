import { z } from "zod";
import { HOST_RULE, isCanonicalHost } from "./host.js";
import { LIMITS } from "./limits.js";

/** Lowercase words joined by single hyphens (contract section 4, shared listing filters). */
const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Contract section 4, report: the query parameter `scan`. */
const SCAN_ID_PATTERN = /^[a-zA-Z0-9_-]+$/;

/** A single check with a single message, so that a bad value is one violation, not two. */
export const Slug = z
  .string()
  .refine(
    (text) => text.length <= LIMITS.slugMax && SLUG_PATTERN.test(text),
    `must be a slug: lowercase letters, digits and single hyphens, at most ${LIMITS.slugMax} characters`,
  )
  .meta({ pattern: SLUG_PATTERN.source, maxLength: LIMITS.slugMax, examples: ["open-data"] });

export const ScanId = z
  .string()
  .refine(
    (text) => text.length <= LIMITS.scanIdMax && SCAN_ID_PATTERN.test(text),
    `must be a scan id: 1 to ${LIMITS.scanIdMax} letters, digits, _ and -`,
  )
  .meta({ pattern: SCAN_ID_PATTERN.source, minLength: 1, maxLength: LIMITS.scanIdMax });

export const Host = z
  .string()
  .refine(isCanonicalHost, HOST_RULE)
  .meta({ maxLength: LIMITS.hostMax, examples: ["example.com"] });

/** Whether a type is `Host`, under whatever description: a described type is a copy that names its original. */
export function isHost(type: z.core.$ZodType): boolean {
  const { parent } = type._zod;
  return type === Host || (parent !== undefined && isHost(parent));
}

const DATE_TIME_ERROR = "must be a date-time with seconds and offset, such as 2026-08-09T03:31:12Z";
/** RFC 3339 date-time. */
export const DateTime = z.iso
  .datetime({ offset: true, error: DATE_TIME_ERROR })
  .meta({ examples: ["2026-08-09T03:31:12.000Z"] });

export const Score = z.int().min(LIMITS.scoreMin).max(LIMITS.scoreMax);
export const Count = z.int().min(0);
/** Numbering from 1: versions, pages. */
export const Ordinal = z.int().min(1);

/** An object whose keys the contract leaves open; it passes through unchanged. */
export type FreeForm = Record<string, unknown>;
export const FreeForm = z
  .custom<FreeForm>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object",
  )
  .meta({ type: "object", additionalProperties: true });
