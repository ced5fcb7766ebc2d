import { rm } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { TooManyRemovedError, TooManyUnscoredError } from "../../src/build/removals.js";
import { layout } from "../../src/store/layout.js";
import { StoredSegments } from "../../src/store/snapshot-reader.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { diff } from "../../src/upkeep/snapshots.js";
import { aScan, type PublishedFiles } from "../fixtures.js";
import { hosts, storeWith } from "../store/stores.js";
import { FOUR, treeOf } from "../store/trees.js";

/** The directory after a failed scan of its first so many listings. */
function afterOutage(files: PublishedFiles, count = 60) {
  const failed = files.listings.slice(0, count);
  const scan = { id: "failed", status: "failed", finishedAt: "2026-09-01T00:00:00Z", score: null };
  return {
    ...files,
    scans: [...files.scans, ...failed.map(({ host }) => aScan({ ...scan, host }))],
  };
}

describe("a build that would leave more than 20% of the scored listings without a score, and 10 or more", () => {
  it("writes nothing, and its error names the counts, all hosts, the flag and the remedy", async () => {
    const { store, files, rebuild } = await storeWith(60);
    const before = await treeOf(store);
    const outage = afterOutage(files, 13);
    const refused = await rebuild(outage).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooManyUnscoredError);
    expect(refused).toMatchObject({ scored: 60, maxUnscored: "20%", hosts: hosts(13).sort() });
    const { message } = refused as Error;
    expect(message).toMatch(/^this build would leave 13 of 60 scored listings without a score, /);
    expect(message).toContain("site-0.example, site-1.example, site-10.example");
    expect(message).toContain("publishedScan");
    expect(message).toContain("--max-unscored 100%");
    expect(await treeOf(store)).toEqual(before);
    expect(await rebuild(outage, { maxUnscored: "100%" })).toMatchObject({ changed: true });
    // Scores that are gone already are not lost again.
    expect(await rebuild(afterOutage(files, 20))).toMatchObject({ changed: true });
  });

  it("20% may lose it, fewer than 10 always, and a limit that is given applies exactly", async () => {
    const { files, rebuild } = await storeWith(60);
    await expect(rebuild(afterOutage(files, 13), { maxUnscored: 12 })).rejects.toThrow("13 of 60");
    await expect(rebuild(afterOutage(files, 1), { maxUnscored: "0%" })).rejects.toThrow("1 of 60");
    expect(await rebuild(afterOutage(files, 12))).toMatchObject({ changed: true });
    const nine = await storeWith(9);
    expect(await nine.rebuild(afterOutage(nine.files, 9))).toMatchObject({ changed: true });
  });

  it("also where the builder's notes are lost, and after a rollback", async () => {
    const { store, files, rebuild, first } = await storeWith(60);
    const outage = afterOutage(files);
    await rebuild(outage, { maxUnscored: "100%" });
    expect((await rollback(store)).former).toBe(first.id);
    // The input is as the last build has read it: every segment would be kept.
    await expect(rebuild(outage)).rejects.toThrow("60 of 60 scored");
    await rm(layout.notes(store));
    await expect(rebuild(outage)).rejects.toThrow(TooManyUnscoredError);
  });

  it(
    "publishedScan keeps the last good score, and a listing that leaves search is counted as removed " +
      "only",
    async () => {
      const { store, files, rebuild, first } = await storeWith(60);
      const outage = afterOutage(files);
      const listings = (changes: object) => files.listings.map((one) => ({ ...one, ...changes }));
      const blocked = { ...outage, listings: listings({ visibility: "blocked" }) };
      await expect(rebuild(blocked)).rejects.toThrow(TooManyRemovedError);
      const pinned = { ...outage, listings: listings({ publishedScan: "new" }) };
      await rebuild(pinned, { maxUnscored: 0 });
      expect(await diff(first.id, { store })).toMatchObject({
        added: [],
        changed: [],
        removed: [],
      });
      expect(await rebuild(blocked, { maxRemoved: "100%", maxUnscored: 0 })).toMatchObject({
        counts: { searchable: 0 },
      });
    },
  );

  it("reads the changed listings alone, unless their scores are too few to allow the loss", async () => {
    const { files, rebuild, first } = await storeWith(60, FOUR);
    expect(first.segments).toBe(4);
    const readAll = vi.spyOn(StoredSegments.prototype, "allEntries");
    onTestFinished(() => readAll.mockRestore());
    // A scan more is no change for which a former answer must go.
    expect(await rebuild(afterOutage(files, 1))).toMatchObject({ kept: 4, segments: 5 });
    expect(readAll).not.toHaveBeenCalled();
    expect((await rebuild(afterOutage(files, 11))).kept).toBe(5);
    expect(readAll).toHaveBeenCalledTimes(1);
  });
});

describe("a listing whose scans are all gone", () => {
  it("is a warning at its record, also where a rollback brought it back, and is none in the next build", async () => {
    const { store, files, rebuild, first } = await storeWith(60);
    const gone = {
      ...files,
      listings: files.listings.map((one, at) =>
        at === 1
          ? { ...one, visibility: "blocked" as const }
          : at === 2
            ? { ...one, visibility: "removed" as const }
            : one,
      ),
      scans: files.scans.filter(({ host }) => !hosts(3).includes(host)),
    };
    const warning = (line: number) => ({
      file: "listings/all.ndjson",
      line,
      column: 9,
      path: "$.host",
      message: "has no scan any more, so its report goes; is a file of scans missing?",
    });
    await expect(rebuild(gone, { strict: true })).rejects.toThrow("2 errors");
    expect((await rebuild(gone)).warnings).toEqual([warning(1), warning(2)]);
    expect((await rebuild(gone)).warnings).toEqual([]);
    expect((await rollback(store, { restoreMissing: true })).former).toBe(first.id);
    expect((await rebuild(gone)).warnings).toEqual([warning(1)]);
  });
});
