import { type ZodType, z } from "zod";
import { BadInput, Count, ok } from "../../../cli/json-parts.js";
import { TERM_LISTS } from "../../input/checking/schemas.js";
import { TABLE_KINDS } from "./options.js";

const List = z.enum(TERM_LISTS.map(({ list }) => list));
const term = { list: List, slug: z.string(), name: z.string(), file: z.string(), line: Count };

const Import = z.strictObject({
  ok,
  files: z
    .array(
      z.strictObject({
        table: z.string().describe("The table's file, or the format of a scanner."),
        kind: z.enum(TABLE_KINDS).describe("What the rows are."),
        paths: z
          .array(z.string())
          .describe("The files of the published directory that have the records."),
        added: Count.describe("Records that are new."),
        updated: Count.describe("Records that were there and have changed."),
        unchanged: Count.describe("Records that were there already as they are."),
        unused: z
          .array(
            z.strictObject({
              column: z.string(),
              nearest: z.string().nullable().describe("The field that may have been meant."),
            }),
          )
          .describe("Columns that no field has the name of. They are left out."),
      }),
    )
    .describe("What became of each table."),
  filled: z
    .array(
      z.strictObject({
        field: z.string(),
        from: z.string().describe("Where its value comes from, or the value."),
      }),
    )
    .describe("Required fields that got a value where a table has none."),
  terms: z
    .array(z.strictObject(term))
    .describe("Terms that taxonomy.json got because listings name them, and where first."),
  joined: z
    .array(z.strictObject({ ...term, spelling: z.string() }))
    .describe("Spellings that were taken for the name of a term that is spelt otherwise."),
  drafted: z
    .array(z.string())
    .describe("Ids of checks that standards.json got because scans have results of them."),
  warnings: z.array(z.string()),
});

/** What `crawldex import --json` prints. */
export const results: readonly ZodType[] = [Import, BadInput];
