import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

/*
 * A process that speaks ClickHouse's HTTP protocol as far as its client for Node uses it, over the engine of
 * ClickHouse that npm's `chdb` has. `node chdb-server.ts <node_modules> <data folder> <port>`. Beyond the protocol,
 * `/control` changes how the server behaves (`Behaviour`), and tells what it has seen (`Seen`).
 */

/** How the server behaves. */
export interface Behaviour {
  /** Milliseconds before each answer. */
  delayMs: number;
  /** Whether answers end in the middle. */
  isCut: boolean;
  /** Bytes of memory that a statement may take; 0 for as many as there are. */
  memoryMax: number;
}

/** What the server has seen since the start. */
export interface Seen {
  /** Statements of any kind. */
  statements: number;
  /** Requests whose client left before the answer. */
  left: number;
  /** Requests that have no answer yet. */
  open: number;
  /** The most requests at the same time. */
  atOnce: number;
  /** Microseconds of processor time of all threads. */
  cpu: number;
}

interface Session {
  query(sql: string): string;
  queryAsync(sql: string): Promise<{ bytes(): Uint8Array }>;
  queryBindAsync(sql: string, values: object): Promise<{ bytes(): Uint8Array }>;
  insert(rows: object): Promise<unknown>;
}

const SESSIONS = 4;
/** Settings of the HTTP interface, which the library does not have; and one that would last. */
const OF_HTTP = ["wait_end_of_query", "send_progress_in_http_headers", "readonly"];
const OTHERS = ["query", "query_id", "database", "default_format"];

const [modules = "", folder = "", port = "0"] = process.argv.slice(2);
const { Session: ChdbSession } = createRequire(join(modules, "any.js"))("chdb") as {
  Session: new (path: string) => Session;
};
mkdirSync(folder, { recursive: true });
const idle: Session[] = Array.from({ length: SESSIONS }, (_, at) => {
  const session = new ChdbSession(folder);
  if (at === 0) session.query("CREATE DATABASE IF NOT EXISTS crawldex ENGINE = Atomic");
  session.query("USE crawldex");
  return session;
});
/** The settings of each session, which last. */
const settingsOf = new Map<Session, Map<string, string>>();
const waiting: ((session: Session) => void)[] = [];
const behaviour: Behaviour = { delayMs: 0, isCut: false, memoryMax: 0 };
const seen: Seen = { statements: 0, left: 0, open: 0, atOnce: 0, cpu: 0 };

createServer((req, res) => {
  void answer(req, res).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    if (!res.headersSent) res.writeHead(500, { "Content-Type": "text/plain" });
    res.end(text.replace(/^Query failed: /, ""));
  });
}).listen(Number(port), "127.0.0.1");

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = new URL(req.url ?? "", "http://any");
  if (url.pathname === "/ping") {
    res.end("Ok.\n");
    return;
  }
  if (url.pathname === "/control") {
    Object.assign(behaviour, JSON.parse((await bodyOf(req)).toString() || "{}"));
    const { user, system } = process.cpuUsage();
    res.end(JSON.stringify({ ...seen, cpu: user + system }));
    seen.atOnce = 0;
    return;
  }
  seen.open += 1;
  seen.atOnce = Math.max(seen.atOnce, seen.open);
  let isOpen = true;
  const end = () => {
    if (isOpen) seen.open -= 1;
    isOpen = false;
  };
  // Comes before the client has the whole answer and sends its next request.
  res.once("finish", end);
  res.once("close", () => {
    if (isOpen) seen.left += 1;
    end();
  });
  const [user] = Buffer.from(req.headers.authorization?.split(" ")[1] ?? "", "base64")
    .toString()
    .split(":");
  if (user !== "default") {
    throw new Error("Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)");
  }
  if (url.searchParams.get("database") !== "crawldex") {
    throw new Error("Code: 81. DB::Exception: Database does not exist. (UNKNOWN_DATABASE)");
  }
  if (behaviour.delayMs > 0) await new Promise((done) => setTimeout(done, behaviour.delayMs));
  const body = await run(req, url);
  res.writeHead(200, {
    "X-ClickHouse-Query-Id": url.searchParams.get("query_id") ?? "",
    "X-ClickHouse-Summary": "{}",
    "Content-Length": body.length,
  });
  if (!behaviour.isCut) {
    res.end(body);
    return;
  }
  res.write(body.subarray(0, body.length / 2), () => res.destroy());
}

