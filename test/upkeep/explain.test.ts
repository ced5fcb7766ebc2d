import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { explain } from "../../src/upkeep/explain.js";
import { rollback } from "../../src/upkeep/rollback.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { aStore } from "../store/stores.js";
import { builtStore, FOUR, manyListings, treeOf } from "../store/trees.js";

type ScanChanges = NonNullable<Parameters<typeof aScan>[0]>;

/** A store with one listing, `example.com`, that has an older scan too. */
function storeWith(listing: Parameters<typeof aListing>[0], scan: ScanChanges = {}) {
  const older = aScan({ id: "old", finishedAt: "2025-01-01T00:00:00Z" });
  const files = { listings: [aListing(listing)], scans: [aScan(scan), older] };
  return builtStore(aPublishedDirectory(files));
}

describe("a published host", () => {
  it("in search is explained by its scan, its score and the scans that its plan locks", async () => {
    const { store, result } = await storeWith({});
    expect(await explain("example.com", { store })).toEqual({
      host: "example.com",
      snapshot: result.id,
      rolledBackTo: null,
      published: true,
      inSearch: true,
      why: "listed",
      reason:
        "It is listed and was scanned: its published scan scan_1 (complete, 2026-08-01T00:00:00Z) scored 60.",
      publishedScan: "scan_1",
      historical: [],
      locked: ["old"],
      lastIn: null,
    });
    const open = await storeWith({ entitlements: { history: true } });
    expect(await explain("example.com", { store: open.store })).toMatchObject({
      historical: ["old"],
      locked: [],
    });
  });

  it("stays in search with a score of null, which is never zero", async () => {
    const { store } = await storeWith({}, { score: null });
    const { inSearch, reason } = await explain("example.com", { store });
    expect(inSearch).toBe(true);
    expect(reason).toContain("has no score");
  });

  it.each(["blocked", "opted-out", "redirected"] as const)(
    "that is %s is withheld by its visibility, which is named (decisions, Scans and history)",
    async (visibility) => {
      const { store } = await storeWith({ visibility });
      const told = await explain("example.com", { store });
      const withheld = { published: true, inSearch: false, locked: [] };
      expect(told).toMatchObject({ ...withheld, why: visibility });
      expect(told.reason).toMatch(new RegExp(`^Its visibility is "${visibility}"\\. .*withheld`));
      await rm(join(store, ".notes"));
      const unknown = await explain("example.com", { store });
      expect(unknown).toMatchObject({ ...withheld, why: "unknown" });
      expect(unknown.reason).toContain("blocked, opted-out or redirected");
    },
  );

  it("is withheld by a moved scan, and the reason says where the redirect leads (published format)", async () => {
    const moved = { status: "moved", score: null, redirect: { host: "new.example", status: 301 } };
    const { store } = await storeWith({}, moved);
    const told = await explain("example.com", { store });
    expect(told).toMatchObject({ published: true, inSearch: false, why: "moved" });
    expect(told.reason).toContain("another domain, new.example.");
    const unknown = await storeWith({}, { ...moved, redirect: { host: null, status: null } });
    const { reason } = await explain("example.com", { store: unknown.store });
    expect(reason).toContain("redirects to another domain.");
  });
});

describe("a host without a report", () => {
  it.each([
    ["absent", null, /it is not in the published directory/],
    ["unscanned", aListing(), /it is listed, but the published directory has no scan of it/],
    ["removed", aListing({ visibility: "removed" }), /its visibility is "removed"/],
    ["deleted", aListing({ visibility: "deleted" }), /its visibility is "deleted"/],
    [
      "blocked",
      aListing({ visibility: "blocked" }),
      /"blocked", and the published directory has no scan of it/,
    ],
  ] as const)(
    "that is %s is explained as not published, with the reason",
    async (why, listing, said) => {
      const listings = [
        aListing({ host: "other.example" }),
        ...(listing === null ? [] : [listing]),
      ];
      const scans = why === "removed" || why === "deleted" ? [aScan()] : [];
      const { store, result } = await builtStore(aPublishedDirectory({ listings, scans }));
      const told = await explain("example.com", { store });
      expect(told).toMatchObject({
        snapshot: result.id,
        published: false,
        inSearch: false,
        why,
        publishedScan: null,
        lastIn: null,
      });
      expect(told.reason).toMatch(/^It has no report: /);
      expect(told.reason).toMatch(said);
      await rm(join(store, ".notes"));
      const unknown = await explain("example.com", { store });
      expect(unknown.why).toBe("unknown");
      expect(unknown.reason).toContain("they are lost");
    },
  );

  it("that a former snapshot has is explained as gone, with the newest such snapshot", async () => {
    const { folder, store, result: first } = await builtStore(aPublishedDirectory());
    const publish = async (name: string, files: Parameters<typeof aPublishedDirectory>[0]) => {
      const published = await writePublished(join(folder, name), aPublishedDirectory(files));
      return (await build(published, { store, jobs: 1, keep: 9 })).id;
    };
    const second = await publish("second", { listings: [aListing({ name: "Two" })] });
    await publish("third", { listings: [aListing({ visibility: "removed" })] });
    const told = await explain("example.com", { store });
    expect(told).toMatchObject({ published: false, lastIn: second });
    expect(told.reason).toContain(`Snapshot ${second}`);
    await rm(join(store, second, "manifest.json"));
    expect(await explain("example.com", { store })).toMatchObject({ lastIn: first.id });
  });
});

describe("an explanation", () => {
  it("finds every host of a store with many segments", async () => {
    const { store } = await builtStore(manyListings(), FOUR);
    for (const i of [0, 17, 25, 59]) {
      expect(await explain(`site-${i}.example`, { store })).toMatchObject({ inSearch: true });
    }
    expect(await explain("site-60.example", { store })).toMatchObject({ published: false });
  });

  it("fails without a snapshot, and with a damaged one", async () => {
    await expect(explain("example.com", { store: await temporaryFolder() })).rejects.toThrow(
      "nothing has been published",
    );
    for (const kind of [".parquet", ".pack"]) {
      const { store } = await storeWith({});
      const file =
        Object.keys(await treeOf(store)).find(
          (name) => name.startsWith("segments/") && name.endsWith(kind),
        ) ?? "";
      const bytes = await readFile(join(store, file));
      await writeFile(join(store, file), bytes.fill(0x20, bytes.length - 9));
      await expect(explain("example.com", { store })).rejects.toThrow(file);
    }
  });
});

describe("after a rollback", () => {
  it("a restored listing is named as such, and one that stays away has its last visibility", async () => {
    const all = manyListings(3);
    const [first, second, third] = all.listings;
    const removed = { ...second!, visibility: "removed" as const };
    const { store } = await aStore(
      all,
      { ...all, listings: [first!, removed, third!] },
      { ...all, listings: [first!] },
    );
    await rollback(store, { restoreMissing: true });
    const restored = await explain("site-2.example", { store });
    expect(restored).toMatchObject({ why: "restored", published: true, inSearch: true });
    expect(restored.reason).toContain("A rollback brought it back");
    const away = await explain("site-1.example", { store });
    expect(away).toMatchObject({ why: "absent", published: false });
    expect(away.reason).toContain('Its visibility was last stated as "removed".');
    expect(await explain("site-0.example", { store })).toMatchObject({ why: "listed" });
  });
});
