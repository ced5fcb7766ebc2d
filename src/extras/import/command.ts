import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { CrawldexCommand } from "../../../cli/command.js";
import { optionsIn, takesOptions } from "../../../cli/options.js";
import { count, type OutputOptions, plural, Terminal } from "../../../cli/terminal.js";
import type { ExtraCommand } from "../../extra.js";
import type { ImportResult } from "./import.js";
import { IMPORT, type ImportOptions } from "./options.js";

const START = new CrawldexCommand(
  "import",
  "Turn tables of listings or of scans, as CSV or JSON, into records of a published directory.",
  {
    examples: [
      "crawldex import sites.csv scans.json ./published",
      "crawldex import sites.csv ./published --map Domain=host,Kategorie=category --update",
    ],
    page: "from-a-database.md",
    notes:
      "Columns have the names of fields, such as host, name, category, tags and entitlements.history; " +
      "finished_at is\nfinishedAt, and check.robots has the results of the check robots. A time without an offset " +
      "is taken as UTC.\nIf the published directory does not exist, it is written with the documents of crawldex " +
      "init. If anything is\nwrong, nothing is written.",
  },
);

const importCommand = takesOptions(START, IMPORT)
  .usage("[options] <table>... <published>")
  .argument(
    "<file...>",
    "tables: CSV with a header, a JSON array of objects, or objects one a line, perhaps as .gz; " +
      "the last one is the published directory's folder",
  )
  .addOption(
    new Option(
      "--map <pairs>",
      "the fields of columns, such as Domain=host,Note= (a column without a field is left out)",
    ).argParser(mapped),
  )
  .action(async (files: readonly string[], options: OutputOptions & ImportOptions) => {
    const published = files.at(-1) ?? "";
    if (files.length < 2) {
      importCommand.error("error: name a table and, after it, the published directory's folder");
    }
    const terminal = new Terminal(options);
    const { importTables } = await import("./import.js");
    const given = { ...optionsIn(IMPORT, options), published };
    const result = await importTables(files.slice(0, -1), given);
    for (const { kind, unused } of result.files) {
      for (const { column, nearest } of unused) {
        const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
        terminal.message(`warning: column ${column} is no field of ${kind}${hint}`, "warning");
      }
    }
    for (const warning of result.warnings) terminal.message(`warning: ${warning}`, "warning");
    terminal.result({ ok: true, ...result }, importLines(result, published));
  });

export const commands: readonly ExtraCommand[] = [
  {
    command: importCommand,
    after: "init",
    results: async () => (await import("./results.js")).results,
  },
];

/** Reads `Domain=host,Note=`. A comma or an equals sign in a name has a backslash before it. */
function mapped(text: string, before: Readonly<Record<string, string>> = {}) {
  const pairs = text.match(/(?:[^\\,]|\\.)+/gs) ?? [];
  const entries = pairs.map((pair) => {
    const [, column, field] = /^((?:[^\\=]|\\.)+)=((?:[^\\=]|\\.)*)$/s.exec(pair) ?? [];
    if (column === undefined || field === undefined) {
      throw new InvalidArgumentError("It must be pairs such as Domain=host,Kategorie=category.");
    }
    return [column, field].map((name) => name.replace(/\\(.)/gs, "$1").trim());
  });
  return { ...before, ...Object.fromEntries(entries) };
}

/** How many terms and spellings are printed; all of them are in the output with --json. */
const TERMS_SHOWN = 50;
/** How many files of a table's records are printed. */
const PATHS_SHOWN = 3;

function importLines(result: ImportResult, published: string): string[] {
  const { files, filled, terms, joined, drafted } = result;
  const counts = files.map(({ table, kind, paths, added, updated, unchanged }) => {
    const isRecords = kind === "listings" || kind === "scans";
    const noun = isRecords ? "record" : kind === "checks" ? "check" : "term";
    const records = plural(added + updated + unchanged, noun);
    const numbers = `${count(added)} added, ${count(updated)} updated, ${count(unchanged)} unchanged`;
    const more = paths.length - PATHS_SHOWN;
    const shown = paths.slice(0, PATHS_SHOWN).map((path) => join(published, path));
    const where = `${shown.join(", ")}${more > 0 ? ` and ${plural(more, "more file")}` : ""}`;
    return `${table}: ${records} (${kind}; ${numbers})${where && ` in ${where}`}`;
  });
  const named = terms.map(({ list, slug, name, file, line }) => {
    return `new in ${list}: ${slug} (${JSON.stringify(name)}, ${file}:${line})`;
  });
  const spelt = joined.map(({ list, slug, name, spelling, file, line }) => {
    const spellings = `${JSON.stringify(spelling)} is ${JSON.stringify(name)}`;
    return `in ${list}, ${spellings} (${slug}, ${file}:${line})`;
  });
  const lacksScans =
    files.some(({ kind, added }) => kind === "listings" && added > 0) &&
    !files.some(({ kind }) => kind === "scans");
  return [
    ...counts,
    ...filled.map(({ field, from }) => `filled in ${field}: ${from}`),
    ...shortened(named),
    ...shortened(spelt),
    ...(drafted.length === 0 ? [] : [`new in the checks of standards.json: ${drafted.join(", ")}`]),
    lacksScans ? "next: import their scans, then" : "next:",
    `  crawldex build ${published}`,
  ];
}

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - TERMS_SHOWN;
  const rest = more > 0 ? [`and ${count(more)} more; --json lists them`] : [];
  return [...lines.slice(0, TERMS_SHOWN), ...rest];
}
