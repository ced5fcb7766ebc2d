import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LEFT_OUT_WORDS } from "../../cli/explain.js";
import { build } from "../../src/publish/build.js";
import { explain, explainNotInSearch, nearHosts } from "../../src/upkeep/explain.js";
import { rollback } from "../../src/upkeep/rollback.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { aStore } from "../store/stores.js";
import { builtStore, treeOf } from "../store/trees.js";

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
      near: [],
    });
    const open = await storeWith({ entitlements: { history: true } });
    expect(await explain("example.com", { store: open.store })).toMatchObject({
      historical: ["old"],
      locked: [],
    });
  });

  it("is withheld by a moved scan, and the reason says where the redirect leads", async () => {
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
  it("fails without a snapshot, and with a damaged one", async () => {
    await expect(explain("example.com", { store: await temporaryFolder() })).rejects.toThrow(
      "nothing has been published",
    );
    for (const kind of [".brief", ".pack"]) {
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

const HOSTS = [
  "pecantea.example",
  "pecantea.org",
  "shop.pecantea.example",
  "acorn.example",
  "a.de",
];

it.each([
  ["pecantae.example", ["pecantea.example"]],
  ["pecantea.example.org", []],
  ["pecantea.com", ["pecantea.example", "pecantea.org"]],
  ["blog.acorn.example", ["acorn.example"]],
  ["pecantea.example", ["shop.pecantea.example", "pecantea.org"]],
  ["birch.example", []],
  ["b.de", []],
  ["localhost", []],
])("near %s are %j", (host, near) => {
  const others = HOSTS.filter((other) => other !== host);
  expect(nearHosts(host, others)).toEqual(near);
});

it("no more than three hosts are near", () => {
  expect(nearHosts("tea.com", ["tea.org", "tea.net", "tea.de", "tea.fr"])).toEqual([
    "tea.de",
    "tea.fr",
    "tea.net",
  ]);
});

it("explain proposes published hosts for an absent one, and none for one that was removed", async () => {
  const gone = "pecantea.example";
  const there = "pecantea.org";
  const { store } = await builtStore(
    aPublishedDirectory({
      listings: [aListing({ host: gone, visibility: "removed" }), aListing({ host: there })],
      scans: [aScan({ host: gone }), aScan({ host: there })],
    }),
  );
  expect(await explain("pecantea.net", { store })).toMatchObject({ why: "absent", near: [there] });
  expect(await explain(gone, { store })).toMatchObject({ why: "removed", near: [] });
});

const MOVED = { status: "moved", score: null, redirect: { host: "new.example", status: 301 } };

/** A listing for each reason, with the reason as its name, and two that are in search. */
function forEachReason(): PublishedFiles {
  const listed = ["unscanned", "moved", "first", "second"];
  const stated = ["blocked", "opted-out", "redirected", "removed", "deleted"] as const;
  const hostOf = (name: string) => `${name}.example`;
  return aPublishedDirectory({
    listings: [
      ...listed.map((name) => aListing({ host: hostOf(name) })),
      ...stated.map((visibility) => aListing({ host: hostOf(visibility), visibility })),
      aListing({ host: "blocked-unscanned.example", visibility: "blocked" }),
    ],
    scans: [...stated, "first", "second", "moved"].map((name) =>
      aScan({ host: hostOf(name), ...(name === "moved" ? MOVED : {}) }),
    ),
  });
}

/** Compares the list with `explain` for each of the hosts. */
async function agreesWithExplain(store: string, hosts: readonly string[]): Promise<void> {
  const { listings } = await explainNotInSearch(store);
  const left = new Map(listings.map((listing) => [listing.host, listing]));
  for (const host of hosts) {
    const { inSearch, why, published, reason } = await explain(host, { store });
    const isListing = why !== "absent";
    expect([host, left.has(host)]).toEqual([host, isListing && !inSearch]);
    const listed = left.get(host);
    if (listed === undefined) continue;
    expect(listed).toEqual({ host, why, published, reason: expect.any(String) });
    expect(LEFT_OUT_WORDS).toContain(why);
    expect(reason.startsWith(listed.reason.split(". ")[0]!)).toBe(true);
  }
}

describe("explain without a host", () => {
  it("lists each listing that is not in search, sorted by host, with its reason", async () => {
    const { store, result } = await builtStore(forEachReason());
    const { listings, ...rest } = await explainNotInSearch(store);
    expect(rest).toEqual({ snapshot: result.id, rolledBackTo: null, complete: true });
    expect(listings.map(({ host, why, published }) => [host, why, published])).toEqual([
      ["blocked-unscanned.example", "blocked", false],
      ["blocked.example", "blocked", true],
      ["deleted.example", "deleted", false],
      ["moved.example", "moved", true],
      ["opted-out.example", "opted-out", true],
      ["redirected.example", "redirected", true],
      ["removed.example", "removed", false],
      ["unscanned.example", "unscanned", false],
    ]);
    const REASONS = {
      absent: /it is not in the published directory/,
      unscanned: /it is listed, but the published directory has no scan of it/,
      moved: /another domain, new.example/,
      removed: /its visibility is "removed"/,
      deleted: /its visibility is "deleted"/,
      "blocked-unscanned": /"blocked", and the published directory has no scan of it/,
    };
    for (const [name, said] of Object.entries(REASONS)) {
      const { why, lastIn, reason } = await explain(`${name}.example`, { store });
      expect([why, lastIn, reason]).toEqual([
        name.replace("-unscanned", ""),
        null,
        expect.stringMatching(said),
      ]);
    }
    await agreesWithExplain(store, [...listings.map(({ host }) => host), "first.example"]);
  });

  it("lists only withheld reports when the builder's notes are lost, and says so", async () => {
    const { store } = await builtStore(forEachReason());
    await rm(join(store, ".notes"));
    const unknown = { why: "unknown", reason: expect.stringContaining("they are lost") };
    expect(await explain("removed.example", { store })).toMatchObject(unknown);
    const { listings, complete } = await explainNotInSearch(store);
    expect(complete).toBe(false);
    expect(listings.map(({ host, why }) => [host, why])).toEqual([
      ["blocked.example", "unknown"],
      ["moved.example", "moved"],
      ["opted-out.example", "unknown"],
      ["redirected.example", "unknown"],
    ]);
  });

  it("agrees with explain after a rollback, too", async () => {
    const hosts = ["kept", "blocked", "removed", "dropped", "was-blocked", "left", "moved"];
    const listing = (name: string, changes = {}) =>
      aListing({ host: `${name}.example`, ...changes });
    const before = aPublishedDirectory({
      listings: hosts.map((name) =>
        listing(name, ["was-blocked", "left"].includes(name) ? { visibility: "blocked" } : {}),
      ),
      scans: hosts.map((name) =>
        aScan({ host: `${name}.example`, ...(name === "moved" ? MOVED : {}) }),
      ),
    });
    const after = aPublishedDirectory({
      listings: [
        ...["kept", "was-blocked", "new", "moved"].map((name) => listing(name)),
        ...(["blocked", "removed"] as const).map((name) => listing(name, { visibility: name })),
        listing("new-blocked", { visibility: "blocked" }),
      ],
      scans: ["kept", "was-blocked", "new", "moved", "blocked", "removed", "new-blocked"].map(
        (name) => aScan({ host: `${name}.example` }),
      ),
    });
    const all = [...hosts, "new", "new-blocked"].map((name) => `${name}.example`);
    for (const restoreMissing of [false, true]) {
      const { store } = await aStore(before, after);
      await rollback(store, { restoreMissing });
      await agreesWithExplain(store, all);
      const { listings, rolledBackTo } = await explainNotInSearch(store);
      expect(rolledBackTo).not.toBeNull();
      const whys = Object.fromEntries(listings.map(({ host, why }) => [host, why]));
      expect(whys).toEqual({
        "blocked.example": "blocked",
        "moved.example": "moved",
        "new-blocked.example": "blocked",
        "new.example": "former",
        "removed.example": "removed",
        "was-blocked.example": "former",
        ...(restoreMissing && { "left.example": "restored" }),
      });
      const { why, reason } = await explain("new.example", { store });
      expect([why, reason]).toEqual(["former", expect.stringContaining("it has the answers of")]);
      const left = await explain("left.example", { store });
      const said = restoreMissing ? "A rollback brought it back" : "it is not in the published";
      expect(left.reason).toContain(said);
    }
  });
});
