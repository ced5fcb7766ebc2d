import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { build } from "../../src/build/build.js";
import type { Listing } from "../../src/published/checking/schemas.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSegments } from "../../src/store/segments/set.js";
import { diff } from "../../src/upkeep/diff.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { FOUR, manyListings } from "../store/trees.js";

/** Builds one published directory after the other into one store. */
async function storeOf(...contents: PublishedFiles[]): Promise<{ store: string; ids: string[] }> {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const ids: string[] = [];
  for (const [i, files] of contents.entries()) {
    const published = await writePublished(join(folder, `${i}`), files);
    ids.push((await build(published, { store, ...FOUR, keep: contents.length })).id);
  }
  return { store, ids };
}

/** The first listing of a directory of three changed. */
function changing(
  change: Partial<Listing>,
  scan: Parameters<typeof aScan>[0] = {},
): PublishedFiles {
  const hosts = ["a.example", "b.example", "c.example"];
  return aPublishedDirectory({
    listings: hosts.map((host, i) => aListing({ host, ...(i === 0 ? change : {}) })),
    scans: hosts.flatMap((host, i) => [
      aScan({ host, ...(i === 0 ? scan : {}) }),
      aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
    ]),
  });
}

describe("the difference between two snapshots", () => {
  it("lists added, changed and removed hosts in order, by default against the current snapshot", async () => {
    const files = manyListings(3);
    const [first, second, third] = files.listings;
    const hosts = ["z.example", "y.example"];
    const next = aPublishedDirectory({
      listings: [
        { ...first!, visibility: "removed" },
        { ...second!, name: "Another" },
        third!,
        ...hosts.map((host) => aListing({ host })),
      ],
      scans: [...files.scans, ...hosts.map((host) => aScan({ host }))],
    });
    const { store, ids } = await storeOf(files, next);
    const [before = "", after = ""] = ids;
    const expected = {
      added: ["y.example", "z.example"],
      changed: ["site-1.example"],
      removed: ["site-0.example"],
    };
    expect(await diff(before, { store })).toEqual(expected);
    expect(await diff(before.slice(0, 4), { to: after.slice(0, 5), store })).toEqual(expected);
    expect(await diff(after, { to: before, store })).toEqual({
      added: expected.removed,
      changed: expected.changed,
      removed: expected.added,
    });
    expect(await diff(after, { store })).toEqual({ added: [], changed: [], removed: [] });
  });

  it.each<[string, PublishedFiles]>([
    ["its search summary", changing({ linkRel: "me" })],
    [
      "its plan, which no longer locks scans",
      changing({ entitlements: aListing({ entitlements: { history: true } }).entitlements }),
    ],
    ["its place in search", changing({ visibility: "blocked" })],
  ])("has a host as changed by %s", async (_, next) => {
    const { store, ids } = await storeOf(changing({}), next);
    expect(await diff(ids[0] ?? "", { store })).toEqual({
      added: [],
      changed: ["a.example"],
      removed: [],
    });
  });

  it("has a host as changed by its locked scans or an older report alone", async () => {
    const older = (history: boolean, id: string, summary: string) => {
      const files = changing({});
      files.listings[0] = aListing({ host: "a.example", entitlements: { history } });
      files.scans[1] = aScan({
        host: "a.example",
        id,
        summary,
        finishedAt: "2025-01-01T00:00:00Z",
      });
      return files;
    };
    for (const [before, after] of [
      [older(false, "old", ""), older(false, "older", "")],
      [older(true, "old", "one"), older(true, "old", "two")],
    ] as const) {
      const { store, ids } = await storeOf(before, after);
      expect((await diff(ids[0] ?? "", { store })).changed).toEqual(["a.example"]);
    }
  });

  it("reads no table that both have, and compares all if the segments differ", async () => {
    const many = manyListings();
    const fewer = { ...many, listings: many.listings.slice(0, 12) };
    fewer.scans = many.scans.slice(0, 24);
    const renamed = { ...many, listings: [...many.listings] };
    renamed.listings[7] = { ...many.listings[7]!, name: "Renamed" };
    const { store, ids } = await storeOf(fewer, many, renamed);
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
    const { store, ids } = await storeOf(changing({}), changing({ name: "Next" }));
    await expect(diff("0".repeat(32), { store })).rejects.toThrow(
      `no snapshot in ${store} begins with "${"0".repeat(32)}"; the ids are ${ids[1]} (current), ${ids[0]}`,
    );
    await expect(diff(ids[0] ?? "", { to: "none", store })).rejects.toThrow('begins with "none"');
    await expect(diff("abc", { store })).rejects.toThrow("needs at least 4 characters");
  });

  it("that match two snapshots are refused with both", async () => {
    const { store, ids } = await storeOf(changing({}));
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
    const { store, ids } = await storeOf(changing({}), changing({ name: "Next" }));
    await rm(join(store, "current.json"));
    await expect(diff(ids[0] ?? "", { store })).rejects.toThrow("nothing has been published");
    await rm(join(store, ids[1] ?? "", "manifest.json"));
    await expect(diff(ids[0] ?? "", { to: ids[1], store })).rejects.toThrow(
      "manifest.json cannot be read",
    );
  });
});
