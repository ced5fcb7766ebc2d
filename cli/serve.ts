import { setTimeout as sleep } from "node:timers/promises";
import { Option } from "commander";
import { HOST, NUMBERS, STORE } from "../src/options/defaults.js";
import type { RunningServer } from "../src/runtime/http/server.js";
import { SERVER_LIMITS } from "../src/runtime/limits.js";
import type { Log } from "../src/runtime/snapshot/reload.js";
import { command, EXIT, numberOption } from "./command.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ServeFlags extends OutputOptions {
  readonly port: number;
  readonly host: string;
  readonly cacheMb?: number;
  readonly workers?: number;
  readonly metrics?: boolean;
  readonly log?: "json";
}

export const serveCommand = command(
  "serve",
  "Serve a store's current snapshot, and each new one as it is published.",
  "crawldex serve snapshots --port 3000",
)
  .argument("[store]", "the store's folder", STORE)
  .option(
    "--port <number>",
    "TCP port; 0 picks a free one",
    numberOption("port"),
    NUMBERS.port.usual,
  )
  .option("--host <address>", "address to listen on", HOST)
  .option(
    "--cache-mb <size>",
    "megabytes of answers kept in memory",
    numberOption("cacheMb"),
    NUMBERS.cacheMb.usual,
  )
  .option(
    "--workers <count>",
    "number of processes that answer requests",
    numberOption("workers"),
    NUMBERS.workers.usual,
  )
  .option("--metrics", "serve metrics for Prometheus at /metrics")
  .addOption(
    new Option("--log <format>", "write a line to stdout for each request").choices(["json"]),
  )
  .addHelpText(
    "after",
    `
Signals:
  SIGTERM, SIGINT  finish the requests in progress, then exit 0
  SIGHUP           look for a new snapshot at once`,
  )
  .action(async (store: string, options: ServeFlags) => {
    await serveUntilStopped(store, options);
  });

/** Signals within this many milliseconds of the first count as one: npm repeats signals that the terminal sends. */
const SAME_SIGNAL_MS = 500;
/** Milliseconds to wait for a snapshot that is still loading. By then all running answers are sent. */
const LOADING_MAX_MS = SERVER_LIMITS.drainMs + 900;
/** The most milliseconds that shutting down may take. */
const END_MAX_MS = 10_000;

/** Serves until SIGINT or SIGTERM, then lets running answers finish. A second signal exits at once with code 1. */
export async function serveUntilStopped(store: string, options: ServeFlags): Promise<void> {
  const terminal = new Terminal(options);
  const { port, host, cacheMb, workers, metrics } = options;
  const log: Log = (line, kind) => terminal.message(line, kind === "info" ? "info" : "error");
  const stopped = firstSignal();
  let server: RunningServer | null = null;
  process.on("SIGHUP", () => server?.reload());
  const { serve } = await import("../src/runtime/http/server.js");
  const serving = serve(store, {
    ...{ port, host, cacheMb, workers, metrics, log },
    requestLog: options.log === "json",
  });
  server = await Promise.race([serving, stopped]);
  // The server answers nothing before it has started, so there is nothing to wait for.
  if (server === null) process.exit(EXIT.done);
  terminal.result({ ok: true, url: server.url, host: server.host, port: server.port }, [
    `crawldex serves ${store} at ${server.url}`,
    ...(await examples(server)),
  ]);
  await stopped;
  await Promise.race([server.close(), sleep(LOADING_MAX_MS)]);
  // Output that the reader of stdout has not read yet would keep the process alive.
  process.exit(EXIT.done);
}

function firstSignal(): Promise<null> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const stop = () => {
      if (first !== null && performance.now() - first > SAME_SIGNAL_MS) process.exit(EXIT.failed);
      if (first !== null) return;
      first = performance.now();
      setTimeout(() => process.exit(EXIT.failed), END_MAX_MS).unref();
      resolve(null);
    };
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  });
}

async function examples(server: RunningServer): Promise<string[]> {
  const site = server.exampleHost();
  if (site === null)
    return ["no snapshot is loaded: every read answers 503 until a good one is published"];
  const { ROUTES } = await import("../src/contract/routes.js");
  const reads = [
    ROUTES.facets.path,
    `${ROUTES.search.path}?limit=3`,
    ROUTES.report.path.replace("{host}", site),
  ];
  return ["try:", ...reads.map((path) => `  curl '${server.url}${path}'`)];
}
