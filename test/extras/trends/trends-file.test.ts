import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { TrendPoint } from "../../../src/extras/trends/bodies.js";
import { TRENDS_EXTRA } from "../../../src/extras/trends/stored-trends.js";
import { build } from "../../../src/publish/build.js";
import { requireCurrent } from "../../../src/publish/snapshots.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import type { AddedFile } from "../../../src/store/format.js";
import { readInflated } from "../../../src/store/reader.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { asked } from "../../server/asked.js";
import { manifestOf } from "../../store/forge.js";
import { hosts, storeWith } from "../../store/stores.js";

async function pointsIn(store: string): Promise<TrendPoint[]> {
  const { snapshot, close } = await loadSnapshot(store, await requireCurrent(store));
  const { bytes } = await asked(snapshot, "/api/trends?check=https");
  close();
  return JSON.parse(bytes.toString("utf8")).data.points;
}

async function fileOf(store: string): Promise<AddedFile> {
  return (await manifestOf(store)).extras![TRENDS_EXTRA]!.files[0]!;
}

it("each publication of other content is a point, a rollback too; the last of a day stays", async () => {
  const { store, folder, files, rebuild } = await storeWith(12);
  const [first] = await pointsIn(store);
  expect(first).toMatchObject({
    generation: 1,
    publishedAt: null,
    listings: 12,
    passed: 12,
    n: 12,
  });
  const fewer = { ...files, listings: files.listings.slice(2) };
  await rebuild(fewer, { maxRemoved: "100%" });
  const before = await pointsIn(store);
  expect(before.map(({ generation, listings }) => [generation, listings])).toEqual([
    [1, 12],
    [2, 10],
  ]);
  expect(Date.parse(before[1]!.publishedAt!)).toBeGreaterThan(Date.parse(first!.scannedTo!));
  const id = await requireCurrent(store);
  // The same content again, from the notes and from nothing, is the same publication.
  for (const full of [false, true])
    await build(join(folder, "published"), { store, jobs: 1, keep: 9, full });
  expect(await pointsIn(store)).toEqual(before);
  await rollback(store, { restoreMissing: true });
  const after = await pointsIn(store);
  expect(after.map(({ generation, listings }) => [generation, listings])).toEqual([
    [1, 12],
    [3, 12],
  ]);
  await rebuild(fewer, { maxRemoved: "100%" });
  expect((await pointsIn(store)).at(-1)).toMatchObject({ generation: 4, listings: 10 });
  expect(id).not.toBe(await requireCurrent(store));
});

it("a damaged snapshot costs its own point alone, and no document names a host", async () => {
  const { store, files, rebuild } = await storeWith(12);
  await rebuild({ ...files, listings: files.listings.slice(2) }, { maxRemoved: "100%" });
  await truncate(join(store, (await fileOf(store)).file), 10);
  await rebuild(files);
  const points = await pointsIn(store);
  expect(points.map(({ generation, listings }) => [generation, listings])).toEqual([
    [1, 12],
    [3, 12],
  ]);
  const text = Buffer.from(await readInflated(store, await fileOf(store))).toString("utf8");
  for (const host of hosts(12)) expect(text).not.toContain(host);
});
