import { Argument } from "commander";
import {
  PUBLISHED_RECORDS,
  type PublishedRecord,
  publishedSchema,
} from "../src/published/json-schema.js";
import { command } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

export const schemaCommand = command(
  "schema",
  "Print the JSON Schema (draft 2020-12) of a published record, for editors.",
  "crawldex schema listing > listing.schema.json",
)
  .addArgument(new Argument("<record>", "kind of record").choices(PUBLISHED_RECORDS))
  .action((record: PublishedRecord, options: OutputOptions) => {
    const schema = publishedSchema(record);
    new Terminal(options).result(schema, [JSON.stringify(schema, null, 2)]);
  });
