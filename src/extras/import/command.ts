import { existsSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import { CrawldexCommand } from "../../../cli/command.js";
import { type OutputOptions, plural, Terminal } from "../../../cli/terminal.js";
import type { ExtraCommand } from "../../extra.js";
import type { ImportResult } from "./import.js";

interface ImportFlags extends OutputOptions {
  readonly as?: "listings" | "scans";
  readonly replace?: boolean;
}

const importCommand = new CrawldexCommand(
  "import",
  "Turn a table of listings or of scans, as CSV or JSON, into records of a published directory.",
  {
    examples: ["crawldex import sites.csv ./published", "crawldex import scans.json ./published"],
    page: "from-a-database.md",
    notes:
      "Columns have the names of fields, such as host, name, category, tags and entitlements.history; " +
      "finished_at is\nfinishedAt. A time without an offset is taken as UTC. If the published directory does " +
      "not exist, it is written with the documents of crawldex init.",
  },
)
  .argument("<table>", "a file: CSV with a header, a JSON array of objects, or objects one a line")
  .argument("<published>", "the published directory's folder")
  .addOption(
    new Option(
      "--as <kind>",
      "what the rows are (default: the kind that more columns fit)",
    ).choices(["listings", "scans"]),
  )
  .option("--replace", "replace the records of a table of the same name")
  .action(async (table: string, published: string, options: ImportFlags) => {
    const terminal = new Terminal(options);
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
  });

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
