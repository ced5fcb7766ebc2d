import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostHash } from "../../src/contract/host.js";
import { readNotes } from "../../src/publish/notes.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { aListing, aScan, type PublishedFiles } from "../fixtures.js";
import { answersIn } from "../store/answers.js";
import { manifestOf } from "../store/forge.js";
import { aStore, named } from "../store/stores.js";
import { letPass, manyListings } from "../store/trees.js";

const HOST = "example.com";
const all = named("Listed");
/** The directory without that listing; its scans stay. */
const without: PublishedFiles = {
  ...all,
  listings: all.listings.filter(({ host }) => host !== HOST),
};
const stated = (visibility: "blocked" | "opted-out" | "redirected" | "removed" | "deleted") =>
  named("Stated", { visibility });

const missingIn = async (store: string) => (await readNotes(store)).missing;

describe("an accidental loss", () => {
  const nothing = { ...all, listings: [], scans: [] };

  it(
    "what was published before it comes back with restoreMissing, with the same content, withheld " +
      "reports included",
    async () => {
      const files = { ...all, listings: [...all.listings] };
      files.listings.push(aListing({ host: "blocked.example", visibility: "blocked" }));
      files.listings.push(aListing({ host: "removed.example", visibility: "removed" }));
      files.scans = [
        ...all.scans,
        aScan({ host: "blocked.example" }),
        aScan({ host: "removed.example" }),
      ];
      const { store, builds } = await aStore(files, nothing);
      const { content } = await manifestOf(store, builds[0]);
      const { former, listings } = await rollback(store, { restoreMissing: true });
      expect(former).toBe(builds[0]);
      expect((await manifestOf(store)).content).toBe(content);
      expect(listings.away).toEqual([]);
      expect(listings.back).toContain("blocked.example");
    },
  );

  it("is undone by restoreMissing also after a rollback without it, and after the next build", async () => {
    const { store, builds } = await aStore(named("Old"), all, nothing);
    const bare = await rollback(store);
    expect(bare).toMatchObject({ former: builds[1], counts: { reports: 0 } });
    const counts = { reports: all.listings.length };
    const restored = await rollback(store, { restoreMissing: true });
    expect(restored).toMatchObject({ former: builds[1], counts });
    expect(await rollback(store)).toMatchObject({ former: builds[0] });
    const again = await aStore(named("Old"), all, nothing);
    await rollback(again.store);
    await again.buildAgain();
    const [old, whole] = again.builds;
    const back = await rollback(again.store, { restoreMissing: true });
    expect(back).toMatchObject({ former: whole, counts });
    expect(await rollback(again.store, { restoreMissing: true })).toMatchObject({ former: old });
  });
});

describe("a listing that was stated as something else than listed and has gone missing since", () => {
  it.each(["deleted", "opted-out"] as const)(
    "%s: no rollback brings its report back, however often and whatever is built between",
    async (visibility) => {
      const { store, publish } = await aStore(all, stated(visibility), without);
      const isWithheld = !/removed|deleted/.test(visibility);
      for (let round = 0; round < 2; round += 1) {
        const rolledBack = await allRollbacks(store, visibility);
        // A snapshot that serves what the current one serves is passed over.
        expect(rolledBack).toBe(Math.min(2 - round, isWithheld ? 2 : 1));
        await publish({ ...without, directory: { ...all.directory, name: `Renamed ${round}` } });
      }
    },
  );

  it("has not even its withheld report back if it was removed before it went missing", async () => {
    const { store } = await aStore(stated("blocked"), stated("removed"), without);
    for (let back = 0; back < 2; back += 1) {
      await rollback(store, { restoreMissing: true }).catch(() => null);
      expect((await answersIn(store))[HOST]).toBeUndefined();
    }
  });

  it("is not missing any more once the input has it again: what is stated last counts", async () => {
    const { store, builds } = await aStore(stated("removed"), without, all, without);
    expect((await missingIn(store)).flatMap(({ tombstones }) => tombstones)).toEqual([]);
    await rollback(store, { restoreMissing: true });
    expect((await answersIn(store))[HOST]).toEqual((await answersIn(store, builds[2]))[HOST]);
  });

  it("is remembered where another host with the same hash has a report", async () => {
    const a = "h84337.example";
    const b = "h1340180.example";
    expect(hostHash(a)).toBe(hostHash(b));
    const others = manyListings(3);
    const files = (...listings: PublishedFiles["listings"]) => ({
      ...others,
      listings: [...others.listings, ...listings],
      scans: [...others.scans, aScan({ host: a }), aScan({ host: b })],
    });
    const twin = aListing({ host: b });
    const removed = aListing({ host: a, visibility: "removed" });
    const { store } = await aStore(
      files(aListing({ host: a }), twin),
      files(removed, twin),
      files(twin),
      files({ ...twin, name: "Renamed" }),
    );
    for (let back = 0; back < 2; back += 1) await rollback(store, { restoreMissing: true });
    expect(Object.keys(await answersIn(store))).toContain(b);
    expect(Object.keys(await answersIn(store))).not.toContain(a);
  });

  it("is remembered just as long as a snapshot from before is in the store", async () => {
    const { store, builds, publish } = await aStore(all, stated("removed"), without);
    expect(await missingIn(store)).toMatchObject([
      { snapshots: builds.slice(0, 2), tombstones: [{ host: HOST, why: "removed" }] },
    ]);
    const renamed = (name: string) => ({ ...without, directory: { ...all.directory, name } });
    // A snapshot stays for a minute after it stopped being current.
    await publish(renamed("A"), 1);
    expect(await missingIn(store)).toHaveLength(1);
    await letPass(store);
    await publish(renamed("B"), 1);
    expect(await missingIn(store)).toEqual([]);
    expect(await readFile(join(store, ".notes"), "utf8")).not.toContain(HOST);
  });
});

/** Rolls back as often as it can. None may bring the listing's report back. @returns how often */
async function allRollbacks(store: string, visibility: string): Promise<number> {
  for (let rollbacks = 0; ; rollbacks += 1) {
    const result = await rollback(store, { restoreMissing: true }).catch(() => null);
    if (result === null) return rollbacks;
    const answers = (await answersIn(store))[HOST];
    if (/removed|deleted/.test(visibility)) expect(answers).toBeUndefined();
    expect(answers?.search ?? null).toBeNull();
    const isIn = (await answersIn(store, result.former))[HOST] !== undefined;
    const away = { host: HOST, why: visibility };
    if (isIn && answers === undefined) expect(result.listings.away).toContainEqual(away);
  }
}
