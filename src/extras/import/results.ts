import { type ZodType, z } from "zod";
import { BadInput, Count, ok } from "../../../cli/json-parts.js";
import { RECORD_KINDS } from "../../input/locating/files.js";

const Import = z.strictObject({
  ok,
  kind: z.enum(RECORD_KINDS).describe("What the rows of the table are."),
  file: z.string().describe("The file that was written, in the published directory."),
  records: Count.describe("Records in it."),
  unused: z
    .array(
      z.strictObject({
        column: z.string(),
        nearest: z.string().nullable().describe("The field that may have been meant."),
      }),
    )
    .describe("Columns that no field has the name of. They are left out."),
  filled: z
    .array(z.string())
    .describe("Required fields that got a value where the table has none."),
  added: z
    .strictObject({ categories: Count, tags: Count, platforms: Count })
    .describe("Terms that were added to taxonomy.json."),
});

const Scans = z.strictObject({
  ok,
  scanner: z.string().describe("The scanner whose files were imported."),
  counts: z
    .boolean()
    .describe("Whether its newest scan is the published one where a site has scans of others."),
  scans: z
    .strictObject({ added: Count, updated: Count, unchanged: Count })
    .describe("What became of the scans."),
  listings: z
    .strictObject({ added: Count, pinned: Count })
    .describe("Listings that were added, and those whose `publishedScan` was set."),
  checks: z.array(z.string()).describe("Ids of the checks that were added to standards.json."),
  files: z.array(z.string()).describe("The files that were written, in the published directory."),
  warnings: z.array(z.string()),
});

/** What `crawldex import --json` prints. */
export const results: readonly ZodType[] = [Import, Scans, BadInput];
