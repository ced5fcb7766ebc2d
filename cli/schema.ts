import { Argument } from "commander";
import { PUBLISHED_RECORDS, type PublishedRecord } from "../src/published/checking/record-kinds.js";
import { command } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

export const schemaCommand = command(
  "schema",
  "Print the JSON Schema (draft 2020-12) of a published record, for editors.",
  "crawldex schema listing > listing.schema.json",
)
  .addArgument(new Argument("<record>", "kind of record").choices(PUBLISHED_RECORDS))
  .action(async (record: PublishedRecord, options: OutputOptions) => {
    const { publishedSchema } = await import("../src/published/checking/json-schema.js");
    const schema = publishedSchema(record);
    new Terminal(options).result(schema, [JSON.stringify(schema, null, 2)]);
  });
