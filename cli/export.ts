import { Option } from "commander";
import { CONTENTS, type Contents, HOST_NAMES, type HostName } from "../src/site/layout.js";
import { CrawldexCommand, numberOption } from "./command.js";
import { takesStore } from "./shared-options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ExportFlags extends OutputOptions {
  readonly store: string;
  readonly for: HostName;
  readonly packed?: boolean;
  readonly only?: Contents;
  readonly cards?: boolean;
  readonly previews?: boolean;
  readonly allowLoopback?: boolean;
  readonly record?: string;
  readonly full?: boolean;
  readonly jobs?: number;
}

export const exportCommand = takesStore(
  new CrawldexCommand(
    "export",
    "Bring the public tree of plain files up to date with the current snapshot.",
    {
      examples: [
        "crawldex export ./site --for cloudflare --packed",
        "crawldex export ./site --for s3",
      ],
      page: "deploying.md",
    },
  ),
)
  .argument("<site>", "the tree's folder")
  .addOption(
    new Option("--for <host>", "write links for this host, and the file with headers that it reads")
      .choices(HOST_NAMES)
      .default("plain"),
  )
  .option("--packed", "keep reports in a few files, from which a service worker answers")
  .addOption(
    new Option(
      "--only <contents>",
      "which files each listing gets (default: all; with --packed, none)",
    ).choices(CONTENTS),
  )
  .option("--cards", "draw a picture of each report's score, for links on other sites")
  .option(
    "--previews",
    "with --packed: a small page for each report, so that shared links have previews",
  )
  .option(
    "--record <file>",
    "where the export notes which files it has written (default: <site>.crawldex.json, beside the tree)",
  )
  .option("--jobs <count>", "worker threads (default: all cores)", numberOption("jobs"))
  .option(
    "--allow-loopback",
    "with --for: allow links to this machine, such as http://127.0.0.1:3000, for a trial",
  )
  .option(
    "--full",
    "trust nothing from the last export: read every file of the tree, and repair it",
  )
  .action(async (site: string, options: ExportFlags) => {
    const { store, for: host, packed, only, cards, previews, ...others } = options;
    const { allowLoopback, record, full, jobs, ...output } = others;
    const terminal = new Terminal(output);
    const { exportSite } = await import("../src/site/export.js");
    const onProgress = terminal.progress();
    const result = await exportSite(site, {
      store,
      for: host,
      packed,
      only,
      cards,
      previews,
      onProgress,
      allowLoopback,
      record,
      full,
      jobs,
    });
    const { id, written, deleted, unchanged, warnings } = result;
    for (const warning of warnings) terminal.message(warning, "warning");
    terminal.result({ ok: true, id, written, deleted, unchanged, warnings }, [
      `${site} has snapshot ${id}`,
      `${written} files written, ${deleted} deleted, ${unchanged} unchanged`,
    ]);
  });
