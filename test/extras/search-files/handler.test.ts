import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchFiles } from "../../../src/extras/search-files/edge.js";
import { SEARCH } from "../../../src/extras/search-files/search.js";
import { makeHandler } from "../../../src/fetch/handler.js";
import type { FetchHandler } from "../../../src/fetch/index.js";
import { folderStore } from "../../../src/store/folder-source.js";
import { type Built, buildSample } from "../../fetch/directory.js";
import { temporaryFolder } from "../../fixtures.js";

let built: Built;
/** The paths that were read, without digests. */
const read: string[] = [];
/** What the names of files that cannot be read end with. */
let lost = "none";
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  built = await buildSample(await temporaryFolder((one) => cleanUps.push(one)), 150);
});

afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

function handlerWith(extra = searchFiles(), isLazy = false): Promise<FetchHandler> {
  read.length = 0;
  lost = "none";
  const store = folderStore(built.store);
  const noting: typeof store = async (path, ...rest) => {
    read.push(path.replace(/\b[0-9a-f]{32}\b/, ""));
    if (path.endsWith(lost)) throw new Error("it is lost");
    return store(path, ...rest);
  };
  return makeHandler({ store: noting, extras: [extra] }, null, {}, isLazy);
}

async function answered(handler: FetchHandler, target: string): Promise<[number, string]> {
  const response = await handler(new Request(`https://any.example${target}`));
  return [response.status, await response.text()];
}

const tables = () => read.filter((path) => path.endsWith(".brief"));
const kinds = () => new Set(read.map((path) => /(\w+)\.gz$/.exec(path)?.[1] ?? ""));

const READS = [
  "/api/sites",
  "/api/sites?q=clinic&sort=recent",
  "/api/sites/facets?q=a",
  "/api/sites/suggestions?q=ex",
];

describe("a handler with the files of searches", () => {
  it("reads three of them before it answers, and no table for a search", async () => {
    const plain = await makeHandler({ store: folderStore(built.store) }, null);
    const handler = await handlerWith();
    expect([...kinds()].sort()).toEqual(["", "delta", "head", "scores"]);
    for (const target of READS) {
      expect(await answered(handler, target), target).toEqual(await answered(plain, target));
    }
    expect(tables()).toEqual([]);
  });

  it("checks pieces at an edge, which loads their sums once, and not in a worker of pages", async () => {
    const edge = await handlerWith();
    for (const target of READS) await answered(edge, target);
    expect(read.filter((path) => path.endsWith("sums.gz"))).toHaveLength(1);
    const worker = await handlerWith(SEARCH);
    for (const target of READS) await answered(worker, target);
    expect([...kinds()].filter((kind) => kind === "sums")).toEqual([]);
  });

  it("says that a file is lost, and answers once it is back", async () => {
    const handler = await handlerWith(SEARCH, true);
    const needing = {
      head: "/api/sites",
      maps: "/api/sites?q=e",
      rows: "/api/sites?page=3",
      recent: "/api/sites?sort=recent",
      column: "/api/sites?status=claimed",
      words: "/api/sites?q=clinik",
    };
    for (const [kind, target] of Object.entries(needing)) {
      lost = `.${kind}.gz`;
      const [status, text] = await answered(handler, target);
      expect([kind, status, text]).toEqual([kind, 502, expect.stringContaining("stored")]);
      lost = "none";
      expect((await answered(handler, target))[0], kind).toBe(200);
    }
  });

  it("searches by the tables, if the snapshot has none", async () => {
    const handler = await handlerWith({ ...searchFiles(), searchEngine: async () => null });
    expect(tables().length).toBeGreaterThan(0);
    expect((await answered(handler, "/api/sites"))[0]).toBe(200);
  });
});
