/** Sends the requests of a baseline to a server and to a fetch handler, and notes the facts of each answer. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type BaselineWriter, OF_ASSETS, OWN_FILES, withoutHashes } from "./facts.js";
import { type BaselineRequest, requestKey } from "./requests.js";

/** One answer, as it was sent. */
interface Given {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Something that answers requests. */
export interface Target {
  readonly name: "server" | "handler";
  ask(request: BaselineRequest): Promise<Given>;
  close(): Promise<void>;
}

/** Requests that are open at the same time. */
const LANES = 4;
const TIMEOUT_MS = 60_000;

/** Starts `crawldex serve` of a compiled tree on a free port. */
export async function startServer(dist: string, store: string): Promise<Target> {
  const args = [join(dist, "cli/index.js"), "serve", store, "--port", "0", "--json"];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const ask = (request: BaselineRequest) => askServer(url, agent, request);
  return { name: "server", ask, close: () => stop(server, agent) };
}

async function stop(server: ChildProcess, agent: Agent): Promise<void> {
  agent.destroy();
  server.kill();
  await once(server, "exit");
}

function askServer(url: string, agent: Agent, request: BaselineRequest): Promise<Given> {
  const { method, target: path, headers, body } = request;
  return new Promise((resolve, reject) => {
    const sent = { agent, method, path, headers, timeout: TIMEOUT_MS };
    const req = httpRequest(url, sent, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        const texts = Object.entries(res.headers).map(([name, value]) => [name, String(value)]);
        const text = Object.fromEntries(texts) as Record<string, string>;
        resolve({ status: res.statusCode ?? 0, headers: text, body: Buffer.concat(chunks) });
      });
    });
    req.on("timeout", () => req.destroy(new Error(`no answer in time to ${path}`)));
    req.on("error", (error) => {
      // The server may close an idle connection just as it is used again.
      if (req.reusedSocket) resolve(askServer(url, agent, request));
      else reject(error);
    });
    req.end(body);
  });
}

