import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CLICKHOUSE_ADDRESS } from "../src/clickhouse/address.js";
import { DURATION, HOST, NUMBERS } from "../src/options/defaults.js";
import { PULL_ADDRESS } from "../src/remote/address.js";
import type { RunningServer } from "../src/runtime/http/server.js";
import { SERVER_LIMITS } from "../src/runtime/limits.js";
import type { Log } from "../src/runtime/observe/observer.js";
import {
  CrawldexCommand,
  EXIT,
  listenError,
  numberOption,
  ruledOption,
  stopSignal,
} from "./command.js";
import { hasSnapshot, noStoreAt } from "./no-store.js";
import { requireUrl, warnOfUnusedProxy } from "./push.js";
import { type PublicKeyOptions, takesPublicKeys, takesStore } from "./shared-options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ServeFlags extends OutputOptions, PublicKeyOptions {
  readonly store: string;
  readonly port: number;
  readonly host: string;
  readonly cacheMb?: number;
  readonly metrics?: boolean;
  readonly cards?: boolean;
  readonly mcp?: boolean;
  readonly log?: "json";
  readonly wait?: boolean;
  readonly mirror?: boolean;
  readonly engine?: string;
  readonly cacheDir?: string;
  readonly allowRedirects?: boolean;
  readonly refreshSeconds?: number;
  readonly maxAge?: string;
}

const START = takesStore(
  new CrawldexCommand(
    "serve",
    "Serve a store's current snapshot, and each new one as it is published.",
    {
      examples: [
        "crawldex serve snapshots --port 8080 --log json",
        "crawldex serve s3://bucket/prefix --mirror",
      ],
      page: "serving.md",
      notes: `Signals:
  SIGTERM, SIGINT  finish the requests in progress, then exit 0
  SIGHUP           look for a new snapshot at once`,
    },
  ),
  "argument",
);

export const serveCommand = takesPublicKeys(START)
  .addOption(
    new Option("-p, --port <number>", "TCP port; 0 picks a free one")
      .default(NUMBERS.port.usual)
      .env("PORT")
      .argParser(numberOption("port")),
  )
  .addOption(
    new Option("--host <address>", "address to listen on")
      .default(HOST)
      .env("HOST")
      .argParser(addressIn),
  )
  .option(
    "--cache-mb <size>",
    "megabytes of answers kept in memory",
    numberOption("cacheMb"),
    NUMBERS.cacheMb.usual,
  )
  .option("--metrics", "serve metrics for Prometheus at /metrics")
  .addOption(
    new Option("--log <format>", "write a line to stdout for each request").choices(["json"]),
  )
  .option("--no-cards", "draw no pictures of scores for links on other sites")
  .option("--no-mcp", "do not answer agents over the Model Context Protocol at /mcp")
  .option("--wait", "start without a store, and answer 503 until a snapshot is published")
  .option("--mirror", "keep a whole copy of a store at an address, and answer from it")
  .option(
    "--engine <url>",
    "have ClickHouse answer searches: clickhouse://user@host/database, password in CLICKHOUSE_PASSWORD",
  )
  .option("--cache-dir <folder>", "where the files of a store at an address are kept")
  .option("--allow-redirects", "let the server of an address redirect to other hosts")
  .option(
    "--refresh-seconds <count>",
    "seconds between two pulls, or two looks at a store at an address",
    numberOption("refreshSeconds"),
    NUMBERS.refreshSeconds.usual,
  )
  .option(
    "--max-age <time>",
    "not ready at /readyz once pulls have failed for this time, with --mirror",
    ruledOption(DURATION),
  )
  .action(async (_store: unknown, options: ServeFlags, command: Command) => {
    const { store, wait = false, mirror } = options;
    const isRemote = /^(?:s3|https?):\/\//.test(store);
    if (isRemote) requireUrl(command, store, PULL_ADDRESS);
    if (mirror && !isRemote) {
      command.error("error: option '--mirror' needs the address of a store, such as s3://bucket");
    }
    if (options.maxAge !== undefined && !mirror) {
      command.error("error: option '--max-age <time>' needs option '--mirror'");
    }
    if (options.engine !== undefined) requireUrl(command, options.engine, CLICKHOUSE_ADDRESS);
    if (!wait && !isRemote && !hasSnapshot(store)) throw new Error(noStoreAt(store));
    if (isRemote) warnOfUnusedProxy(new Terminal(options), store);
    await serveUntilStopped(options, {
      host: variableOf(command, "host"),
      port: variableOf(command, "port"),
    });
  });

/** The environment variable that an option's value comes from; undefined if it comes from elsewhere. */
function variableOf(command: Command, name: string): string | undefined {
  if (command.getOptionValueSource(name) !== "env") return undefined;
  return command.options.find((option) => option.attributeName() === name)?.envVar;
}

/** Milliseconds to wait for a snapshot that is still loading. By then all running answers are sent. */
const LOADING_MAX_MS = SERVER_LIMITS.drainMs + 900;

/** Serves until SIGINT or SIGTERM, then lets running answers finish. */
async function serveUntilStopped(
  options: ServeFlags,
  variables: Parameters<typeof listenError>[2],
): Promise<void> {
  const terminal = new Terminal(options);
  const { store, port, host, cacheMb, metrics, cards, mcp, mirror, engine, cacheDir } = options;
  const { refreshSeconds, maxAge } = options;
  const log: Log = (line, kind) => terminal.message(line, kind === "info" ? "info" : "error");
  const stopped = once(stopSignal(), "abort").then(() => null);
  let server: RunningServer | null = null;
  process.on("SIGHUP", () => server?.reload());
  // In two steps: loading all modules together would need more open files than a process with a small limit has.
  await import("../src/options/options.js");
  const { serve } = await import("../src/replica/serve.js");
  const serving = serve(store, {
    port,
    host,
    cacheMb,
    metrics,
    cards,
    mcp,
    log,
    mirror,
    engine,
    cacheDir,
    refreshSeconds,
    maxAge,
    allowRedirects: options.allowRedirects,
    publicKeys: options.publicKey,
    requestLog: options.log === "json",
  });
  server = await Promise.race([serving, stopped]).catch((error: unknown) => {
    throw listenError(error, options, variables);
  });
  // The server answers nothing before it has started, so there is nothing to wait for.
  if (server === null) process.exit(EXIT.done);
  const lines = [`crawldex serves ${store} at ${server.url}`, ...(await examples(server))];
  // The log has stdout to itself.
  if (options.log === "json" && !options.json) for (const line of lines) terminal.message(line);
  else terminal.result({ ok: true, url: server.url, host: server.host, port: server.port }, lines);
  await stopped;
  await Promise.race([server.close(), sleep(LOADING_MAX_MS)]);
  // Output that the reader of stdout has not read yet would keep the process alive.
  process.exit(EXIT.done);
}

function addressIn(text: string): string {
  if (/^[\w.:%-]+$/.test(text)) return text;
  throw new InvalidArgumentError("It must be an IP address or the name of a host.");
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
