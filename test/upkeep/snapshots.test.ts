import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { build } from "../../src/publish/build.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { StoredSegments } from "../../src/store/stored-segments.js";
import { explain } from "../../src/upkeep/explain.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { diff, snapshots } from "../../src/upkeep/snapshots.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { FOUR, manyListings } from "../store/trees.js";

const NONE = { added: 0, changed: 0, gone: 0, scores: { up: 0, down: 0, lost: 0, gained: 0 } };

describe("the snapshots of a store", () => {
  it("are listed from the newest, each with its time, its counts and what it changed", async () => {
    const { store, builds } = await aStore(named("One"), named("Two"), named("Two", {}, 2));
    const [one, two, three] = builds;
    const time = new Date("2026-05-01T10:00:00Z");
    await utimes(join(store, one!, "manifest.json"), time, time);
    expect(await snapshots(store)).toEqual([
      expect.objectContaining({ id: three, isCurrent: true, changes: { ...NONE, gone: 1 } }),
      expect.objectContaining({ id: two, isCurrent: false, changes: { ...NONE, changed: 1 } }),
      {
        id: one,
        generation: 1,
        writtenAt: "2026-05-01T10:00:00.000Z",
        isCurrent: false,
        counts: { reports: 4, searchable: 4, historical: 2 },
        changes: null,
      },
    ]);
    const back = await rollback(store, { to: two!, restoreMissing: true });
    expect((await snapshots(store)).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [back.id, true],
      [three, false],
      [two, false],
      [one, false],
    ]);
  });

  it("a damaged one is listed too, without counts, and no snapshot is compared with it", async () => {
    const { store, builds } = await aStore(named("One"), named("Two"), named("Three"));
    await writeFile(join(store, builds[1]!, "manifest.json"), "{}");
    await rm(join(store, builds[0]!, "manifest.json"));
    expect(await snapshots(store)).toMatchObject([
      { id: builds[2], counts: { reports: 4 }, changes: null },
      { id: builds[1], writtenAt: expect.any(String), counts: null, changes: null },
      { id: builds[0], writtenAt: null, counts: null, changes: null },
    ]);
  });

  it("there are none before the first build", async () => {
    await expect(snapshots(await temporaryFolder())).rejects.toThrow(NoSnapshotError);
  });
});

describe("a generation names a snapshot", () => {
  it("in a list, a diff and a rollback", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const builds: string[] = [];
    for (const name of ["One", "Two", "Three"]) {
      const published = await writePublished(join(folder, name), named(name));
      builds.push((await build(published, { store, ...FOUR })).id);
    }
    const numbered = async () =>
      (await snapshots(store)).map(({ id, generation }) => [id, generation]);
    expect(await numbered()).toEqual([
      [builds[2], 3],
      [builds[1], 2],
      [builds[0], 1],
    ]);
    expect(await diff("1", { store, to: "2" })).toMatchObject({ changed: ["example.com"] });
    await expect(diff("4", { store })).rejects.toThrow(
      `no snapshot in ${store} has the generation 4; the ids are ${builds[2]} (current)`,
    );
    const back = await rollback(store, { to: "1" });
    expect(back).toMatchObject({ former: builds[0], generation: 4 });
    expect(await numbered()).toEqual([
      [back.id, 4],
      [builds[2], 3],
      [builds[1], 2],
      [builds[0], 1],
    ]);
  });
});

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

describe("snapshots are closed after", () => {
  it.each([
    ["a diff", (store: string, id: string) => diff(id, { store })],
    ["a list", (store: string) => snapshots(store)],
    ["an explanation of a listing", (store: string) => explain("example.com", { store })],
    ["an explanation of a missing one", (store: string) => explain("none.example", { store })],
    ["a rollback", (store: string, id: string) => rollback(store, { to: id })],
  ])("%s", async (_, action) => {
    const { store, builds } = await aStore(named("One"), named("Two", {}, 2));
    const open = vi.spyOn(StoredSnapshot, "openManifest");
    const close = vi.spyOn(StoredSnapshot.prototype, "close");
    await action(store, builds[0]!);
    const opened = await Promise.all(open.mock.results.map(({ value }) => value));
    expect(opened.length).toBeGreaterThan(0);
    expect(new Set(close.mock.contexts)).toEqual(new Set(opened));
    open.mockRestore();
    close.mockRestore();
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
