import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { FIGURES_DOCUMENT } from "../../src/contract/figures.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { aListing, aPublishedDirectory, aScan, theDirectory } from "../fixtures.js";
import { answersIn } from "../store/answers.js";
import { aStore, named, nameIn } from "../store/stores.js";
import { FOUR, manyListings, snapshotOf, treeOf } from "../store/trees.js";

describe("the previous snapshot is current again", () => {
  it("with its own id and files if every listing is still in the input and listed", async () => {
    const files = manyListings();
    const renamed = files.listings.map((listing) => ({ ...listing, name: "Renamed" }));
    const { store, builds, publish } = await aStore(files);
    const before = await snapshotOf(store);
    const replaced = await publish({ ...files, listings: renamed });
    expect(await rollback(store)).toEqual({
      id: builds[0],
      former: builds[0],
      generation: null,
      replaced,
      counts: { reports: 60, searchable: 60, historical: 30 },
      listings: {
        back: files.listings.map(({ host }) => host).sort(),
        withheld: [],
        away: [],
      },
      segments: 4,
      kept: 4,
    });
    expect(await snapshotOf(store)).toEqual(before);
  });

  it("with its standards, its taxonomy and its facet counts", async () => {
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
        return JSON.parse(text) as { vocabulary: object; public: { file: string }[] };
      }),
    );
    expect(now?.vocabulary).toEqual(then?.vocabulary);
    const documents = (of: typeof now) =>
      of?.public.filter(({ file }) => file !== FIGURES_DOCUMENT);
    expect(documents(now)).toEqual(documents(then));
    expect((await verify(store)).bad).toEqual([]);
  });

  it("and each further rollback goes one further back, until none is left", async () => {
    const { store, builds, buildAgain } = await aStore(named("One"), named("Two"), named("Three"));
    expect(await rollback(store)).toMatchObject({ id: builds[1], replaced: builds[2] });
    expect(await rollback(store)).toMatchObject({ id: builds[0], replaced: builds[1] });
    const before = await treeOf(store);
    await expect(rollback(store)).rejects.toThrow("no earlier snapshot to roll back to");
    expect(await treeOf(store)).toEqual(before);
    const built = await buildAgain();
    expect(built).toMatchObject({ id: builds[2], changed: true, kept: built.segments });
    expect(await rollback(store)).toMatchObject({ former: builds[0], replaced: builds[2] });
  });

  it("but never to a snapshot that serves what the current one serves", async () => {
    const { folder, store, builds } = await aStore(named("One"), named("Two"));
    const options = { store, ...FOUR, keep: 9, full: true };
    const again = await build(join(folder, "published-1"), options);
    expect([again.changed, builds.includes(again.id)]).toEqual([true, false]);
    expect(await rollback(store)).toMatchObject({ former: builds[0], replaced: again.id });
    expect(await nameIn(store)).toBe("One");
    // A build publishes the same again. From now on a rollback goes back to what was before it.
    await build(join(folder, "published-0"), options);
    expect(await rollback(store)).toMatchObject({ former: again.id, replaced: builds[0] });
  });

  it("but a rollback after a build never returns to a snapshot that was rolled back from", async () => {
    const { store, builds, publish } = await aStore(named("Good"), named("Bad"));
    await rollback(store);
    await publish(named("Next"));
    expect(await rollback(store)).toMatchObject({ id: builds[0], replaced: builds[2] });
    await expect(rollback(store)).rejects.toBeInstanceOf(NoSnapshotError);
  });

  it("until the next build publishes its input again, with all its segments kept", async () => {
    const files = named("One", {}, 60);
    const { store, buildAgain } = await aStore(files, named("Two", {}, 60));
    const built = await snapshotOf(store);
    await rollback(store);
    expect(await buildAgain()).toMatchObject({ changed: true, kept: 5, segments: 5 });
    expect(await snapshotOf(store)).toEqual(built);
  });
});

