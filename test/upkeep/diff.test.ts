import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSegments } from "../../src/store/snapshot-reader.js";
import { diff } from "../../src/upkeep/snapshots.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { manyListings } from "../store/trees.js";

describe("the difference between two snapshots", () => {
  // Random differences are compared with a naive count in store/segments/history.test.ts.
  it("is told against the current snapshot, or another one, by the beginnings of their ids", async () => {
    const { store, builds } = await aStore(named("One"), named("Two", {}, 2));
    const before = builds[0]!;
    const after = builds[1]!;
    const changed = ["example.com"];
    const hosts = ["site-2.example"];
    const expected = { added: [], changed, removed: hosts };
    expect(await diff(before, { store })).toEqual(expected);
    expect(await diff(before.slice(0, 4), { to: after.slice(0, 5), store })).toEqual(expected);
    const back = await diff(after, { to: before, store });
    expect(back).toEqual({ added: hosts, changed, removed: [] });
  });

  it("reads no table that both have, and compares all if the segments differ", async () => {
    const many = manyListings();
    const fewer = { ...many, listings: many.listings.slice(0, 12) };
    fewer.scans = many.scans.slice(0, 24);
    const renamed = { ...many, listings: [...many.listings] };
    renamed.listings[7] = { ...many.listings[7]!, name: "Renamed" };
    const { store, builds: ids } = await aStore(fewer, many, renamed);
    const [small = "", large = ""] = ids;
    const read = vi.spyOn(StoredSegments.prototype, "entries");
    expect(await diff(large, { store })).toEqual({
      added: [],
      changed: ["site-7.example"],
      removed: [],
    });
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
    const { added, changed, removed } = await diff(small, { to: large, store });
    expect([added.length, changed, removed]).toEqual([48, [], []]);
  });
});

describe("ids", () => {
  it("that are unknown are refused with the existing ids, the newest first", async () => {
    const { store, builds: ids } = await aStore(named("One"), named("Two"));
    await expect(diff("0".repeat(32), { store })).rejects.toThrow(
      `no snapshot in ${store} begins with "${"0".repeat(32)}"; the ids are ${ids[1]} (current), ${ids[0]}`,
    );
    await expect(diff(ids[0] ?? "", { to: "none", store })).rejects.toThrow('begins with "none"');
    await expect(diff("abc", { store })).rejects.toThrow("needs at least 4 characters");
  });

  it("that match two snapshots are refused with both", async () => {
    const { store, builds: ids } = await aStore(named("One"));
    const [id = ""] = ids;
    const twin = `${id.slice(0, 31)}${id.endsWith("0") ? "1" : "0"}`;
    await writeFile(join(store, twin), "");
    await expect(diff(id.slice(0, 8), { store })).rejects.toThrow(/more than one .*begins with/);
    expect(await diff(id, { store })).toEqual({ added: [], changed: [], removed: [] });
  });

  it("give NoSnapshotError without a store or publication, and BadSnapshotError for a lost manifest", async () => {
    const folder = await temporaryFolder();
    await expect(diff("abcd", { store: join(folder, "none") })).rejects.toThrow(NoSnapshotError);
    await expect(diff("abcd", { store: folder })).rejects.toThrow("there are no snapshots");
    const { store, builds: ids } = await aStore(named("One"), named("Two"));
    await rm(join(store, "current.json"));
    await expect(diff(ids[0] ?? "", { store })).rejects.toThrow("nothing has been published");
    await rm(join(store, ids[1] ?? "", "manifest.json"));
    await expect(diff(ids[0] ?? "", { to: ids[1], store })).rejects.toThrow(
      "manifest.json cannot be read",
    );
  });
});
