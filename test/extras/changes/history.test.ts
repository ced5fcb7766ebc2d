import { expect, it } from "vitest";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { currentId } from "../../../src/store/reader.js";
import { manifestOf } from "../../store/forge.js";
import { runRandomHistory } from "../../store/random-run.js";
import { changesAdded } from "./added.js";
import { changesFrom, changesOf, dumpOf, Mirror, type Sites, sitesIn } from "./mirror.js";

/** A random history; another one with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_124);

/** A site that is not in search is in one change at most. */
async function expectRemovedOnce(store: string): Promise<void> {
  const { data } = await changesFrom(store, "1", 1_000);
  const sites = await sitesIn(store);
  const gone = data.filter(({ host }) => sites[host ?? ""] === undefined);
  expect(gone.filter(({ change }) => change !== "removed")).toEqual([]);
  expect(new Set(gone.map(({ host }) => host)).size).toBe(gone.length);
}

/**
 * Whoever has the sites of any publication and reads on is told that a site was added if and only if it is a new one to
 * that reader, and then has those that are in search.
 * @param before by publication, the sites in search
 */
async function expectAddedFirst(store: string, before: ReadonlyMap<number, Sites>, limit: number) {
  const now = Object.keys(await sitesIn(store)).sort();
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  for (const [generation, sites] of before) {
    if (generation < changesAdded(await manifestOf(store)).since) continue;
    const has = new Set(Object.keys(sites));
    const { data } = await changesOf(snapshot, `${generation}`, limit);
    for (const { host, change, generation: own } of data) {
      const isNew = change !== "removed" && !has.has(host ?? "");
      expect([generation, host, own, change === "added"]).toEqual([generation, host, own, isNew]);
      if (change === "removed") has.delete(host ?? "");
      else has.add(host ?? "");
    }
    expect([generation, [...has].sort()]).toEqual([generation, now]);
  }
  close();
}

it(`in a random history, whoever reads all changes after any dump has all sites, SEED=${SEED}`, async () => {
  const mirrors: Mirror[] = [];
  /** The sites of each publication. */
  const published = new Map<number, Sites>();
  await runRandomHistory(SEED, {
    published: async (store, step, pick) => {
      const { generation } = (await manifestOf(store)).history!;
      published.set(generation, await sitesIn(store));
      if (mirrors.length === 0 || pick(3) === 0) {
        const dump = await dumpOf(store);
        expect(dump.sites, step).toEqual(await sitesIn(store));
        mirrors.push(new Mirror(dump.sites, dump.cursor));
      }
      if (pick(3) > 0) return;
      await mirrors[0]!.follow(store, 1 + pick(9));
      expect(mirrors[0]!.sites, step).toEqual(await sitesIn(store));
      await expectRemovedOnce(store);
    },
    ended: async (store, pick) => {
      await expectAddedFirst(store, published, 1 + pick(9));
      for (const mirror of mirrors) {
        await mirror.follow(store, 1 + pick(30));
        expect(mirror.sites).toEqual(await sitesIn(store));
      }
    },
  });
  expect(mirrors.length).toBeGreaterThan(1);
}, 300_000);
