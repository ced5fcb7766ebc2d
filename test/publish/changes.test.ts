import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { build } from "../../src/publish/build.js";
import {
  aListing,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { aStore, named, storeWith } from "../store/stores.js";
import { FOUR, manyListings, treeOf } from "../store/trees.js";

const NONE = { added: 0, changed: 0, gone: 0, scores: { up: 0, down: 0, lost: 0, gained: 0 } };

/** The directory with other scores for the newest scans of some hosts. */
function withScores(files: PublishedFiles, scores: Record<string, number | null>): PublishedFiles {
  const scans = files.scans.map((scan) => {
    const score = scores[scan.host];
    return score === undefined || scan.id !== "new" ? scan : aScan({ ...scan, score });
  });
  return { ...files, scans };
}

describe("what a build says of its changes", () => {
  it(
    "counts listings that are new, changed and gone, and scores that went up, down, were lost and " +
      "gained",
    async () => {
      const { files, rebuild, first } = await storeWith(60, FOUR);
      expect(first.changes).toEqual({ ...NONE, added: 60 });
      const unscored = withScores(files, { "site-7.example": null });
      const { changes: lost, bytes, bytesWritten } = await rebuild(unscored);
      expect(lost).toEqual({ ...NONE, changed: 1, scores: { ...NONE.scores, lost: 1 } });
      expect(bytesWritten).toBeGreaterThan(0);
      expect(bytesWritten).toBeLessThan(bytes);
      const next = withScores(unscored, {
        "site-1.example": 90,
        "site-2.example": 91,
        "site-3.example": 0,
        "site-4.example": null,
        "site-7.example": 50,
      });
      const { changes } = await rebuild({
        ...next,
        listings: [
          ...next.listings.slice(0, -2).map((one) => {
            if (one.host === "site-5.example") return { ...one, name: "Another name" };
            return one.host === "site-6.example" ? { ...one, visibility: "blocked" as const } : one;
          }),
          aListing({ host: "new.example" }),
        ],
        scans: [...next.scans, aScan({ host: "new.example" })],
      });
      expect(changes).toEqual({
        added: 1,
        changed: 7,
        gone: 2,
        // A blocked listing loses its score, too.
        scores: { up: 2, down: 1, lost: 2, gained: 1 },
      });
    },
  );

  it("an unchanged directory changes nothing and writes nothing, even in full", async () => {
    const { files, rebuild, first } = await storeWith(9);
    expect(first.bytesWritten).toBeGreaterThan(first.bytes);
    const again = await rebuild(files);
    expect(again).toMatchObject({ changed: false, changes: NONE, bytesWritten: 0 });
    expect((await rebuild(files, { full: true })).changes).toEqual(NONE);
  });

  it("compares with the snapshot that is current, and knows nothing if that one is damaged", async () => {
    const { store, files, rebuild, first } = await storeWith(9);
    await rm(join(store, first.id, "manifest.json"));
    expect(await rebuild(files, { full: true })).toMatchObject({ changes: null });
  });
});

it("a build continues the number of current.json if no manifest in the store can be read", async () => {
  const { store, builds, publish } = await aStore(named("one"), named("two"), named("three"));
  const pointer = async () => JSON.parse(await readFile(join(store, "current.json"), "utf8"));
  const before = await pointer();
  for (const id of builds) await rm(join(store, id, "manifest.json"), { force: true });
  for (const id of builds.slice(0, 2)) await rm(join(store, id), { recursive: true, force: true });
  await publish(named("four"));
  expect(await pointer()).toMatchObject({ generation: 4, origin: before.origin });
});

describe("a dry run", () => {
  it("says what the build then does, and leaves every byte of the store as it was", async () => {
    const { store, files, rebuild } = await storeWith(60, FOUR);
    const before = await treeOf(store);
    const next = withScores(
      { ...files, listings: files.listings.slice(1) },
      { "site-9.example": 99 },
    );
    // The id of a publication depends on its time.
    vi.setSystemTime(new Date());
    onTestFinished(() => void vi.useRealTimers());
    const dry = await rebuild(next, { dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, changed: true, generation: 2 });
    expect(await treeOf(store)).toEqual(before);
    const { dryRun, ...real } = await rebuild(next);
    expect(dryRun).toBe(false);
    expect(dry).toMatchObject(real);
  });

  it("refuses what a build refuses, deletes no old snapshot and writes no purge list", async () => {
    const { folder, store, files, rebuild } = await storeWith(20);
    await rebuild(withScores(files, { "site-1.example": 99 }));
    const before = await treeOf(store);
    const purgeList = join(folder, "purge.txt");
    await rebuild(files, { dryRun: true, keep: 1, purgeList });
    expect(await treeOf(store)).toEqual(before);
    expect(existsSync(purgeList)).toBe(false);
    await expect(rebuild({ ...files, listings: [] }, { dryRun: true })).rejects.toThrow("20 of 20");
  });

  it("leaves no store where there was none", async () => {
    const folder = await temporaryFolder();
    const published = await writePublished(join(folder, "published"), manyListings(3));
    const store = join(folder, "deep/store");
    const { changes } = await build(published, { store, jobs: 1, dryRun: true });
    expect(changes).toEqual({ ...NONE, added: 3 });
    expect(existsSync(join(folder, "deep"))).toBe(false);
  });
});
