import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Report } from "../../src/contract/report.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { build } from "../../src/store/build.js";
import { rollback } from "../../src/store/rollback.js";
import { verify } from "../../src/store/verify.js";
import { aListing, aPublishedDirectory, aScan, writePublished } from "../fixtures.js";
import { answersIn } from "./answers.js";
import { aStore, named, nameIn } from "./stores.js";
import { manyListings, snapshotOf, treeOf } from "./trees.js";

describe("the snapshot before is current again", () => {
  it("with its own id and files where no visibility and no plan has changed since", async () => {
    const files = manyListings();
    const renamed = files.listings.map((listing) => ({ ...listing, name: "Renamed" }));
    const { store, builds, publish } = await aStore(files);
    const before = await snapshotOf(store);
    const replaced = await publish({ ...files, listings: renamed });
    expect(await rollback(store)).toEqual({
      id: builds[0],
      former: builds[0],
      replaced,
      counts: { reports: 600, searchable: 600, historical: 300 },
      listings: { removed: 0, withdrawn: 0, withheld: 0, restricted: 0 },
      buckets: 4,
      kept: 4,
    });
    expect(await snapshotOf(store)).toEqual(before);
  });

  it("with its standards, its taxonomy and what facets count", async () => {
    const files = named("One");
    const { store, publish, builds } = await aStore(files);
    const taxonomy = { ...files.taxonomy, categories: [], platforms: [] };
    const standards = { ...files.standards, checks: [] };
    const visibility = "removed" as const;
    const listings = [aListing({ visibility })];
    await publish({ ...files, taxonomy, standards, listings });
    const { id } = await rollback(store);
    expect(id).not.toBe(builds[0]);
    const [now, then] = await Promise.all(
      [id, builds[0]].map(async (one) => {
        const text = await readFile(join(store, one ?? "", "manifest.json"), "utf8");
        return JSON.parse(text) as { vocabulary: object; public: object };
      }),
    );
    expect(now?.vocabulary).toEqual(then?.vocabulary);
    expect(now?.public).toEqual(then?.public);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("each further rollback goes one further back, until none is left", async () => {
    const { store, builds, buildAgain } = await aStore(named("One"), named("Two"), named("Three"));
    expect(await rollback(store)).toMatchObject({ id: builds[1], replaced: builds[2] });
    expect(await rollback(store)).toMatchObject({ id: builds[0], replaced: builds[1] });
    const before = await treeOf(store);
    await expect(rollback(store)).rejects.toThrow("no snapshot any more from before the current");
    expect(await treeOf(store)).toEqual(before);
    const built = await buildAgain();
    expect(built).toMatchObject({ id: builds[2], changed: true, kept: built.buckets });
    expect(await rollback(store)).toMatchObject({ former: builds[0], replaced: builds[2] });
  });

  it("after a rollback and a build, what was gone back from is not gone back to", async () => {
    const { store, builds, publish } = await aStore(named("Good"), named("Bad"));
    await rollback(store);
    await publish(named("Next"));
    expect(await rollback(store)).toMatchObject({ id: builds[0], replaced: builds[2] });
    await expect(rollback(store)).rejects.toBeInstanceOf(BadSnapshotError);
  });

  it("the next build publishes its input again, with every bucket of it kept", async () => {
    const files = named("One", {}, 600);
    const { store, buildAgain } = await aStore(files, named("Two", { visibility: "blocked" }, 600));
    const built = await snapshotOf(store);
    await rollback(store);
    expect(await buildAgain()).toMatchObject({ changed: true, kept: 4, buckets: 4 });
    expect(await snapshotOf(store)).toEqual(built);
  });
});

describe("under today's visibilities and plans", () => {
  const plan = { history: true, fixPrompts: null, starterFiles: true, highlight: true };
  const hosts = Array.from({ length: 300 }, (_, i) => `site-${i}.example`);
  const directory = (
    changes: (place: number) => Parameters<typeof aListing>[0] | null,
    score: number,
  ) =>
    aPublishedDirectory({
      listings: hosts.flatMap((host, place) => {
        const listing = changes(place);
        return listing === null ? [] : [aListing({ host, entitlements: plan, ...listing })];
      }),
      scans: hosts.flatMap((host) => [
        aScan({ host, id: "new", score }),
        aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
      ]),
    });
  const TODAY = [
    null,
    { visibility: "removed" },
    { visibility: "deleted" },
    { visibility: "blocked" },
    { visibility: "opted-out", name: null },
    { visibility: "redirected" },
    { entitlements: { ...plan, history: false } },
    { entitlements: { ...plan, highlight: false, fixPrompts: 0 } },
    { status: "claimed" },
  ] as const;
  const lessIn = 250;

  it("every host is answered as a build of the former listings under them would, withheld ones as today", async () => {
    const former = directory(() => ({ name: "Former" }), 20);
    const today = directory(
      (place) => (place < lessIn ? { name: "Today" } : (TODAY[place % TODAY.length] ?? null)),
      80,
    );
    const hybrid = directory((place) => {
      const listing = place < lessIn ? {} : (TODAY[place % TODAY.length] ?? null);
      return listing && { ...listing, name: "Former" };
    }, 20);
    const { store, folder } = await aStore(former, today);
    const todays = await answersIn(store);
    const result = await rollback(store);
    expect((await verify(store)).bad).toEqual([]);
    const published = await writePublished(join(folder, "hybrid"), hybrid);
    await build(published, { out: join(folder, "oracle"), keep: 1 });
    const expected = await answersIn(join(folder, "oracle"));
    const answers = await answersIn(store);
    expect(Object.keys(answers)).toEqual(Object.keys(expected));
    const withheld = Object.keys(answers).filter((host) => expected[host]?.search === null);
    expect(withheld.length).toBeGreaterThan(10);
    for (const host of withheld) expected[host] = todays[host]!;
    expect(answers).toEqual(expected);
    const seen = [result.listings.removed, result.listings.withheld, result.listings.restricted];
    expect(seen).toEqual([
      300 - Object.keys(answers).length,
      withheld.length,
      hosts.filter((_, place) => place >= lessIn && place % 9 > 5).length,
    ]);
  });

  it("buckets where nothing has to change stay the former's files", async () => {
    const files = manyListings();
    const [, ...others] = files.listings;
    const { store, builds, publish } = await aStore(files);
    const before = await snapshotOf(store);
    await publish({ ...files, listings: others.map((listing) => ({ ...listing, name: "T" })) });
    const { id, kept, buckets, listings } = await rollback(store);
    expect([id === builds[0], kept, buckets, listings.removed]).toEqual([false, 3, 4, 1]);
    const after = Object.keys(await snapshotOf(store)).filter((file) =>
      /^index|^reports/.test(file),
    );
    expect(after.filter((file) => file in before)).toHaveLength(9);
    expect((await answersIn(store))["site-0.example"]).toBeUndefined();
  });

  it.each([
    ["fewer", 600, 20],
    ["more", 20, 600],
  ])("where today has %s buckets than the former snapshot", async (_, then, now) => {
    const today = named("Today", { entitlements: {} }, now);
    const former = named("Former", { entitlements: { history: true } }, then);
    const { store, builds } = await aStore(former, today);
    const were = await answersIn(store, builds[0]);
    const { counts, listings } = await rollback(store);
    const answers = await answersIn(store);
    expect(counts.reports).toBe(21);
    expect(listings).toMatchObject({ removed: then - 20, restricted: 1 });
    expect(answers["site-3.example"]).toEqual(were["site-3.example"]);
    const { data } = JSON.parse(answers["example.com"]?.report ?? "") as { data: Report };
    expect(data.access.history).toBe(false);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("today is what was built last, also where another snapshot is current", async () => {
    const removed = named("Three", { visibility: "removed" });
    const { store, builds } = await aStore(named("One"), named("Two"), removed);
    const { id } = await rollback(store);
    expect(await nameIn(store)).toBeUndefined();
    await rollback(store);
    expect(await nameIn(store)).toBeUndefined();
    // As a build leaves it that is killed just before it commits.
    for (const current of [builds[1], id]) {
      await writeFile(join(store, "current.json"), JSON.stringify({ format: 1, id: current }));
      await rollback(store);
      expect(await nameIn(store)).toBeUndefined();
    }
  });
});
