import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Report } from "../../src/contract/report.js";
import { build, validate } from "../../src/publish/build.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { storedJson } from "../../src/store/stored-json.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { diff } from "../../src/upkeep/snapshots.js";
import { verify } from "../../src/upkeep/verify.js";
import { aScan, type PublishedFiles, temporaryFolder, writePublished } from "../fixtures.js";
import { answersIn } from "../store/answers.js";
import { hosts, storeWith } from "../store/stores.js";
import { FOUR, manyListings } from "../store/trees.js";
import { bandsIn, withRubric } from "./rubrics.js";

const [SITE = ""] = hosts(1);
const FIRST = manyListings(1).standards.rubric.version;

/** The directory after one more scan of its first so many sites, by its rubric. */
function rescanned(files: PublishedFiles, count: number, id: string): PublishedFiles {
  const scan = { id, finishedAt: `2026-09-${id}T00:00:00Z`, score: 60 };
  const scoreVersion = files.standards.rubric.version;
  const scans = hosts(count).map((host) => aScan({ ...scan, host, scoreVersion }));
  return { ...files, scans: [...files.scans, ...scans] };
}

describe("a new rubric", () => {
  it("leaves the bands of earlier scans as the rubric that scored them gave them", async () => {
    const { store, files, rebuild, first } = await storeWith(30, FOUR);
    const before = await bandsIn(store, first.id);
    expect(before).toEqual(["closed"]);
    const second = await rebuild(withRubric(files, "v2", "second"), { maxUnbanded: 0 });
    expect(second.warnings).toEqual([]);
    expect(await bandsIn(store, second.id)).toEqual(["closed"]);
    const third = rescanned(withRubric(files, "v3", "third"), 3, "01");
    const built = await rebuild(third, { maxUnbanded: 0 });
    expect(await bandsIn(store, built.id)).toEqual(["closed", "third"]);
  });

  it.each(["an incremental build", "a full build"])("%s keeps them", async (kind) => {
    const { store, files, rebuild } = await storeWith(30, FOUR);
    const next = withRubric(files, "v2", "second");
    await rebuild(next);
    const changed = rescanned(next, 2, "02");
    const built = await rebuild(changed, { full: kind === "a full build", maxUnbanded: 0 });
    expect(await bandsIn(store, built.id)).toEqual(["closed", "second"]);
    const other = await rebuild(changed, { full: kind !== "a full build" });
    expect(await diff(built.id, { store })).toMatchObject({ added: [], changed: [], removed: [] });
    expect(other.generation).toBe(built.generation);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("compiles nothing twice in the build after it", async () => {
    const { files, rebuild } = await storeWith(30, FOUR);
    const next = withRubric(files, "v2", "second");
    const { id } = await rebuild(next);
    expect(await rebuild(next)).toMatchObject({ id, changed: false, bytesWritten: 0 });
  });

  it("is known in a copy of the store, after a rollback, and without the builder's notes", async () => {
    const { folder, store, files, rebuild } = await storeWith(30, FOUR);
    const second = withRubric(files, "v2", "second");
    await rebuild(second);
    await rollback(store);
    const again = await rebuild(second, { maxUnbanded: 0 });
    expect(await bandsIn(store, again.id)).toEqual(["closed"]);
    const copy = join(folder, "copy");
    await cp(store, copy, { recursive: true });
    const third = withRubric(files, "v3", "third");
    const copied = await rebuild(third, { store: copy, full: true, maxUnbanded: 0 });
    expect(await bandsIn(copy, copied.id)).toEqual(["closed"]);
    const rescored = rescanned(second, 30, "01");
    await rebuild(rescored);
    await rm(join(store, ".notes"));
    const { standards } = third;
    const built = await rebuild({ ...rescored, standards }, { maxUnbanded: 0 });
    expect(await bandsIn(store, built.id)).toEqual(["second"]);
  });

  it("whose build is only tried is not remembered", async () => {
    const { store, files, rebuild } = await storeWith(30, FOUR);
    await rebuild(withRubric(files, "v2", "second"), { dryRun: true });
    const scans = files.scans.map((scan) => ({ ...scan, scoreVersion: "v2" }));
    const built = await rebuild({ ...files, scans }, { maxUnbanded: "100%" });
    expect(await bandsIn(store, built.id)).toEqual([null]);
  });
});

describe("formerRubrics in standards.json", () => {
  const former = (version: string, band: string) => ({
    version,
    bands: [{ band, label: band, min: 0, max: 100 }],
  });

  async function publishedWith(formerRubrics: object[], changes: Parameters<typeof aScan>[0] = {}) {
    const files = withRubric(manyListings(12), "v2", "second");
    const standards = { ...files.standards, formerRubrics } as typeof files.standards;
    const scans = files.scans.map((scan) => ({ ...scan, ...changes }));
    return { ...files, standards, scans };
  }

  it("give bands in a new store, in validate and in build, and are not served", async () => {
    const folder = await temporaryFolder();
    const files = await publishedWith([former("v0", "zero"), former(FIRST, "first")]);
    const published = await writePublished(join(folder, "published"), files);
    expect((await validate(published, { strict: true })).warnings).toEqual([]);
    const store = join(folder, "store");
    const { id } = await build(published, { store, ...FOUR });
    expect(await bandsIn(store, id)).toEqual(["first"]);
    const snapshot = await StoredSnapshot.openManifest(store, id);
    const served = storedJson<object>(await snapshot.readDocument("api/standards.json"));
    snapshot.close();
    expect(JSON.stringify(served)).not.toContain("formerRubrics");
  });

  it("count more than what the store has seen, and apply at once to all scans", async () => {
    const { store, files, rebuild } = await storeWith(12, FOUR);
    const next = withRubric(files, "v2", "second");
    await rebuild(next);
    const standards = { ...next.standards, formerRubrics: [former(FIRST, "first")] };
    const built = await rebuild({ ...next, standards } as PublishedFiles);
    expect(await bandsIn(store, built.id)).toEqual(["first"]);
  });

  it("do not change the band that a scan states itself, but warn of it", async () => {
    const folder = await temporaryFolder();
    const files = await publishedWith([former(FIRST, "first")], { band: "own" });
    const published = await writePublished(join(folder, "published"), files);
    const store = join(folder, "store");
    const { id, warnings, warningCount } = await build(published, { store, ...FOUR });
    expect(await bandsIn(store, id)).toEqual(["own"]);
    expect(warningCount).toBe(files.scans.length);
    expect(warnings[0]?.message).toContain(
      `found "own", but the former rubric "${FIRST}" gives this score the band "first"`,
    );
  });

  it.each([
    [[former("v0", "a"), former("v0", "b")], "$.formerRubrics[1].version"],
    [[former("v2", "a")], "$.formerRubrics[0].version"],
    [[{ ...former("v0", "a"), bands: [] }], "$.formerRubrics[0].bands"],
    [
      [{ version: "v0", bands: [{ band: "a", label: "A", min: 0, max: 99 }] }],
      "$.formerRubrics[0].bands[0].max",
    ],
    [[{ version: "v0" }], "$.formerRubrics[0].bands"],
  ])("%j is an error, with its place", async (formerRubrics, path) => {
    const published = await writePublished(
      await temporaryFolder(),
      await publishedWith(formerRubrics),
    );
    await expect(validate(published)).rejects.toMatchObject({
      problems: [{ file: "standards.json", path }],
    });
  });
});

it("a site that moved on to the new rubric has its former band in its history", async () => {
  const { store, files, rebuild } = await storeWith(3, FOUR);
  const listings = files.listings.map((one) => ({
    ...one,
    entitlements: { ...one.entitlements, history: true },
  }));
  const next = rescanned(withRubric({ ...files, listings }, "v2", "second"), 3, "03");
  await rebuild(next);
  const site = (await answersIn(store))[SITE];
  const { data } = storedJson<{ data: Report }>(site?.report ?? "");
  expect(data.history).toMatchObject([
    { band: "second", scoreVersion: "v2" },
    { band: "closed", score: 0, scoreVersion: FIRST },
    { band: "open", score: 60, scoreVersion: FIRST },
  ]);
  const former = storedJson<{ data: Report }>(site?.historical[0]?.[1] ?? "");
  expect(former.data.scan.band).toBe("closed");
});
