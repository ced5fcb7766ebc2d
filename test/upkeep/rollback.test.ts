import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIGURES_DOCUMENT } from "../../src/contract/figures.js";
import { build } from "../../src/publish/build.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { segmentFiles } from "../../src/store/format.js";
import { currentId } from "../../src/store/reader.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { aListing, theDirectory } from "../fixtures.js";
import { answersIn } from "../store/answers.js";
import { manifestOf, pointTo } from "../store/forge.js";
import { aStore, named, nameIn } from "../store/stores.js";
import { FOUR, manyListings, snapshotOf, treeOf } from "../store/trees.js";

describe("the previous snapshot is current again", () => {
  it(
    "as a publication of its own with the former files if every listing is still in the input and " +
      "listed",
    async () => {
      const files = manyListings();
      const renamed = files.listings.map((listing) => ({ ...listing, name: "Renamed" }));
      const { store, builds, publish } = await aStore(files);
      const before = await manifestOf(store);
      const replaced = await publish({ ...files, listings: renamed });
      const back = await rollback(store);
      expect(back).toEqual({
        id: await currentId(store),
        dryRun: false,
        former: builds[0],
        generation: 3,
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
      expect(builds).not.toContain(back.id);
      const { history, ...now } = await manifestOf(store);
      const { history: was, extras } = before;
      expect({ ...now, history: was, extras }).toEqual(before);
      expect(history).toEqual({ generation: 3, origin: was?.origin });
    },
  );

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

  it("and so is any other that is named, from which a further rollback goes on", async () => {
    const { store, builds } = await aStore(named("One"), named("Two"), named("Three"));
    const [one, two, three] = builds;
    const back = await rollback(store, { to: two! });
    expect(back).toMatchObject({ former: two, replaced: three });
    expect(await rollback(store, { to: three! })).toMatchObject({
      former: three,
      replaced: back.id,
    });
    expect(await nameIn(store)).toBe("Three");
    expect(await rollback(store, { to: one!.slice(0, 12) })).toMatchObject({ former: one });
    await expect(rollback(store)).rejects.toThrow("no earlier snapshot to roll back to");
    await expect(rollback(store, { to: one! })).rejects.toThrow("is current already");
    await expect(rollback(store, { to: "nosuch" })).rejects.toThrow(NoSnapshotError);
    expect(await nameIn(store)).toBe("One");
  });

  it("and each further rollback goes one further back, until none is left", async () => {
    const { store, builds, buildAgain } = await aStore(named("One"), named("Two"), named("Three"));
    const back = await rollback(store);
    expect(back).toMatchObject({ former: builds[1], replaced: builds[2] });
    const first = await rollback(store);
    expect(first).toMatchObject({ former: builds[0], replaced: back.id });
    const before = await treeOf(store);
    await expect(rollback(store)).rejects.toThrow("no earlier snapshot to roll back to");
    expect(await treeOf(store)).toEqual(before);
    const built = await buildAgain();
    expect(built).toMatchObject({ changed: true, kept: built.segments });
    expect(await nameIn(store)).toBe("Three");
    expect(await rollback(store)).toMatchObject({ former: first.id, replaced: built.id });
  });

  it("but never to a snapshot that serves what the current one serves", async () => {
    const { folder, store, builds } = await aStore(named("One"), named("Two"));
    const options = { store, ...FOUR, keep: 9, full: true };
    const again = await build(join(folder, "published-1"), options);
    expect([again.changed, builds.includes(again.id)]).toEqual([true, false]);
    expect(await rollback(store)).toMatchObject({ former: builds[0], replaced: again.id });
    expect(await nameIn(store)).toBe("One");
    // A build publishes the same again. From now on a rollback goes back to what was before it.
    const same = await build(join(folder, "published-0"), options);
    expect(await rollback(store)).toMatchObject({ former: again.id, replaced: same.id });
  });

  it("but a rollback after a build never returns to a snapshot that was rolled back from", async () => {
    const { store, builds, publish } = await aStore(named("Good"), named("Bad"));
    const { id } = await rollback(store);
    await publish(named("Next"));
    expect(await rollback(store)).toMatchObject({ former: id, replaced: builds[2] });
    await expect(rollback(store)).rejects.toBeInstanceOf(NoSnapshotError);
  });

  it("until the next build publishes its input again, with all its segments kept", async () => {
    const files = named("One", {}, 60);
    const { store, buildAgain } = await aStore(files, named("Two", {}, 60));
    const { history: _, public: __, extras: ___, ...built } = await manifestOf(store);
    await rollback(store);
    expect(await buildAgain()).toMatchObject({ changed: true, kept: 5, segments: 5 });
    expect(await manifestOf(store)).toMatchObject({ ...built, history: { generation: 4 } });
  });
});

describe("listing by listing, under today's visibilities", () => {
  // What comes back, and what is told of it, is compared with the rule in store/segments/history.test.ts.
  it("segments that need no change keep the former files", async () => {
    const files = manyListings();
    const [, ...others] = files.listings;
    const { store, builds, publish } = await aStore(files);
    const before = await snapshotOf(store);
    await publish({ ...files, listings: others.map((listing) => ({ ...listing, name: "T" })) });
    const { id, kept, segments, listings } = await rollback(store);
    expect([id === builds[0], kept, segments]).toEqual([false, 3, 4]);
    expect(listings.away).toEqual([{ host: "site-0.example", why: "missing" }]);
    const after = segmentFiles((await manifestOf(store)).segments);
    expect(after.filter(({ file }) => file in before)).toHaveLength(6);
    expect((await answersIn(store))["site-0.example"]).toBeUndefined();
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
      await pointTo(store, current!);
      await rollback(store);
      expect(await nameIn(store)).toBeUndefined();
    }
  });
});
