import { once } from "node:events";
import { HOST, NUMBERS } from "../src/options/defaults.js";
import { CrawldexCommand, listenError, numberOption, stopSignal } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface PreviewFlags extends OutputOptions {
  readonly port: number;
}

export const previewCommand = new CrawldexCommand(
  "preview",
  "Serve an exported tree on this machine, as a static host does.",
  {
    examples: ["crawldex preview ./site", "crawldex preview ./site --port 8080"],
    page: "deploying.md",
  },
)
  .argument("<site>", "the tree's folder")
  .option(
    "-p, --port <number>",
    "TCP port of 127.0.0.1; 0 picks a free one",
    numberOption("port"),
    NUMBERS.port.usual,
  )
  .action(async (site: string, options: PreviewFlags) => {
    const terminal = new Terminal(options);
    const { previewSite } = await import("../src/site/preview.js");
    const preview = await previewSite(site, options.port).catch((error: unknown) => {
      throw listenError(error, { host: HOST, port: options.port });
    });
    const stopped = once(stopSignal(), "abort");
    const { url, port } = preview;
    terminal.result({ ok: true, url, port }, [`crawldex previews ${site} at ${url}`]);
    await stopped;
    await preview.close();
  });
