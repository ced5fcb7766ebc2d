import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIGURES_DOCUMENT, type Figures } from "../../src/contract/figures.js";
import { build, validate } from "../../src/publish/build.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { storedJson } from "../../src/store/stored-json.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { diff } from "../../src/upkeep/snapshots.js";
import { verify } from "../../src/upkeep/verify.js";
import { type PublishedFiles, temporaryFolder, writePublished } from "../fixtures.js";
import { hosts, storeWith } from "../store/stores.js";
import { FOUR, manyListings } from "../store/trees.js";
import { UNKNOWN, warned, withUnknownVersion } from "./losses.js";

/** Changes the scans of a site. */
function rescored(files: PublishedFiles, site: number, changes: object): PublishedFiles {
  const [host] = hosts(site + 1).slice(-1);
  const scans = files.scans.map((scan) => (scan.host === host ? { ...scan, ...changes } : scan));
  return { ...files, scans };
}

async function figuresIn(store: string, id: string): Promise<Figures> {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  return storedJson<Figures>(await snapshot.readDocument(FIGURES_DOCUMENT));
}

describe("scores whose scoreVersion is not the rubric's", () => {
  it("are a warning in validate and in a first build, with both versions and the counts", async () => {
    const folder = await temporaryFolder();
    const files = withUnknownVersion(manyListings(30), 30);
    const published = await writePublished(join(folder, "published"), files);
    const found = await validate(published, { jobs: 2 });
    expect(found.warnings).toMatchObject([
      warned(30, 30, " unless the store has published that rubric"),
    ]);
    expect(found.warnings[0]?.line).toBeGreaterThanOrEqual(1);
    const { warnings, id } = await build(published, { store: join(folder, "store"), ...FOUR });
    expect(warnings).toMatchObject([warned(30, 30)]);
    expect((await figuresIn(join(folder, "store"), id)).otherVersions).toEqual({
      [UNKNOWN]: { scored: 30, unbanded: 30 },
    });
    await expect(validate(published, { strict: true })).rejects.toThrow("1 error");
  });

  it("are none if their scans state a band, and are counted by version otherwise", async () => {
    const folder = await temporaryFolder();
    let files = withUnknownVersion(manyListings(30), 20);
    for (let site = 0; site < 5; site += 1) files = rescored(files, site, { band: "open" });
    files = rescored(files, 5, { scoreVersion: null });
    files = rescored(files, 6, { scoreVersion: null, score: null });
    const published = await writePublished(folder, files);
    const { warnings } = await validate(published, { jobs: 1 });
    expect(warnings.map(({ message }) => message.replace(/:.*/, ""))).toEqual([
      '1 of 29 published scores have no scoreVersion, the rubric is "2026-10"',
      `13 of 29 published scores have scoreVersion "${UNKNOWN}", the rubric is "2026-10"`,
    ]);
  });

  it("of listings and scans that are not shown do not count", async () => {
    const folder = await temporaryFolder();
    const files = withUnknownVersion(manyListings(3), 3);
    const listings = files.listings.map((one) => ({ ...one, visibility: "blocked" as const }));
    const published = await writePublished(folder, { ...files, listings });
    expect((await validate(published, { jobs: 1 })).warnings).toEqual([]);
  });
});

describe("a build that would leave too many listings with a band without one is refused", () => {
  it("also after a rollback; a score that is lost is no lost band", async () => {
    const { store, files, rebuild, first } = await storeWith(60, FOUR);
    const next = withUnknownVersion(files, 60);
    await expect(rebuild(next)).rejects.toMatchObject({ limit: "maxUnbanded" });
    expect(await rebuild(next, { maxUnbanded: "100%" })).toMatchObject({ changed: true });
    expect((await rollback(store)).former).toBe(first.id);
    await expect(rebuild(next)).rejects.toThrow("60 of 60 listings with a band");
    const scans = next.scans.map((scan) => ({ ...scan, score: null }));
    const options = { maxUnbanded: 0, maxUnscored: "100%" } as const;
    expect(await rebuild({ ...next, scans }, options)).toMatchObject({ changed: true });
  });
});

it("an incremental build counts the scores of other versions as a full one does", async () => {
  const { store, files, rebuild } = await storeWith(40, FOUR);
  const next = withUnknownVersion(files, 8);
  await rebuild(next);
  let changed = next;
  for (const site of [0, 1, 2]) changed = rescored(changed, site, { scoreVersion: "2026-10" });
  const built = await rebuild(changed);
  expect(built.kept).toBeGreaterThan(0);
  expect(built.warnings).toMatchObject([warned(5, 40)]);
  expect((await figuresIn(store, built.id)).otherVersions).toEqual({
    [UNKNOWN]: { scored: 5, unbanded: 5 },
  });
  expect((await verify(store)).bad).toEqual([]);
  const full = await rebuild(changed, { full: true });
  expect(full.warnings).toEqual(built.warnings);
  expect(await diff(built.id, { store })).toMatchObject({ added: [], changed: [], removed: [] });
  expect((await rebuild(withUnknownVersion(files, 0))).warnings).toEqual([]);
});
