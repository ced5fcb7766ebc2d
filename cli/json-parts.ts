/** Parts of the objects that commands print with `--json`, and the failures. */
import { z } from "zod";
import { PROBLEM_CODES, WARNING_CODES } from "../src/input/checking/codes.js";

export const Count = z.int().min(0);
export const Host = z.string().describe("A host in canonical form.");
export const Hosts = z.array(Host);
export const SnapshotId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe("A snapshot's id.");
export const Generation = z.int().min(1).describe("The number of the publication.");
export const ok = z.literal(true).describe("The command did what it was asked to do.");

/** The fields of every failure. */
export const failed = {
  ok: z.literal(false).describe("The command failed; its exit code says how."),
  error: z.string().describe("Why it failed, as on stderr."),
};
export const Failed = z.strictObject(failed);

/* Named, so that a schema has their many codes once. */
const WarningCode = z.enum(WARNING_CODES).meta({ id: "WarningCode" });
const Finding = z
  .strictObject({
    code: z
      .enum([...Object.keys(PROBLEM_CODES.errors), ...WARNING_CODES])
      .describe("What is wrong, in a word that stays the same (docs/validating.md#codes)."),
    file: z.string().describe("Path in the published directory."),
    line: z.int().min(1).describe("Line, counted from 1."),
    column: z.int().min(1).describe("Column, counted from 1 in UTF-16 units."),
    path: z.string().describe("JSON path in the record; $ is the record."),
    message: z.string().describe("What was found, what was expected, and the remedy."),
  })
  .meta({ id: "Finding" });
export const warnings = {
  warningCount: Count.describe("All warnings."),
  warnings: z.array(Finding).describe("The first warnings, by file and line."),
  acceptedCount: Count.describe("Warnings that were accepted, and are not among the others."),
  acceptedCodes: z.array(WarningCode).describe("Their codes."),
};
export const BadInput = z.strictObject({
  ...failed,
  problemCount: Count.describe("All errors in the published directory."),
  problems: z.array(Finding).describe("The first errors, by file and line."),
  ...warnings,
});
export const TooManyRemoved = z.strictObject({
  ...failed,
  limit: z
    .enum(["maxRemoved", "maxUnscored", "maxUnbanded"])
    .describe("The option whose limit was exceeded."),
  max: z.union([Count, z.string()]).describe("The limit, as a number or a percentage."),
  total: Count.describe("Listings in the current snapshot, or those with a score or a band."),
  hosts: Hosts.describe("The listings that would be removed, or lose their score or its band."),
  reportsLost: Count.describe("How many of them would lose their report."),
  ...warnings,
});
