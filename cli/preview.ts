import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { PublishedPreviewOptions } from "../src/export/published-preview.js";
import { optional } from "../src/lib/options.js";
import { ACCEPT_OPTION, type BuildOptions } from "../src/publish/options.js";
import { PORT, SERVE } from "../src/server/options.js";
import { CrawldexCommand, listenError, stopSignal } from "./command.js";
import { takesOptions } from "./options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface PreviewFlags extends OutputOptions {
  readonly port?: number;
  readonly accept?: BuildOptions["accept"];
}

/** The usual ports: for a tree, and for a published directory beside the server of the public store. */
const PORTS = { tree: SERVE.port.usual, published: SERVE.port.usual + 1 };

const START = new CrawldexCommand(
  "preview",
  "Serve an exported tree as a static host does, or a published directory before you publish it.",
  {
    examples: ["crawldex preview ./published", "crawldex preview ./site --port 8080"],
    page: "deploying.md",
    notes:
      "A published directory is built into a temporary store, which is deleted when you press Ctrl-C. " +
      "Each page has a bar\nthat says so.",
  },
);

const PREVIEW = {
  port: optional(PORT, {
    flags: "-p, --port <number>",
    help:
      `TCP port of 127.0.0.1; 0 picks a free one (default: ${PORTS.tree}; ${PORTS.published} for a ` +
      "published directory)",
  }),
  accept: ACCEPT_OPTION,
};

export const previewCommand = takesOptions(START, PREVIEW)
  .argument("<folder>", "the folder of the tree, or the published directory's folder")
  .action(async (folder: string, options: PreviewFlags, command: Command) => {
    const terminal = new Terminal(options);
    const signal = stopSignal();
    const stopped = once(signal, "abort");
    const isPublished = PUBLISHED.some((name) => existsSync(join(folder, name)));
    const { port = isPublished ? PORTS.published : PORTS.tree, accept } = options;
    if (accept !== undefined && !isPublished) {
      command.error("error: --accept is for a published directory; a tree has no warnings");
    }
    const preview = await (isPublished
      ? previewBuilt(folder, { port, accept, signal }, terminal)
      : previewTree(folder, port)
    ).catch((error: unknown) => {
      throw listenError(error, { host: SERVE.host.usual, port });
    });
    const { url } = preview;
    terminal.result({ ok: true, url, port: preview.port }, [
      `crawldex previews ${folder} at ${url}`,
    ]);
    await stopped;
    await preview.close();
  });

/** Names that a published directory has, but no exported tree. */
const PUBLISHED = ["directory.json", "listings"];

async function previewTree(site: string, port: number) {
  const { previewSite } = await import("../src/export/preview.js");
  return previewSite(site, port);
}

async function previewBuilt(
  published: string,
  options: PublishedPreviewOptions,
  terminal: Terminal,
) {
  const { previewPublished } = await import("../src/export/published-preview.js");
  const onProgress = terminal.progress();
  const preview = await previewPublished(published, { ...options, onProgress });
  terminal.findings(published, preview.built);
  return preview;
}
