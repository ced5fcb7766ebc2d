import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { summaryLines } from "../../../src/answer/bodies.js";
import type { SnapshotView } from "../../../src/answer/content.js";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { readsOf } from "../../../src/extra.js";
import { DumpBody } from "../../../src/extras/dumps/bodies.js";
import { dumpFiles, type MakeDump } from "../../../src/extras/dumps/dump-files.js";
import { dumpInThread } from "../../../src/extras/dumps/dump-thread.js";
import { dumps } from "../../../src/extras/dumps/edge.js";
import { DUMP_FILE_NAMES, LISTING_FILE_NAMES } from "../../../src/extras/dumps/names.js";
import { build } from "../../../src/publish/build.js";
import { requireCurrent } from "../../../src/publish/snapshots.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { sha256 } from "../../../src/store/layout.js";
import {
  aCheck,
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../../fixtures.js";
import { asked } from "../../server/asked.js";
import { aStore } from "../../store/stores.js";
import { FOUR } from "../../store/trees.js";
import { rowsOf } from "./duckdb.js";

/** Texts that the owners of listings withhold, or that their plans lock. */
const CANARY = "canary";

/** Listings in search, by default 603, so that each file has several parts, and listings that are not in search. */
function listingsOfAllKinds(sites = 600) {
  const kinds = ["blocked", "opted-out", "removed", "deleted", "redirected"] as const;
  const hidden = kinds.map((visibility) =>
    aListing({ host: `${visibility}.example`, visibility, name: CANARY, tagline: CANARY }),
  );
  const shown = Array.from({ length: sites }, (_, n) =>
    aListing({
      host: `site-${n}.example`,
      name: n % 5 === 0 ? null : `Site ${n}, "quoted"\nand ünïcode ☃`,
      tagline: n % 3 === 0 ? null : `Line ${n}`,
      category: ["news", "weather", null][n % 3]!,
      tags: n % 2 === 0 ? ["zeta", "first"] : [],
      platforms: n % 4 === 0 ? ["wordpress", "astro"] : [],
      description: CANARY,
    }),
  );
  const others = ["unscored", "other", "formula"].map((name) =>
    aListing({ host: `${name}.example`, name: name === "formula" ? "=1+1" : name }),
  );
  const scanned = [...hidden, ...shown, ...others];
  const scans = scanned.map(({ host }, n) =>
    aScan({
      host,
      score: host === "unscored.example" ? null : n % 101,
      ...(host === "unscored.example" && { scoreVersion: null }),
      summary: CANARY,
      checks: n % 2 === 0 ? [aCheck()] : [aCheck({ status: "fail" })],
    }),
  );
  const unscanned = aListing({ host: "unscanned.example", name: CANARY });
  return aPublishedDirectory({ listings: [...scanned, unscanned], scans });
}

/** A store of these listings, for tests that publish nothing. It is made once. */
let made: Promise<string> | undefined;

function storeOfAllKinds(): Promise<string> {
  made ??= temporaryFolder(() => {}).then(async (folder) => {
    const published = await writePublished(join(folder, "published"), listingsOfAllKinds());
    await build(published, { store: join(folder, "store"), ...FOUR });
    return join(folder, "store");
  });
  return made;
}

async function viewOf(store: string) {
  const { snapshot, close } = await loadSnapshot(store, await requireCurrent(store));
  onTestFinished(close);
  return snapshot;
}

async function indexOf(store: string) {
  const snapshot = await viewOf(store);
  const { bytes } = await asked(snapshot, "/api/dump/");
  const { data: index } = DumpBody.parse(JSON.parse(bytes.toString("utf8")));
  return { snapshot, index };
}

async function dumpOf(store: string) {
  const { snapshot, index } = await indexOf(store);
  const files = await Promise.all(
    index.files.map(async ({ url }) => (await asked(snapshot, new URL(url).pathname)).bytes),
  );
  return { snapshot, index, files };
}

/** All summaries, page by page as the API answers with them. */
async function summariesIn(snapshot: Parameters<typeof asked>[0]): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; ; page += 1) {
    const { bytes } = await asked(snapshot, `/api/sites?sort=host&limit=100&page=${page}`);
    const { data }: { data: SiteSummary[] } = JSON.parse(bytes.toString("utf8"));
    if (data.length === 0) return all;
    all.push(...data.map((one) => JSON.stringify(one)));
  }
}

