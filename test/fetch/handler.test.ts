import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { ROUTES } from "../../src/contract/routes.js";
import { folderStore } from "../../src/fetch/folder-store.js";
import { makeHandler } from "../../src/fetch/handler.js";
import { createFetchHandler, type FetchHandler, type FetchStore } from "../../src/fetch/index.js";
import { serve } from "../../src/replica/serve.js";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { temporaryFolder } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { loadRecords } from "../oracle/records.js";
import { randomRequest } from "../oracle/requests.js";
import { send } from "../runtime/http.js";
import { writeSample } from "../sample/generator/write.js";
import { repeated } from "../slow.js";

const RANDOM_REQUESTS = repeated(120, 250);
const LISTINGS = repeated(300, 600);

let store: string;
let server: RunningServer;
let handler: FetchHandler;
let targets: string[];
/** The paths that were fetched, and how often by a range of their files. */
const fetched = new Map<string, number>();

/** The store in its folder, with a note of each file that is read. */
const notingStore: FetchStore = (path, range) => {
  fetched.set(path, (fetched.get(path) ?? 0) + (range === undefined ? 0 : 1));
  return folderStore(store)(path, range);
};

const cleanUps: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

beforeAll(async () => {
  const finished = (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp);
  const folder = await temporaryFolder(finished);
  store = join(folder, "store");
  await writeSample(join(folder, "published"), { listings: LISTINGS, seed: 3 });
  await build(join(folder, "published"), { store, jobs: 1, keep: 1 });
  server = await serve(store, {
    port: 0,
    cards: false,
    host: "127.0.0.1",
    cacheMb: 0,
    log: () => {},
  });
  finished(() => server.close());
  handler = await createFetchHandler({ store: notingStore });
  const records = loadRecords(join(folder, "published"));
  const random = seeded(11);
  const drawn = Array.from({ length: RANDOM_REQUESTS }, () => randomRequest(random, records));
  const examples = Object.values(ROUTES).map(({ example }) => example);
  const others = ["/healthz", "/readyz", "/", "/?q=a&page=2", "/standards", "/metrics"];
  targets = [...examples, ...others, ...pagesOf(records), ...drawn].map((target) => {
    // A web Request has its address normalised already.
    const { pathname, search } = new URL(target, server.url);
    return pathname + search;
  });
});

