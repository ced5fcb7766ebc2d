import { resolve } from "node:path";
import { command } from "./command.js";
import { bytes as inBytes } from "./drawing/amounts.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly store: string;
  readonly full?: boolean;
  readonly printNginx?: boolean;
}

export const exportCommand = command(
  "export",
  "Bring the public tree of plain files up to date with the current snapshot.",
  "crawldex export ./site --store snapshots",
)
  .argument("<site>", "the tree's folder; its record is <site>.crawldex.json, beside it")
  .option("--store <store>", "the store's folder", "snapshots")
  .option("--full", "trust nothing of the last export: read every file of the tree, and mend it")
  .option("--print-nginx", "export nothing: print nginx's configuration for the tree")
  .action(async (site: string, { store, full = false, printNginx, ...output }: Options) => {
    const terminal = new Terminal(output);
    if (printNginx) {
      const { nginxConfig } = await import("../src/site/nginx.js");
      const config = nginxConfig(resolve(site));
      terminal.result({ ok: true, config }, [config.trimEnd()]);
      return;
    }
    const { exportSite } = await import("../src/site/export.js");
    const onProgress = terminal.progress();
    const result = await exportSite({ site, store, full, onProgress });
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
