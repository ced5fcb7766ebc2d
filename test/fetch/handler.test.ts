import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../src/contract/routes.js";
import { makeHandler } from "../../src/fetch/handler.js";
import { type ByteSource, createFetchHandler, type FetchHandler } from "../../src/fetch/index.js";
import { pages } from "../../src/fetch/pages.js";
import { folderStore } from "../../src/store/folder-source.js";
import { temporaryFolder } from "../fixtures.js";
import { buildSample } from "./directory.js";

let store: string;
let handler: FetchHandler;
/** Listings of which the report is no error. */
let hosts: string[];
/** The paths that were fetched, and how often by a range of their files. */
const fetched = new Map<string, number>();

/** The store in its folder, with a note of each file that is read. */
const notingStore: ByteSource = (path, range) => {
  fetched.set(path, (fetched.get(path) ?? 0) + (range === undefined ? 0 : 1));
  return folderStore(store)(path, range);
};

const cleanUps: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

beforeAll(async () => {
  const finished = (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp);
  const built = await buildSample(await temporaryFolder(finished), 60);
  store = built.store;
  hosts = [...built.records.listings.values()]
    .filter(({ host, visibility }) => visibility === "listed" && built.records.scans.has(host))
    .map(({ host }) => host);
  handler = await createFetchHandler({ store: notingStore, pages: pages() });
});

describe("a fetch handler (oracle.test.ts compares its answers with the server's)", () => {
  it("reads tables, the manifest and documents whole, packs by ranges, and nothing else", async () => {
    const targets = Object.values(ROUTES).map(({ example }) => example);
    const reports = hosts.slice(0, 9).map((host) => `/api/sites/${host}/report`);
    for (const target of [...targets, ...reports]) {
      await handler(new Request(`https://any.example${target}`));
    }
    const kinds = new Set([...fetched.keys()].map((path) => path.replace(/[0-9a-f]{32}/g, "")));
    expect([...kinds].filter((kind) => !kind.startsWith("/public/")).sort()).toEqual([
      "/manifest.json",
      "current.json",
      "segments/.brief",
      "segments/.pack",
    ]);
    const ranges = [...fetched].filter(([, count]) => count > 0).map(([path]) => path);
    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.every((path) => path.endsWith(".pack"))).toBe(true);
  });

  it("fetches tables only for the first search, if it is lazy, and none for a report", async () => {
    const paths: string[] = [];
    let isDown = false;
    const lazy = await makeHandler(
      {
        store: async (path, range) => {
          paths.push(path);
          if (isDown && path.endsWith(".brief")) throw new Error("down");
          return folderStore(store)(path, range);
        },
      },
      null,
      {},
      true,
    );
    const tables = () => paths.filter((path) => path.endsWith(".brief")).length;
    const ask = async (target: string) => {
      const { status } = await lazy(new Request(`https://any.example${target}`));
      return status;
    };
    const report = `/api/sites/${hosts[0]}/report`;
    expect([await ask("/api/standards"), tables()]).toEqual([200, 0]);
    expect([await ask(report), await ask(report), tables()]).toEqual([200, 200, 0]);
    isDown = true;
    expect(await ask("/api/sites")).toBe(502);
    isDown = false;
    expect([await ask("/api/sites"), await ask("/api/sites?q=a")]).toEqual([200, 200]);
    const atEnd = tables();
    expect([await ask("/api/sites/facets"), tables()]).toEqual([200, atEnd]);
  });

  it("has no pages unless they are named", async () => {
    const api = await createFetchHandler({ store: folderStore(store) });
    const statusOf = async (target: string) =>
      (await api(new Request(`https://any.example${target}`))).status;
    expect(await statusOf("/api/sites")).toBe(200);
    for (const target of ["/", "/robots.txt", `/sites/${hosts[0]}`]) {
      expect(await statusOf(target), target).toBe(404);
    }
  });
});