interface Given {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Headers that only a connection has. */
const OF_CONNECTIONS = ["date", "connection", "keep-alive", "transfer-encoding"];

function headersOf(entries: Iterable<[string, unknown]>): Record<string, string> {
  const kept = [...entries].filter(([name]) => !OF_CONNECTIONS.includes(name));
  kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Pages, and files beside them, of the first listings. */
function pagesOf({ listings }: ReturnType<typeof loadRecords>): string[] {
  const of = [...listings.keys()].slice(0, 8).flatMap((host) => {
    const page = `/sites/${host}`;
    return [page, `${page}/report.md`, `${page}/badge.svg`, `${page}?scan=none`];
  });
  return ["/robots.txt", "/llms.txt", "/sitemap.xml", "/sitemaps/0.xml", "/sitemaps/9.xml", ...of];
}

const PLAIN = {};

type Sent = { readonly method?: string; readonly headers?: Record<string, string> };

async function bySocket(target: string, sent: Sent): Promise<Given> {
  const { status, headers, bytes } = await send(server, target, sent);
  return { status, headers: headersOf(Object.entries(headers)), text: bytes.toString("latin1") };
}

async function byFetch(target: string, sent: Sent): Promise<Given> {
  const response = await handler(new Request(`https://edge.example${target}`, sent));
  const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
  return { status: response.status, headers: headersOf(response.headers), text };
}

describe("a fetch handler answers as crawldex serve does (ARCHITECTURE, a request)", () => {
  it.each<[string, Sent]>([
    ["GET", PLAIN],
    ["a compressed GET", { headers: { "accept-encoding": "gzip" } }],
    ["GET of Markdown", { headers: { accept: "text/markdown" } }],
    ["GET of a browser", { headers: { accept: "text/html,*/*;q=0.8" } }],
    ["HEAD", { method: "HEAD" }],
    ["OPTIONS", { method: "OPTIONS" }],
    ["DELETE", { method: "DELETE" }],
  ])("answers every %s in a fetch handler as the server does, byte for byte", async (_, sent) => {
    const different: unknown[] = [];
    const statuses = new Set<number>();
    for (const target of sent === PLAIN ? targets : targets.slice(0, 60)) {
      const [socket, fetch] = [await bySocket(target, sent), await byFetch(target, sent)];
      statuses.add(socket.status);
      if (JSON.stringify(socket) !== JSON.stringify(fetch))
        different.push({ target, socket, fetch });
    }
    expect(different.slice(0, 3)).toEqual([]);
    if (sent === PLAIN) expect([...statuses].sort()).toEqual([200, 400, 403, 404]);
  });

  it("gives a conditional request the server's 304", async () => {
    for (const target of targets.slice(0, 60)) {
      const { headers } = await bySocket(target, {});
      if (headers.etag === undefined) continue;
      const sent = { headers: { "if-none-match": headers.etag } };
      const given = await byFetch(target, sent);
      expect(given).toEqual(await bySocket(target, sent));
      expect([given.status, given.text]).toEqual([304, ""]);
    }
  });

  it("reads tables, the manifest and documents whole, packs by ranges, and nothing else", async () => {
    const kinds = new Set([...fetched.keys()].map((path) => path.replace(/[0-9a-f]{32}/g, "")));
    expect([...kinds].filter((kind) => !kind.startsWith("/public/")).sort()).toEqual([
      "/manifest.json",
      "current.json",
      "segments/.pack",
      "segments/.parquet",
    ]);
    const ranges = [...fetched].filter(([, count]) => count > 0).map(([path]) => path);
    expect(ranges.length).toBeGreaterThan(1);
    expect(ranges.every((path) => path.endsWith(".pack"))).toBe(true);
  });

  it("fetches tables only for the first search, if it is lazy, and none for a report", async () => {
    const paths: string[] = [];
    let isDown = false;
    const lazy = await makeHandler(
      {
        store: async (path, range) => {
          paths.push(path);
          if (isDown && path.endsWith(".parquet")) throw new Error("down");
          return folderStore(store)(path, range);
        },
      },
      null,
      true,
    );
    const tables = () => paths.filter((path) => path.endsWith(".parquet")).length;
    const ask = async (target: string) => {
      const { status } = await lazy(new Request(`https://any.example${target}`));
      return status;
    };
    const found = await (await fetch(`${server.url}/api/sites?limit=1`)).text();
    const [, host] = /"host":"([^"]+)"/.exec(found) ?? [];
    const report = `/api/sites/${host}/report`;
    expect([await ask("/api/standards"), tables()]).toEqual([200, 0]);
    expect([await ask(report), await ask(report), tables()]).toEqual([200, 200, 0]);
    isDown = true;
    expect(await ask("/api/sites")).toBe(502);
    isDown = false;
    expect([await ask("/api/sites"), await ask("/api/sites?q=a")]).toEqual([200, 200]);
    const atEnd = tables();
    expect([await ask("/api/sites/facets"), tables()]).toEqual([200, atEnd]);
  });

  it("answers 502 for a damaged byte of a pack, as the server does", async () => {
    const reports = targets.filter((one) => /^\/api\/sites\/[a-z0-9.-]+\/report$/.test(one));
    const files = await readdir(join(store, "segments"));
    for (const name of files.filter((one) => one.endsWith(".pack"))) {
      const path = join(store, "segments", name);
      await writeFile(path, (await readFile(path)).fill("x"));
    }
    const given = await Promise.all(reports.map((one) => byFetch(one, {})));
    expect(given.filter(({ status }) => status === 502).length).toBeGreaterThan(3);
    expect(given.filter(({ status }) => ![400, 404, 502].includes(status))).toEqual([]);
    expect(given).toEqual(await Promise.all(reports.map((one) => bySocket(one, {}))));
  });
});