/** Makes the fetch handler of a compiled tree, with pages and all extras. */
export async function startHandler(dist: string, store: string): Promise<Target> {
  const load = (path: string) => import(pathToFileURL(join(dist, path)).href);
  const { createFetchHandler } = await load("src/fetch/index.js");
  const { pages } = await load("src/fetch/pages.js");
  const { cards } = await load("src/extras/cards/edge.js");
  const { EXTRAS } = await load("src/extras/index.js");
  const { folderStore } = await load("src/index.js");
  const wasm = createRequire(join(dist, "cli/index.js")).resolve("@resvg/resvg-wasm/index_bg.wasm");
  const handler = await createFetchHandler({
    store: folderStore(store),
    pages: pages(),
    extras: [
      ...EXTRAS.filter(({ name }: { name: string }) => name !== "cards"),
      cards(readFileSync(wasm)),
    ],
  });
  const ask = async ({ method, target, headers, body }: BaselineRequest): Promise<Given> => {
    const url = `https://any.example${target}`;
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const response: Response = await handler(request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  return { name: "handler", ask, close: () => Promise.resolve() };
}

/** Sends all requests, and those that the answers lead to. */
export async function takeAnswers(
  directory: string,
  target: Target,
  requests: readonly BaselineRequest[],
  writer: BaselineWriter,
): Promise<void> {
  const taker = new AnswerTaker(directory, target, writer);
  const open = requests.filter(({ isServerOnly }) => target.name === "server" || !isServerOnly);
  // HEAD comes last: only the body of a GET tells whether its entity tag depends on names of assets.
  await taker.takeAll(open.filter(({ method }) => method !== "HEAD"));
  await taker.takeAll(open.filter(({ method }) => method === "HEAD"));
  await taker.takeAll([...taker.followed.values()]);
}

class AnswerTaker {
  /** Requests that answers lead to: assets, files of the dump, and the next changes. By their keys. */
  readonly followed = new Map<string, BaselineRequest>();
  readonly #directory: string;
  readonly #target: Target;
  readonly #writer: BaselineWriter;
  /** Entity tags of answers whose bytes contain names of assets. */
  readonly #ownTags = new Set<string>();

  constructor(directory: string, target: Target, writer: BaselineWriter) {
    this.#directory = directory;
    this.#target = target;
    this.#writer = writer;
  }

  async takeAll(requests: readonly BaselineRequest[]): Promise<void> {
    const open = [...requests].reverse();
    const lane = async () => {
      for (let next = open.pop(); next !== undefined; next = open.pop()) await this.#take(next);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  async #take(request: BaselineRequest): Promise<void> {
    const given = await this.#target.ask(request);
    this.#note(request, given);
    const { etag } = given.headers;
    if (!request.isRepeated || etag === undefined) return;
    const headers = { ...request.headers, "If-None-Match": etag };
    const again = await this.#target.ask({ ...request, headers });
    this.#note({ ...request, headers: { ...request.headers, "If-None-Match": "its tag" } }, again);
  }

  #note(request: BaselineRequest, given: Given): void {
    const body = decoded(given);
    const text = body.toString("latin1");
    const { etag = "" } = given.headers;
    if (withoutHashes(text) !== text && etag !== "") this.#ownTags.add(coreOf(etag));
    const hasAssets = withoutHashes(text) !== text || this.#ownTags.has(coreOf(etag));
    this.#follow(request.target, text);
    const facts: Record<string, string> = { status: String(given.status) };
    for (const [name, value] of Object.entries(given.headers)) {
      facts[name] = headerFact(name, value, hasAssets);
    }
    const timeless = request.target === "/readyz" ? Buffer.from(withoutTime(text)) : body;
    facts.bytes = this.#writer.digest(timeless, true);
    const isOwn = request.target.startsWith("/assets/");
    const address = kindOfTarget(request.target);
    const kind = `${this.#directory} ${this.#target.name} ${request.method} ${address}`;
    const key = keyWithoutDigests(requestKey(request));
    this.#writer.add({ kind: isOwn ? `${OWN_FILES}: ${kind}` : kind, key, facts });
  }

  #follow(target: string, text: string): void {
    const targets = [...text.matchAll(/\bassets\/[a-z]+-[0-9a-f]{8}\.\w+/g)].map(
      ([path]) => `/${path}`,
    );
    if (target === "/api/dump/") {
      const files = text.matchAll(/\/api\/dump\/[\w.-]+\?content=\w+/g);
      targets.push(...[...files].map(([path]) => path));
    }
    if (target === "/api/changes?limit=5") {
      const next = /"next":"([^"]+)"/.exec(text)?.[1];
      if (next !== undefined) targets.push(`/api/changes?limit=5&since=${next}`);
    }
    for (const path of targets) {
      const request = { method: "GET", target: path, headers: {} };
      this.followed.set(keyWithoutDigests(path), request);
    }
  }
}

/** The value of a header, without the time, and without anything that depends only on names of assets. */
function headerFact(name: string, value: string, hasAssets: boolean): string {
  if (name === "date") return "the time";
  const isOfBytes = ["etag", "content-length", "repr-digest"].includes(name);
  return isOfBytes && hasAssets ? OF_ASSETS : withoutHashes(value);
}

/** The part of an entity tag that its bytes decide, which forms with other encodings share. */
function coreOf(etag: string): string {
  return /[0-9a-f]{16,}/.exec(etag)?.[0] ?? "none";
}

function decoded({ headers, body }: Given): Buffer {
  if (body.length === 0) return body;
  const encoding = headers["content-encoding"];
  if (encoding === "gzip") return gunzipSync(body);
  if (encoding === "br") return brotliDecompressSync(body);
  return body;
}

function withoutTime(text: string): string {
  return text.replace(/("publishedAt"|"snapshot"):"[^"]*"/g, '$1:"…"');
}

function keyWithoutDigests(key: string): string {
  return withoutHashes(key)
    .replace(/content=[0-9a-f]{16,}/, "content=*")
    .replace(/since=\d+-\w+/, "since=next");
}

/** Returns an address without the names in it, such as `/api/sites/{host}/report`. */
export function kindOfTarget(target: string): string {
  const path = (target.split("?")[0] ?? "").slice(0, 200);
  return path
    .replace(/^(\/api)?\/sites\/(?!suggestions|facets)[^/]+/, "$1/sites/{host}")
    .replace(
      /^(\/api\/dump|\/changes|\/assets|\/(?:categories|checks|feeds|figures|matrix|sitemaps|tables))\/.+/,
      "$1/{name}",
    );
}
