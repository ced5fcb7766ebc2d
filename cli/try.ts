import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { SERVE } from "../src/server/options.js";
import type { RunningServer } from "../src/server/server.js";
import { CrawldexCommand, listenError, stopSignal } from "./command.js";
import { takesOptions } from "./options.js";
import { type OutputOptions, plural, Terminal } from "./terminal.js";

interface TryFlags extends OutputOptions {
  readonly port: number;
}

const START = new CrawldexCommand(
  "try",
  "Build the sample of 500 listings and serve it, without writing into this folder.",
  {
    examples: ["crawldex try", "crawldex try --port 8080"],
    page: "publishing.md",
    notes:
      "The store is a temporary folder, which is deleted when you press Ctrl-C. If port " +
      `${SERVE.port.usual} is in use and you\nname no other one, a free port is taken.`,
  },
);

export const tryCommand = takesOptions(START, { port: SERVE.port }).action(
  async (options: TryFlags, command: Command) => {
    const terminal = new Terminal(options);
    const signal = stopSignal();
    const stopped = once(signal, "abort");
    const folder = await mkdtemp(join(tmpdir(), "crawldex-try-"));
    try {
      const store = join(folder, "store");
      await publishSample(store, terminal, signal);
      const isChosen = command.getOptionValueSource("port") !== "default";
      const server = await serveOn(store, options.port, isChosen);
      terminal.result(
        { ok: true, url: server.url, host: server.host, port: server.port },
        linesAbout(server),
      );
      await stopped;
      await server.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Builds the sample into a store. */
export async function publishSample(
  store: string,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  const { writeSample } = await import("../src/sample/sample.js");
  const { build } = await import("../src/publish/build.js");
  const folder = await mkdtemp(join(tmpdir(), "crawldex-sample-"));
  try {
    await writeSample(folder);
    const { counts } = await build(folder, { store, signal, onProgress: terminal.progress() });
    terminal.message(`the sample is built: ${plural(counts.reports, "report")}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Serves a store on the loopback address. A port that nobody chose may be replaced by a free one. */
async function serveOn(store: string, port: number, isChosen: boolean): Promise<RunningServer> {
  const { serve } = await import("../src/server/serve.js");
  const host = SERVE.host.usual;
  try {
    return await serve(store, { port, host });
  } catch (error) {
    const explained = listenError(error, { host, port });
    if (isChosen || explained === error) throw explained;
    return await serve(store, { port: 0, host });
  }
}

function linesAbout({ url, exampleHost }: RunningServer): string[] {
  return [
    `crawldex serves the sample at ${url}`,
    `  a report: ${url}/sites/${exampleHost()}`,
    `  the API:  ${url}/api/sites?limit=3`,
    "Ctrl-C stops it and deletes what it has written. Your own directory: crawldex init published",
  ];
}
