import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { CONTENTS, type Contents, HOST_NAMES, type HostName } from "../src/site/layout.js";
import { CrawldexCommand } from "./command.js";
import { bytes as inBytes } from "./drawing/amounts.js";
import { takesStore } from "./shared-options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ExportFlags extends OutputOptions {
  readonly store: string;
  readonly for: HostName;
  readonly packed?: boolean;
  readonly only?: Contents;
  readonly cards?: boolean;
  readonly changes?: string;
  readonly full?: boolean;
  readonly printNginx?: boolean;
  readonly server?: boolean;
  readonly runtime?: string;
}

export const exportCommand = takesStore(
  new CrawldexCommand(
    "export",
    "Bring the public tree of plain files up to date with the current snapshot.",
    {
      examples: [
        "crawldex export ./site --for cloudflare --packed",
        "crawldex export ./site --print-nginx > locations.conf",
      ],
      page: "deploying.md",
    },
  ),
)
  .argument("<site>", "the tree's folder; its record, <site>.crawldex.json, lies beside it")
  .addOption(
    new Option("--for <host>", "write links and rules for this host")
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
    "--changes <file>",
    "add a line to this file for each file that is written or deleted, for an upload",
  )
  .option(
    "--full",
    "trust nothing from the last export: read every file of the tree, and repair it",
  )
  .option(
    "--print-nginx",
    "export nothing; print the locations for an nginx server block (tree: --for nginx)",
  )
  .addOption(
    new Option("--server", "print an example of a server block that includes the locations")
      .implies({ printNginx: true })
      .conflicts("runtime"),
  )
  .addOption(
    new Option(
      "--runtime <url>",
      "print locations that pass searches to a runtime, such as http://127.0.0.1:3000",
    )
      .implies({ printNginx: true })
      .argParser(origin),
  )
  .action(async (site: string, options: ExportFlags) => {
    const { store, for: host, packed, only, cards, changes, full, ...others } = options;
    const { printNginx, server, runtime, ...output } = others;
    const terminal = new Terminal(output);
    if (printNginx) {
      const { nginxLocations, nginxServer } = await import("../src/site/nginx.js");
      const config = server ? nginxServer(resolve(site)) : nginxLocations(runtime ?? null);
      terminal.result({ ok: true, config }, [config.trimEnd()]);
      return;
    }
    const { exportSite } = await import("../src/site/export.js");
    const onProgress = terminal.progress();
    const result = await exportSite(site, {
      ...{ store, for: host, packed, only, cards, changes, full, onProgress },
    });
    const { id, written, deleted, unchanged, warnings, bytes } = result;
    for (const warning of warnings) terminal.message(warning, "warning");
    const lines = [
      `${site} has snapshot ${id}`,
      `${written} files written, ${deleted} deleted, ${unchanged} unchanged`,
    ];
    terminal.result({ ok: true, id, written, deleted, unchanged, warnings }, lines, {
      title: `${site} is up to date.`,
      rows: [
        { label: "snapshot", value: id },
        { label: "written", value: written, note: `files, ${inBytes(bytes)}` },
        { label: "deleted", value: deleted },
        { label: "unchanged", value: unchanged },
      ],
    });
  });

/** Parses a server's origin: an address without a path. */
function origin(text: string): string {
  if (/^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i.test(text)) return text;
  throw new InvalidArgumentError(
    "It must be an address without a path, such as http://127.0.0.1:3000.",
  );
}
