import { once } from "node:events";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "commander";
import { SERVER_LIMITS } from "../src/answer/limits.js";
import { installedExtras } from "../src/extra.js";
import { codeOf } from "../src/files/errors.js";
import { withExtraOptions } from "../src/lib/options.js";
import type { Log } from "../src/server/observer.js";
import { isAddress, SERVE, type ServeOptions } from "../src/server/options.js";
import type { RunningServer } from "../src/server/server.js";
import { layout } from "../src/store/layout.js";
import { CrawldexCommand, EXIT, listenError, stopSignal } from "./command.js";
import { optionNamed, optionsIn, takesExtras, takesOptions, takesStore } from "./options.js";
import { type OutputOptions, Terminal } from "./terminal.js";

interface ServeFlags extends OutputOptions, Omit<ServeOptions, "log"> {
  readonly store: string;
  readonly port: number;
  readonly host: string;
  readonly log?: "json";
  readonly wait?: boolean;
}

const ADDED = installedExtras().flatMap(({ options }) => Object.values(options?.serve ?? {}));
/** An example of what extras add, if one has any. */
const [EXAMPLE = "crawldex serve --wait"] = ADDED.flatMap(({ example }) => example ?? []);

const START = takesStore(
  new CrawldexCommand(
    "serve",
    "Serve a store's current snapshot, and each new one as it is published.",
    {
      examples: ["crawldex serve snapshots --port 8080 --log json", EXAMPLE],
      page: "serving.md",
      notes: `Signals:
  SIGTERM, SIGINT  finish the requests in progress, then exit 0
  SIGHUP           look for a new snapshot at once`,
    },
  ),
  "argument",
);

const OPTIONS = withExtraOptions("serve", SERVE);

export const serveCommand = takesOptions(takesExtras(START), OPTIONS)
  .addOption(
    new Option("--log <format>", "write a line to stdout for each request").choices(["json"]),
  )
  .option("--wait", "start without a store, and answer 503 until a snapshot is published")
  .action(async (_store: unknown, options: ServeFlags, command: Command) => {
    const { store, wait = false } = options;
    if (isAddress(store) && !installedExtras().some(({ openStore }) => openStore)) {
      command.error(
        "error: a store at an address needs an extra that opens it, and none is installed",
      );
    }
    if (!wait && !isAddress(store) && !hasSnapshot(store)) throw new Error(noStoreAt(store));
    await serveUntilStopped(options, {
      host: variableOf(command, "host"),
      port: variableOf(command, "port"),
    });
  });

/** The environment variable that an option's value comes from; undefined if it comes from elsewhere. */
function variableOf(command: Command, name: string): string | undefined {
  if (command.getOptionValueSource(name) !== "env") return undefined;
  return optionNamed(command, name).envVar;
}

/** Milliseconds to wait for a snapshot that is still loading. By then all running answers are sent. */
const LOADING_MAX_MS = SERVER_LIMITS.drainMs + 900;

/** Serves until SIGINT or SIGTERM, then lets running answers finish. */
async function serveUntilStopped(
  options: ServeFlags,
  variables: Parameters<typeof listenError>[2],
): Promise<void> {
  const terminal = new Terminal(options);
  const { store } = options;
  const log: Log = (line, kind) => terminal.message(line, kind === "info" ? "info" : "error");
  const stopped = once(stopSignal(), "abort").then(() => null);
  let server: RunningServer | null = null;
  process.on("SIGHUP", () => server?.reload());
  // In two steps: loading all modules together would need more open files than a process with a small limit has.
  await import("zod");
  const { serve } = await import("../src/server/serve.js");
  const requestLog = options.log === "json";
  const given = optionsIn(OPTIONS, { ...options, log, requestLog });
  const serving = serve(store, given);
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

/** Whether something was published into a store. A pointer that cannot be read counts: it may be repaired. */
export function hasSnapshot(store: string): boolean {
  try {
    lstatSync(layout.current(store));
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
  }
}

/** Says, in one sentence, what a folder without a snapshot is, and how to get one. */
function noStoreAt(folder: string): string {
  const names = namesIn(folder);
  const has = (...all: string[]) => all.every((name) => names.includes(name));
  if (has("directory.json", "standards.json")) {
    return `${folder} is a published directory, not a store: run crawldex build ${folder}, then crawldex serve`;
  }
  if (has("api", "sitemap.xml") || has("api", ".well-known")) {
    return (
      `${folder} is an exported tree of plain files, which any web server can serve; crawldex serve ` +
      "needs the store that it was exported from"
    );
  }
  const inside = names.find((name) => hasSnapshot(join(folder, name)));
  if (inside !== undefined) {
    return `there is no store at ${folder}, but there is one inside: run crawldex serve ${join(folder, inside)}`;
  }
  return (
    `there is no store at ${folder}: run crawldex build <published> --store ${folder}, or wait for a ` +
    "build with --wait"
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
