import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { build } from "../../src/publish/build.js";
import { storedFiles } from "../../src/store/format.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { diff } from "../../src/upkeep/snapshots.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { repeated } from "../slow.js";
import { answersIn, servedBy } from "./answers.js";
import { manifestOf } from "./forge.js";
import { History } from "./random-history.js";
import { expectedAfter, isAbovePlan, type Site, type Visibility } from "./rollback-rule.js";
import { storedBytes } from "./stored-bytes.js";

const PUBLICATIONS = repeated(12, 500);
const HOSTS = repeated(16, 40);

/** Which words are in a file that the current manifest names. */
async function wordsIn(store: string): Promise<Set<string>> {
  const manifest = await manifestOf(store);
  const files = storedFiles("", { ...manifest, public: [] }).map(({ file }) => file);
  return new Set((await storedBytes(store, files)).match(/word-\d+\./g));
}

/** The hosts that two snapshots answer differently. */
function naiveDiff(before: Site, after: Site) {
  const isOther = (host: string) => !isDeepStrictEqual(before[host], after[host]);
  const hosts = Object.keys(after).sort();
  return {
    added: hosts.filter((host) => !(host in before)),
    changed: hosts.filter((host) => host in before && isOther(host)),
    removed: Object.keys(before)
      .filter((host) => !(host in after))
      .sort(),
  };
}

/** The listings that a rollback reports: those that come back, and why others are withheld or stay away. */
function told(
  { former, today, site }: Record<"former" | "today" | "site", Site>,
  visibilities: ReadonlyMap<string, Visibility>,
  { lastStated, lastPlans }: Pick<History, "lastStated" | "lastPlans">,
  restoreMissing: boolean,
) {
  const hosts = [...new Set([...Object.keys(former), ...Object.keys(today)])].sort();
  const inSite = hosts.filter((host) => host in site);
  const stated = (host: string) => visibilities.get(host) ?? "missing";
  const isUnlisted = (host: string) => !/listed|missing/.test(stated(host));
  const isSame = (host: string) => isDeepStrictEqual(former[host], today[host]);
  const comesBack = (host: string) =>
    visibilities.get(host) === "listed" ||
    (!visibilities.has(host) && restoreMissing && lastStated.get(host) === "listed");
  const isPlan = (host: string) =>
    comesBack(host) && host in former && isAbovePlan(former[host]!, lastPlans.get(host));
  const why = (host: string) => (isPlan(host) ? "plan" : stated(host).replace("listed", "new"));
  const isKept = (host: string) => isUnlisted(host) || isPlan(host);
  const withheld = inSite.filter((host) => isKept(host) && host in former && !isSame(host));
  return {
    back: inSite.filter((host) => !isUnlisted(host) && !isDeepStrictEqual(site[host], today[host])),
    withheld: withheld.map((host) => ({ host, why: why(host) })),
    away: hosts.filter((host) => !(host in site)).map((host) => ({ host, why: why(host) })),
  };
}

/** What looks on at a random history. */
export interface Observer {
  /** Called after each publication. */
  published(store: string, step: string, pick: (count: number) => number): Promise<void>;
  /** Called after the last one. */
  ended(store: string, pick: (count: number) => number): Promise<void>;
}

/**
 * Builds and rolls back at random: each publication serves what a full build serves, or what the rule says. With an
 * observer, which checks something else, it is not compared with full builds.
 */
export async function runRandomHistory(seed: number, observer?: Observer): Promise<void> {
  const isCompared = observer === undefined;
  const random = seeded(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const history = new History(pick, HOSTS);
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const fresh = join(folder, "fresh");
  const options = {
    jobs: 1,
    segmentSize: 4,
    maxRemoved: "100%",
    maxUnscored: "100%",
    maxUnbanded: "100%",
  } as const;
  const sites = new Map<string, Site>();
  let today: Site = {};
  let last = "";
  let visibilities = new Map<string, Visibility>();
  let kept = 0;
  let rollbacks = 0;

  const publish = async (step: string) => {
    history.change();
    const published = await writePublished(join(folder, "published"), history.files());
    const full = pick(12) === 0;
    const built = await build(published, { ...options, store, keep: 3 + pick(3), full });
    kept += built.kept;
    if (isCompared) {
      await rm(fresh, { recursive: true, force: true });
      await build(published, { ...options, store: fresh });
      expect(await servedBy(store), step).toEqual(await servedBy(fresh));
    }
    const words = await wordsIn(store);
    expect(
      history.erased().filter((word) => words.has(word)),
      step,
    ).toEqual([]);
    today = await answersIn(store);
    const all = [...history.listings];
    visibilities = new Map(all.map(([host, { visibility }]) => [host, visibility]));
  };

  const rollBack = async (step: string) => {
    const restoreMissing = pick(2) === 0;
    const result = await rollback(store, { restoreMissing }).catch(() => null);
    if (result === null) return;
    rollbacks += 1;
    const former = sites.get(result.former)!;
    const site = await answersIn(store);
    const expected = expectedAfter(
      { former, today },
      visibilities,
      history.lastStated,
      history.lastPlans,
      restoreMissing,
    );
    expect(site, step).toEqual(expected);
    expect(result.listings, step).toEqual(
      told({ former, today, site }, visibilities, history, restoreMissing),
    );
    const words = await wordsIn(store);
    const served = JSON.stringify(site);
    const mayNotStay = history.erased().filter((word) => !served.includes(word));
    expect(
      mayNotStay.filter((word) => words.has(word)),
      step,
    ).toEqual([]);
  };

  for (let publication = 0; publication < PUBLICATIONS; publication += 1) {
    const isRollback = publication > 3 && pick(4) === 0;
    const step = `${publication}: ${isRollback ? "rollback" : "build"}`;
    await (isRollback ? rollBack(step) : publish(step));
    const { id, bad } = await verify(store);
    expect(bad, step).toEqual([]);
    const site = await answersIn(store);
    if (isCompared && last !== "") {
      expect(await diff(last, { store }), step).toEqual(naiveDiff(sites.get(last)!, site));
    }
    last = id!;
    sites.set(last, site);
    await observer?.published(store, step, pick);
  }
  await observer?.ended(store, pick);
  expect(kept).toBeGreaterThan(PUBLICATIONS);
  expect(rollbacks).toBeGreaterThan(PUBLICATIONS / 20);
}
