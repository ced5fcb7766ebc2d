import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { CrawldexCommand } from "../../../cli/command.js";
import { takesOptions } from "../../../cli/options.js";
import { type OutputOptions, plural, Terminal } from "../../../cli/terminal.js";
import type { ExtraCommand } from "../../extra.js";
import type { ImportResult } from "./import.js";
import { SCANS } from "./scan-options.js";

interface ImportFlags extends OutputOptions {
  readonly as?: "listings" | "scans";
  readonly replace?: boolean;
  readonly from?: string;
}

const START = new CrawldexCommand(
  "import",
  "Turn a table of listings or of scans, as CSV or JSON, into records of a published directory.",
  {
    examples: [
      "crawldex import sites.csv ./published",
      "crawldex import --from lighthouse run-1.json run-2.json ./published",
    ],
    page: "from-a-database.md",
    notes:
      "Columns have the names of fields, such as host, name, category, tags and entitlements.history; " +
      "finished_at is\nfinishedAt. A time without an offset is taken as UTC. If the published directory does " +
      "not exist, it is written with the documents of crawldex init.",
  },
)
  .argument(
    "<files...>",
    "a table: CSV with a header, a JSON array of objects, or objects one a line; with --from any number of files. " +
      "The last one is the published directory's folder",
  )
  .addOption(
    new Option(
      "--as <kind>",
      "what the rows are (default: the kind that more columns fit)",
    ).choices(["listings", "scans"]),
  )
  .option("--replace", "replace the records of a table of the same name")
  .option("--from <scanner>", "the scanner whose files these are, or a mapping file");

const importCommand = takesOptions(START, SCANS).action(
  async (paths: readonly string[], options: ImportFlags, command: Command) => {
    const published = paths.at(-1) ?? "";
    const [table, ...more] = paths.slice(0, -1);
    if (table === undefined) command.error("error: missing required argument 'published'");
    const terminal = new Terminal(options);
    const { from } = options;
    if (from !== undefined) {
      const { runScansImport } = await import("./scans-command.js");
      return await runScansImport([table, ...more], published, { ...options, from }, terminal);
    }
    if (more.length > 0) command.error("error: one table at a time; --from takes several files");
    const { importTable } = await import("./import.js");
    if (existsSync(table) && !existsSync(join(published, "directory.json"))) {
      const { writeEmptyPublished } = await import("../../sample/sample.js");
      await writeEmptyPublished(published);
    }
    const result = await importTable(table, {
      published,
      as: options.as,
      replace: options.replace,
    });
    for (const { column, nearest } of result.unused) {
      const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
      terminal.message(`warning: column ${column} is no field of ${result.kind}${hint}`, "warning");
    }
    terminal.result({ ok: true, ...result }, importLines(result, published));
  },
);

export const commands: readonly ExtraCommand[] = [
  {
    command: importCommand,
    after: "init",
    results: async () => (await import("./results.js")).results,
  },
];

function importLines({ kind, file, records, filled, added }: ImportResult, published: string) {
  const terms = Object.entries(added).filter(([, count]) => count > 0);
  const counts = terms.map(([list, count]) => `${list}: ${count}`).join(", ");
  return [
    `${plural(records, "record")} written to ${join(published, file)}`,
    ...(filled.length === 0 ? [] : [`filled in: ${filled.join(", ")}`]),
    ...(counts === "" ? [] : [`added to taxonomy.json (${counts})`]),
    kind === "listings" ? `next: import their scans, then` : "next:",
    `  crawldex build ${published}`,
  ];
}
