import { EXPORT, type ExportOptions } from "../src/export/options.js";
import { withExtraOptions } from "../src/lib/options.js";
import { CrawldexCommand } from "./command.js";
import { optionsIn, takesOptions, takesStore } from "./options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

const START = takesStore(
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
);

const OPTIONS = withExtraOptions("exportSite", EXPORT);

export const exportCommand = takesOptions(START, OPTIONS)
  .argument("<site>", "the tree's folder")
  .action(async (site: string, options: OutputOptions & ExportOptions) => {
    const terminal = new Terminal(options);
    const { exportSite } = await import("../src/export/export.js");
    const onProgress = terminal.progress();
    const result = await exportSite(site, { ...optionsIn(OPTIONS, options), onProgress });
    const { id, written, deleted, unchanged, warnings } = result;
    for (const warning of warnings) terminal.message(warning, "warning");
    terminal.result({ ok: true, id, written, deleted, unchanged, warnings }, [
      `${site} has snapshot ${id}`,
      `${written} files written, ${deleted} deleted, ${unchanged} unchanged`,
    ]);
  });
