import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { currentId } from "../../src/store/reader.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { repeated } from "../slow.js";
import { answersIn } from "./answers.js";
import { expectedAfter, type Site, type Visibility } from "./rollback-rule.js";
import { FOUR, manyListings } from "./trees.js";

/** Random histories; other ones with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_121);
const HISTORIES = Number(process.env.HISTORIES ?? repeated(2, 6));
const STEPS = 24;
const HOSTS = Array.from({ length: 10 }, (_, n) => `host-${n}.example`);
const VISIBILITIES = [
  ...["listed", "listed", "listed", "blocked", "opted-out", "redirected", "removed", "deleted"],
] as const;

type Pick = (count: number) => number;

/** A listing of the input; hosts that the input does not have are in no map. */
interface State {
  readonly visibility: Visibility;
  readonly name: string;
  readonly history: boolean;
  readonly scans: number;
  readonly moved: boolean;
}
type Input = Map<string, State>;

function mutate(input: Input, pick: Pick): void {
  for (let changes = 1 + pick(4); changes > 0; changes -= 1) {
    const host = HOSTS[pick(HOSTS.length)]!;
    if (pick(3) === 0) {
      input.delete(host);
      continue;
    }
    input.set(host, {
      visibility: VISIBILITIES[pick(VISIBILITIES.length)] as Visibility,
      name: `Name ${pick(5)}`,
      history: pick(2) === 0,
      scans: pick(4) === 0 ? 0 : 1 + pick(2),
      moved: pick(8) === 0,
    });
  }
}

function directoryOf(input: Input, others: number): PublishedFiles {
  const more = manyListings(others);
  const files = aPublishedDirectory({ listings: more.listings, scans: more.scans });
  for (const [host, { visibility, name, history, scans, moved }] of input) {
    files.listings.push(aListing({ host, visibility, name, entitlements: { history } }));
    const target = { status: "moved", score: null, redirect: { host: null, status: 301 } };
    if (scans > 0) files.scans.push(aScan({ host, id: "new", ...(moved ? target : {}) }));
    if (scans > 1) files.scans.push(aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }));
  }
  return files;
}

describe(`random histories of builds and rollbacks, SEED=${SEED}`, () => {
  it.each(Array.from({ length: HISTORIES }, (_, n) => n))(
    "every rollback publishes what the rule says, and nothing that was taken away: history %i",
    async (history) => {
      const random = seeded(SEED + history);
      const pick: Pick = (count) => Math.floor(random() * count);
      const folder = await temporaryFolder();
      const [published, store] = [join(folder, "published"), join(folder, "store")];
      const input: Input = new Map();
      let visibilities = new Map<string, Visibility>();
      const lastStated = new Map<string, Visibility>();
      const sites = new Map<string, Site>();
      let built = "";
      let rollbacks = 0;
      for (let step = 0; step < STEPS; step += 1) {
        const restoreMissing = pick(3) > 0;
        const isRollback = step > 2 && pick(2) === 0;
        const result = isRollback
          ? await rollback(store, { restoreMissing }).catch(() => null)
          : null;
        if (result === null) {
          mutate(input, pick);
          const others = [0, 3, 30][history % 3]! * pick(2);
          const files = directoryOf(input, others);
          const out = await writePublished(published, files);
          const options = {
            ...{ store, ...FOUR },
            keep: 1 + pick(5),
            maxRemoved: "100%",
            full: pick(4) === 0,
          } as const;
          built = (await build(out, options)).id;
          visibilities = new Map(
            files.listings.map(({ host, visibility }) => [host, visibility ?? "listed"]),
          );
          for (const [host, visibility] of visibilities) lastStated.set(host, visibility);
          sites.set(built, await answersIn(store));
          continue;
        }
        rollbacks += 1;
        const [former, today] = [sites.get(result.former)!, sites.get(built)!];
        const site = await answersIn(store);
        const expected = expectedAfter({ former, today }, visibilities, lastStated, restoreMissing);
        expect(site).toEqual(expected);
        for (const [host, answers] of Object.entries(site)) {
          const last = lastStated.get(host)!;
          expect(last).not.toMatch(/removed|deleted/);
          if (last !== "listed") expect(answers.search).toBeNull();
        }
        expect((await verify(store)).bad).toEqual([]);
        expect(await currentId(store)).toBe(result.id);
        sites.set(result.id, site);
      }
      expect(rollbacks).toBeGreaterThan(2);
      expect((await readdir(store)).length).toBeGreaterThan(4);
    },
  );
});
