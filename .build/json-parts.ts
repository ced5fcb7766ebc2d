/** Parts of the objects that commands print with `--json`, and the failures. */
import { z } from "zod";

export const Count = z.int().min(0);
export const Host = z.string().describe("A host in canonical form.");
export const Hosts = z.array(Host);
export const SnapshotId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe("A snapshot's id.");
export const ok = z.literal(true).describe("The command did what it was asked to do.");

/** The fields of every failure. */
export const failed = {
  ok: z.literal(false).describe("The command failed; its exit code says how."),
  error: z.string().describe("Why it failed, as on stderr."),
};
export const Failed = z.strictObject(failed);

const Finding = z.strictObject({
  file: z.string().describe("Path in the published directory."),
  line: z.int().min(1).describe("Line, counted from 1."),
  column: z.int().min(1).describe("Column, counted from 1 in UTF-16 units."),
  path: z.string().describe("JSON path in the record; $ is the record."),
  message: z.string().describe("What was found, what was expected, and the remedy."),
});
export const warnings = {
  warningCount: Count.describe("All warnings."),
  warnings: z.array(Finding).describe("The first warnings, by file and line."),
};
export const BadInput = z.strictObject({
  ...failed,
  problemCount: Count.describe("All errors in the published directory."),
  problems: z.array(Finding).describe("The first errors, by file and line."),
  ...warnings,
});
export const TooManyRemoved = z.strictObject({
  ...failed,
  published: Count.describe("Listings in the current snapshot."),
  reportsLost: Count.describe("How many listings would lose their report."),
  maxRemoved: z.union([Count, z.string()]).describe("The limit, as a number or a percentage."),
  hosts: Hosts.describe("The listings that would be removed."),
  ...warnings,
});
export const TooManyUnscored = z.strictObject({
  ...failed,
  scored: Count.describe("Listings with a score in the current snapshot."),
  maxUnscored: z.union([Count, z.string()]).describe("The limit, as a number or a percentage."),
  hosts: Hosts.describe("The listings that would be left without a score."),
  ...warnings,
});
export const TooManyUnbanded = z.strictObject({
  ...failed,
  banded: Count.describe("Listings with a band in the current snapshot."),
  maxUnbanded: z.union([Count, z.string()]).describe("The limit, as a number or a percentage."),
  hosts: Hosts.describe("The listings that would keep their score without its band."),
  ...warnings,
});
