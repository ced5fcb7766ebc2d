import { rm } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { layout } from "../../src/store/layout.js";
import { StoredSegments } from "../../src/store/stored-segments.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { diff } from "../../src/upkeep/snapshots.js";
import { hosts, storeWith } from "../store/stores.js";
import { FOUR } from "../store/trees.js";
import { afterOutage } from "./losses.js";

describe("a build that would leave too many scored listings without a score is refused", () => {
  it("also where the builder's notes are lost, and after a rollback", async () => {
    const { store, files, rebuild, first } = await storeWith(60);
    const outage = afterOutage(files);
    await rebuild(outage, { maxUnscored: "100%" });
    expect((await rollback(store)).former).toBe(first.id);
    // The input is as the last build has read it: every segment would be kept.
    await expect(rebuild(outage)).rejects.toThrow("60 of 60 scored");
    await rm(layout.notes(store));
    await expect(rebuild(outage)).rejects.toThrow("60 of 60 scored");
  });

  it(
    "publishedScan keeps the last good score, and a listing that leaves search is counted as removed " +
      "only",
    async () => {
      const { store, files, rebuild, first } = await storeWith(60);
      const outage = afterOutage(files);
      const listings = (changes: object) => files.listings.map((one) => ({ ...one, ...changes }));
      const blocked = { ...outage, listings: listings({ visibility: "blocked" }) };
      await expect(rebuild(blocked)).rejects.toMatchObject({ limit: "maxRemoved" });
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
      code: "scans-lost",
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
