import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { readsOf } from "../../../src/extra.js";
import { DumpBody } from "../../../src/extras/dumps/bodies.js";
import { dumps } from "../../../src/extras/dumps/edge.js";
import { requireCurrent } from "../../../src/publish/snapshots.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { exportedSite } from "../../export/sites.js";
import { aListing, aPublishedDirectory, aScan, temporaryFolder } from "../../fixtures.js";
import { asked } from "../../server/asked.js";
import { aStore } from "../../store/stores.js";
import { manyListings } from "../../store/trees.js";
import { rowsOf } from "./duckdb.js";

async function viewOf(store: string) {
  const { snapshot, close } = await loadSnapshot(store, await requireCurrent(store));
  onTestFinished(close);
  return snapshot;
}
type View = Awaited<ReturnType<typeof viewOf>>;

const jsonAt = async (snapshot: View, target: string, reads?: ReturnType<typeof readsOf>) =>
  JSON.parse((await asked(snapshot, target, false, reads)).bytes.toString("utf8"));

/** The rows of `history.ndjson.gz`. Those of `history.parquet` are the same. */
async function historyOf(snapshot: View): Promise<Record<string, unknown>[]> {
  const [parquet, ndjson] = await Promise.all(
    ["parquet", "ndjson.gz"].map(
      async (end) => (await asked(snapshot, `/api/dump/history.${end}`)).bytes,
    ),
  );
  const file = join(await temporaryFolder(), "history.parquet");
  await writeFile(file, parquet!);
  const lines = gunzipSync(ndjson!).toString("utf8").split("\n").slice(0, -1);
  const rows = lines.map((line) => JSON.parse(line));
  expect(await rowsOf(`SELECT * FROM '${file}'`)).toEqual(rows);
  return rows;
}

const OLD = "2024-01-01T00:00:00Z";
const LATER = "2024-01-01T01:00:00+02:00";
const NEW = "2025-01-01T00:00:00Z";

/** Three scans of each of some sites. The one in the middle has no score; it is the oldest by the clock. */
function threeScans() {
  const visible = { open: {}, closed: { entitlements: { history: false } } } as const;
  const shown = Object.entries(visible).map(([name, more]) =>
    aListing({ host: `${name}.example`, entitlements: { history: true }, ...more }),
  );
  const hidden = (["blocked", "opted-out", "removed", "deleted"] as const).map((visibility) =>
    aListing({ host: `${visibility}.example`, visibility, entitlements: { history: true } }),
  );
  const listings = [...shown, ...hidden];
  const scans = listings.flatMap(({ host }) => [
    aScan({ host, id: "old", finishedAt: OLD, score: 0, scoreVersion: "2025.1" }),
    aScan({ host, id: "later", finishedAt: LATER, score: null, scoreVersion: null }),
    aScan({ host, id: "new", finishedAt: NEW, score: 88 }),
  ]);
  return aPublishedDirectory({ listings, scans });
}

describe("the history in bulk", () => {
  it("has all scans where the plan includes history, the latest of others, and nothing of hidden sites", async () => {
    const { store } = await aStore(threeScans());
    const rows = await historyOf(await viewOf(store));
    expect(rows.map(({ host, scannedAt, score }) => [host, scannedAt, score])).toEqual([
      ["closed.example", NEW, 88],
      ["open.example", LATER, null],
      ["open.example", OLD, 0],
      ["open.example", NEW, 88],
    ]);
    expect(Object.keys(rows[0]!)).toEqual(["host", "scannedAt", "score", "band", "scoreVersion"]);
    const [, unscored, old] = rows;
    expect(unscored).toMatchObject({ score: null, band: null, scoreVersion: null });
    expect(old).toMatchObject({ score: 0, scoreVersion: "2025.1" });
  });

  it("has what the reports say, in parts of any size", async () => {
    const { store } = await aStore(manyListings());
    const snapshot = await viewOf(store);
    const rows = await historyOf(snapshot);
    const hosts = (await asked(snapshot, "/api/dump/hosts.txt")).bytes.toString("utf8").split("\n");
    const expected: unknown[] = [];
    for (const host of hosts.slice(0, -1)) {
      const { data } = await jsonAt(snapshot, `/api/sites/${host}/report`);
      const scans: Record<string, unknown>[] = data.history ?? [data.scan];
      for (const { finishedAt, score, band, scoreVersion } of scans.toReversed())
        expected.push({ host, scannedAt: finishedAt, score, band, scoreVersion });
    }
    expect(rows).toEqual(expected);
    expect(rows.length).toBe(90);
  });

  it("answers the query of the documentation", async () => {
    const page = await readFile(new URL("../../../docs/api.md", import.meta.url), "utf8");
    const [, query = ""] = /```sql\n([^`]*history\.parquet[^`]*)```/.exec(page) ?? [];
    const host = (name: string) => `${name}.example`;
    const listings = ["steady", "rising", "once"].map((name) =>
      aListing({ host: host(name), entitlements: { history: true } }),
    );
    const scan = (name: string, id: string, at: string, score: number | null) =>
      aScan({
        host: host(name),
        id,
        finishedAt: at,
        score,
        scoreVersion: score === null ? null : "2026.1",
      });
    const scans = [
      scan("steady", "a", OLD, 50),
      scan("steady", "b", NEW, 52),
      scan("rising", "a", OLD, 10),
      scan("rising", "b", NEW, 90),
      scan("once", "a", OLD, null),
      scan("once", "b", NEW, 70),
    ];
    const { store } = await aStore(aPublishedDirectory({ listings, scans }));
    const { bytes } = await asked(await viewOf(store), "/api/dump/history.parquet");
    const folder = await temporaryFolder();
    await writeFile(join(folder, "history.parquet"), bytes);
    expect(await rowsOf(`SET file_search_path = '${folder}'; ${query}`)).toEqual([
      { host: "rising.example", scans: "2", least: 10, most: 90 },
      { host: "steady.example", scans: "2", least: 50, most: 52 },
    ]);
  });

  it("is left out of an exported tree, whose descriptions name only files that it has", async () => {
    const { site } = await exportedSite(manyListings(3));
    const folder = join(site, "api/dump");
    const names = (await readdir(folder)).filter((name) => /\.(?:gz|parquet)$/.test(name));
    const textOf = (name: string) => readFile(join(folder, name), "utf8");
    const { data } = DumpBody.parse(JSON.parse(await textOf("index.json")));
    expect(data.files.map(({ file }) => file).sort()).toEqual(names.sort());
    expect(data.history.files).toEqual([]);
    const { distribution, recordSet } = JSON.parse(await textOf("croissant.json"));
    expect([distribution.length, recordSet.length]).toEqual([names.length, 1]);
  });

  it("is left out by an edge worker without threads if there are many listings", async () => {
    const reads = readsOf([dumps()]);
    const few = await viewOf((await aStore(manyListings(3))).store);
    const { data: small } = DumpBody.parse(await jsonAt(few, "/api/dump/", reads));
    expect(small.history.files.length).toBe(2);
    const many = await viewOf((await aStore(manyListings(501))).store);
    const { data: large } = DumpBody.parse(await jsonAt(many, "/api/dump/", reads));
    expect([large.rows, large.files.length, large.history.files]).toEqual([501, 3, []]);
    const { recordSet } = await jsonAt(many, "/api/dump/croissant.json", reads);
    expect(recordSet.length).toBe(1);
    const { status } = await asked(many, "/api/dump/history.parquet", false, reads);
    expect(status).toBe(404);
    expect((await asked(many, "/api/dump/history.parquet")).status).toBe(200);
  });
});
