import { cpSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/publish/build.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { segmentFiles } from "../../src/store/format.js";
import { currentId } from "../../src/store/reader.js";
import { explain, explainNotInSearch } from "../../src/upkeep/explain.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { withdraw } from "../../src/upkeep/withdraw.js";
import { type PublishedFiles, temporaryFolder } from "../fixtures.js";
import { answersIn } from "../store/answers.js";
import { settle } from "../store/edits.js";
import { manifestOf } from "../store/forge.js";
import { aStore } from "../store/stores.js";
import { FOUR, letPass, manyListings } from "../store/trees.js";

const HOST = "site-7.example";
const OTHER = "site-8.example";

/** The same directory, with changes to one listing. */
function changed(host: string, changes: object, files = manyListings()): PublishedFiles {
  const listings = files.listings.map((one) => (one.host === host ? { ...one, ...changes } : one));
  return { ...files, listings };
}

const stated = (visibility: string, files?: PublishedFiles) => changed(HOST, { visibility }, files);
const without = (host: string): PublishedFiles => {
  const files = manyListings();
  return {
    ...files,
    listings: files.listings.filter((one) => one.host !== host),
    scans: files.scans.filter((one) => one.host !== host),
  };
};

const isPublished = async (store: string, host = HOST) =>
  (await answersIn(store))[host] !== undefined;

describe("a host that is withdrawn", () => {
  it("has no answers at once, and everything else is as it was", async () => {
    const { store, builds } = await aStore(manyListings());
    const { [HOST]: _, ...others } = await answersIn(store);
    const result = await withdraw([HOST], { store });
    expect(result).toMatchObject({
      dryRun: false,
      id: await currentId(store),
      replaced: builds[0],
      generation: 2,
      counts: { reports: 59, searchable: 59 },
      hosts: [{ host: HOST, outcome: "withdrawn" }],
      held: [{ id: builds[0], generation: 1, hosts: [HOST] }],
      segments: 4,
      kept: 3,
    });
    expect(await answersIn(store)).toEqual(others);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("gives the content that a build with the visibility `removed` gives", async () => {
    const { store, publish } = await aStore(manyListings());
    await withdraw([HOST], { store });
    const { content, counts } = await manifestOf(store);
    await publish(stated("removed"));
    expect(await manifestOf(store)).toMatchObject({ content, counts });
  });

  it("writes only the segment that had it", async () => {
    const { store } = await aStore(manyListings());
    const files = async () => segmentFiles((await manifestOf(store)).segments);
    const before = new Set((await files()).map(({ file }) => file));
    await withdraw([HOST], { store });
    expect((await files()).filter(({ file }) => !before.has(file))).toHaveLength(2);
  });

  it("may be given in any spelling, several at a time and twice", async () => {
    const { store } = await aStore(manyListings());
    const given = [`https://www.${HOST.toUpperCase()}/path`, OTHER, HOST];
    const { hosts } = await withdraw(given, { store });
    expect(hosts.map(({ host }) => host)).toEqual([HOST, OTHER]);
    expect([await isPublished(store), await isPublished(store, OTHER)]).toEqual([false, false]);
  });

  it("changes nothing the second time", async () => {
    const { store } = await aStore(manyListings());
    const { id } = await withdraw([HOST], { store });
    const again = await withdraw([HOST], { store });
    expect(again).toMatchObject({ id, generation: 2, hosts: [{ outcome: "already" }], kept: 4 });
  });

  it.each(["", "no host", "a@b.example", "localhost"])(
    "is refused if it is none: %j",
    async (bad) => {
      const { store } = await aStore(manyListings());
      const id = await currentId(store);
      await expect(withdraw([HOST, bad], { store })).rejects.toBeInstanceOf(TypeError);
      expect(await currentId(store)).toBe(id);
    },
  );

  it("is only shown by a dry run", async () => {
    const { store } = await aStore(manyListings());
    const id = await currentId(store);
    const dry = await withdraw([HOST], { store, dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, hosts: [{ outcome: "withdrawn" }] });
    expect([await currentId(store), await isPublished(store)]).toEqual([id, true]);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("needs a store with a snapshot", async () => {
    const store = await temporaryFolder();
    await expect(withdraw([HOST], { store })).rejects.toBeInstanceOf(NoSnapshotError);
  });

  it("is named by its digest alone in what copies of the store show", async () => {
    const { store } = await aStore(manyListings());
    await withdraw([HOST], { store });
    const id = await currentId(store);
    expect(await readFile(join(store, id!, "manifest.json"), "utf8")).not.toContain(HOST);
  });

  it("leaves no byte in the store once the former snapshots are gone, before any build", async () => {
    const files = changed(HOST, { tagline: "Nobody may read this any more" });
    const { store } = await aStore(files);
    const first = await withdraw([HOST], { store, keep: 1 });
    expect(first.lingering).toEqual([{ id: first.replaced, until: expect.any(String) }]);
    await letPass(store);
    expect(await withdraw([HOST], { store, keep: 1 })).toMatchObject({ held: [], lingering: [] });
    for (const name of await readdir(store, { recursive: true })) {
      const text = await readFile(join(store, name), "latin1").catch(() => "");
      expect(text.includes("Nobody may read this"), name).toBe(false);
    }
  });
});

describe("a later build", () => {
  const inputs: Record<string, PublishedFiles> = {
    unchanged: manyListings(),
    "with another text": changed(HOST, { name: "Another" }),
    "that states blocked": stated("blocked"),
    "with another listing changed": changed(OTHER, { name: "Another" }),
    "with other documents": {
      ...manyListings(),
      directory: { ...manyListings().directory, name: "Another" },
    },
  };
  it.each(Object.entries(inputs))("leaves the host out, and warns: %s", async (_, files) => {
    const { folder, store, publish } = await aStore(manyListings());
    await withdraw([HOST], { store });
    await publish(files);
    for (const full of [false, true]) {
      const again = await build(join(folder, "published-1"), { store, ...FOUR, full });
      expect(await isPublished(store)).toBe(false);
      expect(again.warnings.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^was withdrawn on \d{4}-.*"removed".*--restore site-7\.example$/),
      ]);
      expect(again.notInSearch).toMatchObject({ withdrawn: 1, moved: 0 });
      expect(again.counts).toMatchObject({ reports: 59, searchable: 59 });
    }
    expect((await verify(store)).bad).toEqual([]);
  });

  it("of the same input keeps all segments and the snapshot", async () => {
    const { store, buildAgain } = await aStore(manyListings());
    const { id } = await withdraw([HOST], { store });
    expect(await buildAgain()).toMatchObject({ id, changed: false, kept: 4, segments: 4 });
  });

  it.each(["removed", "deleted"])("settles it once the record states %s", async (visibility) => {
    const { store, publish } = await aStore(manyListings());
    await withdraw([HOST], { store });
    await publish(stated(visibility));
    expect((await manifestOf(store)).withdrawn).toBeUndefined();
    expect(await isPublished(store)).toBe(false);
    await publish(manyListings());
    expect(await isPublished(store)).toBe(true);
  });

  it("keeps it while the input does not have the host", async () => {
    const { store, publish } = await aStore(manyListings());
    await withdraw([HOST], { store });
    await publish(without(HOST));
    expect((await manifestOf(store)).withdrawn).toHaveLength(1);
    await publish(manyListings());
    expect(await isPublished(store)).toBe(false);
  });

  it("never publishes a host that was withdrawn before it had a report", async () => {
    const { store, publish } = await aStore(without(HOST));
    const { hosts, generation } = await withdraw([HOST], { store });
    expect([hosts[0]?.outcome, generation]).toEqual(["recorded", 1]);
    await publish(manyListings());
    expect(await isPublished(store)).toBe(false);
  });

  it("publishes it again once the withdrawal is lifted, and not before", async () => {
    const { store, buildAgain } = await aStore(manyListings());
    const before = await answersIn(store);
    await withdraw([HOST, OTHER], { store });
    const { hosts } = await withdraw([HOST], { store, restore: true });
    expect(hosts).toEqual([{ host: HOST, outcome: "restored" }]);
    expect(await isPublished(store)).toBe(false);
    const again = await buildAgain();
    expect(again).toMatchObject({ counts: { reports: 59 }, notInSearch: { withdrawn: 1 } });
    const { [OTHER]: _, ...rest } = before;
    expect(await answersIn(store)).toEqual(rest);
    const none = await withdraw([HOST], { store, restore: true });
    expect(none.hosts[0]?.outcome).toBe("not-withdrawn");
  });

  it("respects it in a copy of the store without the builder's notes", async () => {
    const { folder, store, buildAgain } = await aStore(manyListings());
    await withdraw([HOST], { store });
    const copy = join(folder, "copy");
    cpSync(store, copy, { recursive: true });
    await rm(join(copy, ".notes"));
    await build(join(folder, "published-0"), { store: copy, ...FOUR });
    expect(await isPublished(copy)).toBe(false);
    // The notes have it, too, in case that the manifest is damaged.
    await writeFile(join(store, (await currentId(store))!, "manifest.json"), "{}");
    await buildAgain();
    expect(await isPublished(store)).toBe(false);
  });
});

describe("a rollback", () => {
  it.each([false, true])("never brings it back, restoreMissing %s", async (restoreMissing) => {
    const { store, publish } = await aStore(manyListings(), changed(OTHER, { name: "Bad" }));
    await withdraw([HOST], { store });
    await rollback(store, { restoreMissing, to: "1" });
    expect(await isPublished(store)).toBe(false);
    await publish(without(HOST));
    const { listings } = await rollback(store, { restoreMissing, to: "1" });
    expect(await isPublished(store)).toBe(false);
    expect(listings.back).not.toContain(HOST);
    expect(listings.away).toContainEqual({ host: HOST, why: "withdrawn" });
    expect((await verify(store)).bad).toEqual([]);
  });

  it("before it does not matter: the next build and the next rollback leave the host out", async () => {
    const { folder, store, buildAgain } = await aStore(
      manyListings(),
      changed(OTHER, { name: "Bad" }),
    );
    await rollback(store);
    await withdraw([HOST], { store });
    expect(await isPublished(store)).toBe(false);
    const { listings } = await rollback(store, { to: "2" });
    expect(await isPublished(store)).toBe(false);
    expect(listings.away).toEqual([{ host: HOST, why: "withdrawn" }]);
    await settle(store);
    const again = await buildAgain();
    expect(again).toMatchObject({ counts: { reports: 59 }, notInSearch: { withdrawn: 1 } });
    expect(await isPublished(store)).toBe(false);
    const { content } = await manifestOf(store);
    await build(join(folder, "published-1"), { store, ...FOUR, full: true });
    expect((await manifestOf(store)).content).toBe(content);
  });
});

describe("a rollback of a bad build, after a withdrawal", () => {
  it("first has nothing to bring back, and then goes one snapshot further", async () => {
    const { store, builds } = await aStore(manyListings(), changed(OTHER, { name: "Bad" }));
    const { id } = await withdraw([HOST], { store });
    expect(await rollback(store)).toMatchObject({ id, former: builds[1], replaced: id });
    const back = await rollback(store);
    expect(back).toMatchObject({ former: builds[0], listings: { back: [OTHER] } });
    expect(await isPublished(store)).toBe(false);
  });
});

describe("explain", () => {
  it("says that a host was withdrawn, and then that it is lifted", async () => {
    const { store } = await aStore(manyListings());
    await withdraw([HOST, "unknown.example"], { store });
    expect(await explain(HOST, { store })).toMatchObject({ published: false, why: "withdrawn" });
    expect(await explain("unknown.example", { store })).toMatchObject({ why: "withdrawn" });
    const { listings, complete } = await explainNotInSearch(store);
    expect([complete, listings.map(({ host, why }) => [host, why])]).toEqual([
      true,
      [[HOST, "withdrawn"]],
    ]);
    await withdraw([HOST], { store, restore: true });
    expect((await explain(HOST, { store })).reason).toMatch(/lifted\. The next build/);
  });
});
