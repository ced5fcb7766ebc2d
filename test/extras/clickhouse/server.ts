import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";
import { npmModules } from "../../stores/servers/installed.js";
import {
  answers,
  freePorts,
  LOOPBACK,
  type Process,
  startProcess,
  Unavailable,
  untilReady,
} from "../../stores/servers/processes.js";
import type { Behaviour, Seen } from "./chdb-server.js";

/** A server for tests: that at CLICKHOUSE_URL, or one of our own over ClickHouse's library. */
export interface TestServer {
  /** As `--engine` takes it. */
  readonly address: string;
  /** Null for the server at CLICKHOUSE_URL, which stays as it is. */
  readonly own: OwnServer | null;
  stop(): Promise<void>;
}

export interface OwnServer {
  /** Changes how it behaves from now on. @returns what it has seen */
  control(behaviour: Partial<Behaviour>): Promise<Seen>;
  /** Runs a statement as its administrator. @returns rows, if its format is JSON */
  sql(statement: string): Promise<Record<string, unknown>[]>;
  /** Kills the process. */
  kill(): Promise<void>;
  /** Starts the process again, with its data. */
  start(): Promise<void>;
}

const PACKAGES = fileURLToPath(new URL("packages", import.meta.url));
const SCRIPT = fileURLToPath(new URL("chdb-server.ts", import.meta.url));

/** Starts a server. @returns why there is none on this machine, if so */
export async function startClickHouse(): Promise<TestServer | { readonly missing: string }> {
  const given = process.env.CLICKHOUSE_URL;
  if (given !== undefined) return { address: given, own: null, stop: async () => {} };
  try {
    return await startOwn(await npmModules(PACKAGES));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stderr.write(`SKIPPED, all tests with ClickHouse: ${error.message}\n`);
    return { missing: error.message };
  }
}

async function startOwn(modules: string): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "clickhouse-"));
  const [port = 0] = await freePorts(1);
  const url = `http://${LOOPBACK}:${port}`;
  const words = [
    process.execPath,
    "--import",
    "tsx",
    SCRIPT,
    modules,
    join(folder, "data"),
    `${port}`,
  ];
  let running: Process | null = null;
  const start = async () => {
    const started = startProcess(words, { log: join(folder, "log") });
    running = started;
    await untilReady(() => answers(`${url}/ping`), { processes: [started], seconds: 120 });
  };
  const post = async (path: string, body: string) => {
    const headers = { authorization: `Basic ${Buffer.from("default:").toString("base64")}` };
    const response = await fetch(url + path, { method: "POST", body, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text === "" ? {} : JSON.parse(text);
  };
  await start();
  return {
    address: `clickhouse://default@${LOOPBACK}:${port}/crawldex`,
    own: {
      control: (behaviour) => post("/control", JSON.stringify(behaviour)),
      sql: async (statement) => (await post("/?database=crawldex", statement)).data ?? [],
      kill: async () => running?.stop(),
      start,
    },
    stop: async () => {
      await running?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The server; skips the test loudly where there is none. */
export function needServer(
  context: TestContext,
  server: TestServer | { readonly missing: string },
): TestServer {
  if (!("missing" in server)) return server;
  process.stderr.write(`SKIPPED, no ClickHouse (${server.missing}): ${context.task.name}\n`);
  return context.skip(`no ClickHouse: ${server.missing}`);
}

/** A server that a test may kill and damage; skips the test loudly where there is none. */
export function needOwn(
  context: TestContext,
  server: TestServer | { readonly missing: string },
): { readonly address: string; readonly own: OwnServer } {
  const { address, own } = needServer(context, server);
  if (own !== null) return { address, own };
  process.stderr.write(
    `SKIPPED, the server at CLICKHOUSE_URL stays as it is: ${context.task.name}\n`,
  );
  return context.skip("the server at CLICKHOUSE_URL stays as it is");
}