/** A dump whose making ends when the test says so. */
function promised() {
  type Files = Awaited<ReturnType<MakeDump>>;
  let end: (files: Files) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const files = new Promise<Files>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { files, end, fail };
}

type Dump = Awaited<ReturnType<typeof dumpOf>>;

/** Expects the tables in a folder to have the rows of summaries. */
async function expectRows(
  folder: string,
  { columns }: Dump["index"],
  summaries: readonly string[],
) {
  const rows = summaries.map((text) => {
    const { category, tags, ...site }: SiteSummary = JSON.parse(text);
    const flat = {
      ...site,
      category: category?.slug ?? null,
      tags: tags.map(({ slug }) => slug),
    };
    const cells = columns.map(({ name }) => [name, flat[name as keyof typeof flat]]);
    return Object.fromEntries(cells) as Record<string, unknown>;
  });
  const [parquet, csv] = await Promise.all([
    rowsOf(`SELECT * FROM '${folder}/listings.parquet'`),
    rowsOf(
      `SELECT * FROM read_csv('${folder}/listings.csv.gz', header = true, all_varchar = true)`,
    ),
  ]);
  expect(parquet).toEqual(rows);
  expect(Object.keys(parquet[0]!)).toEqual(columns.map(({ name }) => name));
  // An empty cell is null, or a list without items. What a spreadsheet would calculate is quoted.
  const cellOf = (value: unknown) => {
    if (value === null) return null;
    return value === "=1+1"
      ? "'=1+1"
      : (Array.isArray(value) ? value.join(" ") : `${value}`) || null;
  };
  const inTable = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)])),
  );
  expect(csv).toEqual(inTable);
}

/** Expects the files to be those that the answering thread makes, and a thread to reject with the error of its rows. */
async function expectBytes({ snapshot, index, files }: Dump): Promise<void> {
  const engine = await snapshot.engine;
  async function* rows() {
    const limit = 2_000;
    for (let page = 1; (page - 1) * limit < index.rows; page += 1) {
      const { summaries } = await engine.search({ sort: "host", page, limit });
      // A part of a larger buffer, as an engine may give.
      yield Buffer.concat([Buffer.of(0), summaryLines(summaries)]).subarray(1);
    }
  }
  for (const make of [dumpFiles, dumpInThread]) {
    for (const [at, file] of LISTING_FILE_NAMES.entries()) {
      const made = (await make([file], rows())).get(file);
      expect([file, sha256(made!)]).toEqual([file, sha256(files[at]!)]);
    }
  }
  async function* failing() {
    yield* rows();
    throw new Error("no more rows");
  }
  await expect(dumpInThread(LISTING_FILE_NAMES, failing())).rejects.toThrow("no more rows");
  const wrong = (async function* () {
    yield Buffer.from("[\n");
  })();
  await expect(dumpInThread(LISTING_FILE_NAMES, wrong)).rejects.toThrow(SyntaxError);
}

