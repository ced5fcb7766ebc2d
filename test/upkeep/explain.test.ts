import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { explain, nearHosts } from "../../src/upkeep/explain.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
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