describe("listing by listing, under today's visibilities", () => {
  const full = { history: true, fixPrompts: null, starterFiles: true, highlight: true };
  type Listing = NonNullable<Parameters<typeof aListing>[0]>;
  interface Case {
    /** Null: not in the input. */
    readonly before: Listing | null;
    readonly after: Listing | null;
    /** Whether the input has no scan of it any more, or one that moved. */
    readonly scan?: "none" | "moved";
    /** Whose answers it has after a rollback, and after one with `restoreMissing`; null: it has none. */
    readonly expected: "before" | "after" | null;
    readonly restored?: "before";
  }
  const listed = { entitlements: full };
  const CASES: Record<string, Case> = {
    renamed: { before: listed, after: { ...listed, name: "Now" }, expected: "before" },
    "lost its plan": { before: listed, after: { name: "Now" }, expected: "before" },
    claimed: { before: listed, after: { ...listed, status: "claimed" }, expected: "before" },
    "removed now": { before: listed, after: { visibility: "removed" }, expected: null },
    "deleted now": { before: listed, after: { visibility: "deleted" }, expected: null },
    "blocked now": { before: listed, after: { visibility: "blocked" }, expected: "after" },
    "opted out now": {
      before: listed,
      after: { visibility: "opted-out", name: null },
      expected: "after",
    },
    "redirected now": { before: listed, after: { visibility: "redirected" }, expected: "after" },
    "blocked now, without a scan": {
      before: listed,
      after: { visibility: "blocked" },
      scan: "none",
      expected: null,
    },
    "blocked now, and not there then": {
      before: null,
      after: { visibility: "blocked" },
      expected: "after",
    },
    "new since": { before: null, after: listed, expected: null },
    "listed now, of which the scan moved": {
      before: listed,
      after: listed,
      scan: "moved",
      expected: "before",
    },
    "listed now, without a scan": {
      before: listed,
      after: listed,
      scan: "none",
      expected: "before",
    },
    "blocked then": { before: { visibility: "blocked" }, after: listed, expected: "before" },
    "removed then": { before: { visibility: "removed" }, after: listed, expected: null },
    missing: { before: listed, after: null, expected: null, restored: "before" },
    "missing, blocked then": {
      before: { visibility: "blocked" },
      after: null,
      expected: null,
      restored: "before",
    },
  };
  const names = Object.keys(CASES);
  const hostOf = (name: string) => `${name.replace(/[^a-z]+/g, "-")}.example`;
  const moved = { status: "moved", score: null, redirect: { host: null, status: 301 } };

  function directory(when: "before" | "after") {
    const here = names.flatMap((name) => {
      const listing = CASES[name]![when];
      return listing === null ? [] : [{ name, listing: { ...listing, host: hostOf(name) } }];
    });
    const scans = here.flatMap(({ name, listing: { host } }) => {
      const scan = when === "after" ? CASES[name]!.scan : undefined;
      const latest = aScan({ host, id: "new", ...(scan === "moved" ? moved : {}) });
      const older = aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" });
      return scan === "none" ? [] : [latest, older];
    });
    return aPublishedDirectory({ listings: here.map(({ listing }) => aListing(listing)), scans });
  }

  it.each([
    ["copied whole from the former snapshot or today's", false],
    ["restored if it is missing today", true],
  ])("each answer is %s, of listings in every state", async (_, restoreMissing) => {
    const { store, builds } = await aStore(directory("before"), directory("after"));
    const [before, after] = [await answersIn(store, builds[0]), await answersIn(store, builds[1])];
    await rollback(store, { restoreMissing });
    const given = await answersIn(store);
    for (const name of names) {
      const { expected, restored } = CASES[name]!;
      const from = restoreMissing ? (restored ?? expected) : expected;
      const wanted = { before, after, none: undefined }[from ?? "none"]?.[hostOf(name)];
      expect(wanted !== undefined, name).toBe(from !== null);
      expect(given[hostOf(name)], name).toEqual(wanted);
    }
    expect((await verify(store)).bad).toEqual([]);
  });

  it("the result names the listings that come back, stay withheld or stay away, and why", async () => {
    const { store } = await aStore(directory("before"), directory("after"));
    const { listings } = await rollback(store);
    const kept = (whys: Record<string, string>) =>
      Object.entries(whys)
        .map(([name, why]) => ({ host: hostOf(name), why }))
        .sort((a, b) => (a.host < b.host ? -1 : 1));
    expect(listings).toEqual({
      back: [
        "renamed",
        "lost its plan",
        "claimed",
        "listed now, of which the scan moved",
        "listed now, without a scan",
        "blocked then",
      ]
        .map(hostOf)
        .sort(),
      withheld: kept({
        "blocked now": "blocked",
        "opted out now": "opted-out",
        "redirected now": "redirected",
      }),
      away: kept({
        "removed now": "removed",
        "deleted now": "deleted",
        "blocked now, without a scan": "blocked",
        "new since": "new",
        "removed then": "new",
        missing: "missing",
        "missing, blocked then": "missing",
      }),
    });
  });

  it("segments that need no change keep the former files", async () => {
    const files = manyListings();
    const [, ...others] = files.listings;
    const { store, builds, publish } = await aStore(files);
    const before = await snapshotOf(store);
    await publish({ ...files, listings: others.map((listing) => ({ ...listing, name: "T" })) });
    const { id, kept, segments, listings } = await rollback(store);
    expect([id === builds[0], kept, segments]).toEqual([false, 3, 4]);
    expect(listings.away).toEqual([{ host: "site-0.example", why: "missing" }]);
    const after = Object.keys(await snapshotOf(store)).filter((file) =>
      file.startsWith("segments/"),
    );
    expect(after.filter((file) => file in before)).toHaveLength(6);
    expect((await answersIn(store))["site-0.example"]).toBeUndefined();
  });

  it.each([
    ["fewer", 60, 2],
    ["more", 2, 60],
  ])("if today's snapshot has %s segments than the former one", async (_, then, now) => {
    const blocked = aListing({ host: "blocked.example", visibility: "blocked" });
    const today = named("Today", {}, now);
    today.listings.push(blocked);
    today.scans.push(aScan({ host: "blocked.example" }));
    const { store, builds } = await aStore(named("Former", {}, then), today);
    const [were, are] = [await answersIn(store, builds[0]), await answersIn(store)];
    const { counts, listings } = await rollback(store);
    const answers = await answersIn(store);
    expect(counts).toMatchObject({ reports: 4, searchable: 3 });
    expect(listings.back).toEqual(["example.com"]);
    const why = then > now ? "missing" : "new";
    expect(listings.away).toHaveLength(58);
    expect(new Set(listings.away.map((one) => one.why))).toEqual(new Set([why]));
    for (const [host, answer] of Object.entries(answers)) {
      expect(answer).toEqual(host === "blocked.example" ? are[host] : were[host]);
    }
    expect((await verify(store)).bad).toEqual([]);
  });

  it("today's visibilities are those of the last build, even if another snapshot is current", async () => {
    const directory = { ...theDirectory(), name: "Another" };
    const removed = { ...named("Three", { visibility: "removed" }), directory };
    const one = { ...named("One"), directory: { ...directory, name: "Former" } };
    const { store, builds } = await aStore(one, named("Two"), removed);
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