describe("a dump", () => {
  it("has the rows that the API answers with, as Parquet, NDJSON and CSV, from a thread of its own", async () => {
    const store = await storeOfAllKinds();
    let started = 0;
    const count = () => {
      started += 1;
    };
    process.on("worker", count);
    const dump = await dumpOf(store);
    process.off("worker", count);
    expect(started).toBe(2);
    const { snapshot, index, files } = dump;
    const folder = await temporaryFolder();
    for (const [at, { file, bytes, sha256: hash }] of index.files.entries()) {
      expect([files[at]!.length, sha256(files[at]!)]).toEqual([bytes, hash]);
      await writeFile(join(folder, file), files[at]!);
    }
    const summaries = await summariesIn(snapshot);
    expect(summaries.length).toBe(603);
    expect(index.rows).toBe(summaries.length);
    const ndjson = gunzipSync(files[1]!).toString("utf8");
    expect(ndjson).toBe(summaries.map((one) => `${one}\n`).join(""));
    await expectRows(folder, index, summaries);
    await expectBytes(dump);
  }, 120_000);

  it("names nothing that is withheld or locked, and after one build nothing of a removed listing", async () => {
    const files = listingsOfAllKinds(40);
    const { store, publish } = await aStore(files);
    const texts = async () => {
      const { snapshot, index, files: all } = await dumpOf(store);
      const names = [...index.lists.map(({ file }) => file), "index.json", "croissant.json"];
      const others = await Promise.all(
        names.map(async (name) => (await asked(snapshot, `/api/dump/${name}`)).bytes),
      );
      const trends = (await asked(snapshot, "/api/trends")).bytes;
      const history = await Promise.all(
        index.history.files.map(async ({ file }) => {
          return (await asked(snapshot, `/api/dump/${file}`)).bytes;
        }),
      );
      const rows = await temporaryFolder();
      await writeFile(join(rows, "table.parquet"), all[0]!);
      await writeFile(join(rows, "history.parquet"), history[0]!);
      const table = JSON.stringify([
        await rowsOf(`SELECT * FROM '${rows}/table.parquet'`),
        await rowsOf(`SELECT * FROM '${rows}/history.parquet'`),
      ]);
      const packed = [all[1]!, all[2]!, history[1]!].map((bytes) => gunzipSync(bytes));
      const plain = [...packed, ...others, trends];
      return [table, ...plain.map((bytes) => bytes.toString("utf8"))].join("\n");
    };
    const before = await texts();
    expect(before).not.toContain(CANARY);
    for (const host of ["blocked", "opted-out", "removed", "deleted", "redirected", "unscanned"])
      expect(before).not.toContain(`${host}.example`);
    expect(before.split("site-7.example").length).toBeGreaterThan(8);
    const { index, snapshot } = await indexOf(store);
    const { headers } = await asked(snapshot, "/api/dump/index.json");
    expect(headers["Content-Type"]).toBe("application/json");
    const listings = files.listings.map((one) =>
      one.host === "site-7.example" ? { ...one, visibility: "removed" as const } : one,
    );
    await publish({ ...files, listings });
    expect(await texts()).not.toContain("site-7.example");
    // A dump is of one snapshot: an address that names a replaced one answers 410.
    const now = await viewOf(store);
    const { search } = new URL(index.files[0]!.url);
    for (const name of [...DUMP_FILE_NAMES, "hosts.txt", "index.json", "croissant.json"]) {
      const { status, bytes } = await asked(now, `/api/dump/${name}${search}`);
      expect([name, status]).toEqual([name, 410]);
      expect(bytes.toString("utf8")).toContain("/api/dump/");
    }
    expect((await asked(now, "/api/dump/listings.parquet?content=1")).status).toBe(400);
    for (const name of ["listings.xlsx", "category-none.txt", "tag-zeta.txt", "band-.txt", "..%2f"])
      expect([name, (await asked(now, `/api/dump/${name}`)).status]).toEqual([name, 404]);
  }, 120_000);

  it("has the same bytes whatever the builds before, and no rows if there are no listings", async () => {
    const files = listingsOfAllKinds(40);
    const few = { ...files, listings: files.listings.slice(20), scans: files.scans.slice(20) };
    const one = await aStore(files);
    const other = await aStore(few, files);
    const first = await dumpOf(one.store);
    const second = await dumpOf(other.store);
    expect(second.files).toEqual(first.files);
    expect([first.index.generation, second.index.generation]).toEqual([1, 2]);
    expect({ ...second.index, generation: 1 }).toEqual(first.index);
    const none = await dumpOf((await aStore({ ...files, listings: [], scans: [] })).store);
    expect([none.index.rows, none.index.lists.length]).toEqual([0, 1]);
    expect(gunzipSync(none.files[1]!).length).toBe(0);
    expect(gunzipSync(none.files[2]!).toString("utf8")).toMatch(/^\ufeffhost,url,.*\r\n$/);
    const folder = await temporaryFolder();
    await writeFile(join(folder, "none.parquet"), none.files[0]!);
    expect(await rowsOf(`SELECT * FROM '${folder}/none.parquet'`)).toEqual([]);
    expect(none.index.history.files.length).toBe(2);
  }, 120_000);

  it("of many listings is made once, however many ask: all get a 503 until it is there, a failure is " +
    "told once, and the listings do not wait for the history", async () => {
    const snapshot = await viewOf(await storeOfAllKinds());
    const own = await snapshot.engine;
    const calls: ReturnType<typeof promised>[] = [];
    const groups: string[] = [];
    const makeDump: MakeDump = (files) => {
      groups.push(files[0] ?? "");
      const call = promised();
      calls.push(call);
      return call.files;
    };
    const facets: typeof own.facets = (...of) => own.facets(...of);
    const allSummaries: typeof own.allSummaries = () => own.allSummaries();
    const engine = { size: 100_000, facets, allSummaries };
    const view: SnapshotView = Object.assign(Object.create(snapshot), {
      pause: async () => {},
      directory: snapshot.directory,
      readDocument: (path: string) => snapshot.readDocument(path),
      addition: () => null,
      sha256Of: async (bytes: Uint8Array) => sha256(bytes),
    });
    Object.defineProperty(view, "engine", { value: Promise.resolve(engine) });
    const targets = ["/api/dump/", "index.json", "croissant.json", ...DUMP_FILE_NAMES].map(
      (name) => (name.startsWith("/") ? name : `/api/dump/${name}`),
    );
    const reads = readsOf([dumps(makeDump)]);
    const ask = (target: string) => asked(view, target, false, reads);
    const askAll = () => Promise.all(targets.map(ask));
    const expectWaits = async () => {
      for (const { status, headers, bytes } of await askAll()) {
        expect([status, headers["Retry-After"]]).toEqual([503, "20"]);
        expect(headers["Cache-Control"]).toBe("no-store");
        expect(JSON.parse(bytes.toString("utf8"))).toEqual({
          error: expect.stringMatching(/dump/),
        });
      }
    };
    await expectWaits();
    await expectWaits();
    expect(groups).toEqual(["listings.parquet", "history.parquet"]);
    calls[0]!.fail(new Error("no memory"));
    await new Promise(setImmediate);
    await expect(ask("/api/dump/")).rejects.toThrow("no memory");
    await expectWaits();
    expect(groups.slice(2)).toEqual(["listings.parquet"]);
    const bytes = Buffer.from("dump");
    const files = new Map(DUMP_FILE_NAMES.map((name) => [name, bytes]));
    calls[2]!.end(files);
    await new Promise(setImmediate);
    for (const name of LISTING_FILE_NAMES)
      expect((await ask(`/api/dump/${name}`)).bytes).toEqual(bytes);
    for (const name of ["", "croissant.json", "history.parquet"])
      expect([name, (await ask(`/api/dump/${name}`)).status]).toEqual([name, 503]);
    calls[1]!.end(files);
    await new Promise(setImmediate);
    for (const { status } of await askAll()) expect(status).toBe(200);
    expect(calls.length).toBe(3);
  }, 120_000);

  it("lists the hosts of each band, category and capability as search finds them", async () => {
    const { snapshot, index } = await indexOf(await storeOfAllKinds());
    expect(new Set(index.lists.map(({ filter }) => filter))).toEqual(
      new Set([undefined, "band", "category", "capability"]),
    );
    for (const { file, filter, value, hosts } of index.lists) {
      const query = filter === undefined ? "" : `&${filter}=${value}`;
      const { bytes } = await asked(snapshot, `/api/sites?sort=host&limit=100${query}`);
      const { data, pagination } = JSON.parse(bytes.toString("utf8"));
      const list = (await asked(snapshot, `/api/dump/${file}`)).bytes.toString("utf8").split("\n");
      expect([file, list.length - 1, hosts]).toEqual([file, pagination.total, pagination.total]);
      expect(list.slice(0, 100)).toEqual(data.map(({ host }: SiteSummary) => host));
    }
  }, 120_000);
});
