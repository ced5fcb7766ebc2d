import { Argument } from "commander";
import { PUBLISHED_RECORDS, type PublishedRecord } from "../src/input/locating/files.js";
import { CrawldexCommand } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

export const schemaCommand = new CrawldexCommand(
  "schema",
  "Print the JSON Schema (draft 2020-12) of a published record, for editors.",
  {
    examples: [
      "crawldex schema listing > listing.schema.json",
      "crawldex schema scan > scan.schema.json",
    ],
    page: "validating.md",
  },
)
  .addArgument(new Argument("<record>", "kind of record").choices(PUBLISHED_RECORDS))
  .action(async (record: PublishedRecord, options: OutputOptions) => {
    const { publishedSchema } = await import("../src/input/checking/json-schema.js");
    const schema = publishedSchema(record);
    new Terminal(options).result({ ok: true, record, schema }, [JSON.stringify(schema, null, 2)]);
  });
