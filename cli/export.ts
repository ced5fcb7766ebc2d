import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { CrawldexCommand } from "./command.js";
import { bytes as inBytes } from "./drawing/amounts.js";
import { takesStore } from "./store-option.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ExportFlags extends OutputOptions {
  readonly store: string;
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
        "crawldex export ./site --store snapshots",
        "crawldex export ./site --print-nginx > locations.conf",
      ],
      page: "deploying.md",
    },
  ),
)
  .argument("<site>", "the tree's folder; its record, <site>.crawldex.json, lies beside it")
  .option(
    "--full",
    "trust nothing from the last export: read every file of the tree, and repair it",
  )
  .option("--print-nginx", "export nothing; print the locations for an nginx server block")
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
    const { store, full, printNginx, server, runtime, ...output } = options;
    const terminal = new Terminal(output);
    if (printNginx) {
      const { nginxLocations, nginxServer } = await import("../src/site/nginx.js");
      const config = server ? nginxServer(resolve(site)) : nginxLocations(runtime ?? null);
      terminal.result({ ok: true, config }, [config.trimEnd()]);
      return;
    }
    const { exportSite } = await import("../src/site/export.js");
    const onProgress = terminal.progress();
    const result = await exportSite(site, { store, full, onProgress });
    const { id, written, deleted, unchanged, bytes } = result;
    const lines = [
      `${site} has snapshot ${id}`,
      `${written} files written, ${deleted} deleted, ${unchanged} unchanged`,
    ];
    terminal.result({ ok: true, id, written, deleted, unchanged }, lines, {
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