async function run(req: IncomingMessage, url: URL): Promise<Uint8Array> {
  const session = idle.pop() ?? (await new Promise<Session>((give) => waiting.push(give)));
  seen.statements += 1;
  try {
    return await runIn(session, req, url);
  } finally {
    const next = waiting.shift();
    if (next === undefined) idle.push(session);
    else next(session);
  }
}

async function runIn(session: Session, req: IncomingMessage, url: URL): Promise<Uint8Array> {
  const { values, settings, sql } = await statementOf(req, url);
  const applied = settingsOf.get(session) ?? new Map<string, string>();
  settingsOf.set(session, applied);
  for (const [name, value] of [
    ...settings,
    ["max_memory_usage", `${behaviour.memoryMax}`] as const,
  ]) {
    if (applied.get(name) !== value) session.query(`SET ${name} = '${value}'`);
    applied.set(name, value);
  }
  const given = new Set([...settings.map(([name]) => name), "max_memory_usage"]);
  for (const name of [...applied.keys()].filter((one) => !given.has(one))) {
    session.query(`SET ${name} = DEFAULT`);
    applied.delete(name);
  }
  const insert = /^INSERT INTO (\w+) FORMAT (\w+)\s*$/.exec(url.searchParams.get("query") ?? "");
  if (insert !== null) {
    const [, table, format] = insert;
    // The body is inserted piece by piece: a table may get half of it.
    await session.insert({ table, format, values: req });
    return new Uint8Array(0);
  }
  const result = await (Object.keys(values).length > 0
    ? session.queryBindAsync(sql, values)
    : session.queryAsync(sql));
  return result.bytes();
}

async function statementOf(req: IncomingMessage, url: URL) {
  const given = [...url.searchParams];
  const isInsert = url.searchParams.has("query");
  const body = isInsert ? "" : (await bodyOf(req)).toString();
  const [, boundary] = /boundary=(\S+)/.exec(req.headers["content-type"] ?? "") ?? [];
  const parts = boundary === undefined ? [] : partsOf(body, boundary);
  const values: Record<string, unknown> = {};
  for (const [name, value] of [...given, ...parts]) {
    if (name.startsWith("param_")) values[name.slice("param_".length)] = parameterIn(value);
  }
  const isSetting = (name: string) =>
    !name.startsWith("param_") && !/http/.test(name) && ![...OF_HTTP, ...OTHERS].includes(name);
  return {
    values,
    settings: given.filter(([name]) => isSetting(name)),
    sql: parts.find(([name]) => name === "query")?.[1] ?? body,
  };
}

function partsOf(body: string, boundary: string): [name: string, value: string][] {
  return body.split(`--${boundary}`).flatMap((part) => {
    const [, name, value] =
      /name="(\w+)"[^\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*)\r\n$/.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

/**
 * A parameter as the client has escaped it: a list in brackets, or a text, or a number. The library escapes it again.
 */
function parameterIn(text: string): unknown {
  const plain = (escaped: string) =>
    escaped.replace(/\\(.)/gs, (_, sign: string) => ({ t: "\t", n: "\n", r: "\r" })[sign] ?? sign);
  if (/^\[(?:\d+(?:,\d+)*)?\]$/.test(text)) return JSON.parse(text);
  if (/^\['.*'\]$/s.test(text)) {
    return [...text.matchAll(/'((?:[^'\\]|\\.)*)'/gs)].map(([, item = ""]) => plain(item));
  }
  return plain(text);
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks);
}
