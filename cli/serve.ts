import { once } from "node:events";
import { Option } from "commander";
import { ROUTES } from "../src/contract/routes.js";
import type { Log } from "../src/runtime/reload.js";
import { type RunningServer, serve } from "../src/runtime/server.js";
import { command, EXIT, wholeNumber } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface Options extends OutputOptions {
  readonly port: number;
  readonly host: string;
  readonly cacheMb: number;
  readonly workers: number;
  readonly metrics?: boolean;
  readonly log?: "json";
}

export const serveCommand = command(
  "serve",
  "Serve a store's current snapshot, and each new one as it is published.",
  "crawldex serve snapshots --port 3000",
)
  .argument("[store]", "the store's folder", "snapshots")
  .option("--port <number>", "TCP port; 0 takes a free one", wholeNumber(0, 65_535), 3000)
  .option("--host <address>", "address to listen on", "127.0.0.1")
  .option("--cache-mb <size>", "megabytes of answers kept in memory", wholeNumber(0, 65_536), 64)
  .option("--workers <count>", "processes that answer on the port", wholeNumber(1, 256), 1)
  .option("--metrics", "answer /metrics with what Prometheus reads")
  .addOption(new Option("--log <format>", "a line on stdout for each request").choices(["json"]))
  .addHelpText(
    "after",
    `
Signals:
  SIGTERM, SIGINT  let running answers finish, then exit 0
  SIGHUP           look for a new snapshot at once`,
  )
  .action(async (store: string, options: Options) => {
    await serveUntilStopped(store, options);
  });

/** Serves until SIGINT or SIGTERM, then lets running answers finish. */
export async function serveUntilStopped(store: string, options: Options): Promise<void> {
  const terminal = new Terminal(options);
  const { port, host, cacheMb, workers, metrics = false } = options;
  const log: Log = (line, kind) => terminal.message(line, kind === "info" ? "info" : "error");
  const server = await serve({
    ...{ store, port, host, workers, metrics, log },
    cacheBytes: cacheMb * 1024 * 1024,
    requestLog: options.log === "json",
  });
  terminal.result({ ok: true, url: server.url, host: server.host, port: server.port }, [
    `crawldex serves ${store} at ${server.url}`,
    ...examples(server),
  ]);
  const reload = () => server.reload();
  process.on("SIGHUP", reload);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  process.off("SIGHUP", reload);
  await server.close();
  // What a reader of stdout has not read would keep the process.
  process.exit(EXIT.done);
}

function examples(server: RunningServer): string[] {
  const site = server.exampleHost();
  if (site === null)
    return ["no snapshot is loaded: reads answer 503 until a good one is published"];
  const reads = [
    ROUTES.facets.path,
    `${ROUTES.search.path}?limit=3`,
    ROUTES.report.path.replace("{host}", site),
  ];
  return ["try:", ...reads.map((path) => `  curl '${server.url}${path}'`)];
}
