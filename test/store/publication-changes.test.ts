import { rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import type { NamedSite, PublicationChanges } from "../../src/contract/changes.js";
import { publicationChanges } from "../../src/store/publication-changes.js";
import {
  aCheck,
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  theStandards,
  writePublished,
} from "../fixtures.js";

const [FIRST, SECOND] = theStandards().checks.filter(({ kind }) => kind === "achievement");
type Status = "pass" | "fail" | "na";

/** A site by its score and the results of two checks; its listing and its scan may differ otherwise. */
type Row = readonly [score: number, checks: readonly Status[], listing?: object, scan?: object];

function directoryOf(rows: Readonly<Record<string, Row>>) {
  const entries = Object.entries(rows);
  return aPublishedDirectory({
    listings: entries.map(([name, [, , listing]]) =>
      aListing({ host: `${name}.example`, name: null, ...listing }),
    ),
    scans: entries.map(([name, [score, statuses, , scan]]) =>
      aScan({
        ...{ host: `${name}.example`, score },
        checks: statuses.map((status, index) =>
          aCheck({ checkId: [FIRST, SECOND][index]!.id, status }),
        ),
        ...scan,
      }),
    ),
  });
}

const BEFORE: Readonly<Record<string, Row>> = {
  up: [40, ["fail", "pass"]],
  "far-up": [10, ["fail", "pass"]],
  down: [80, ["pass", "pass"]],
  same: [50, ["pass", "pass"]],
  blocked: [20, ["pass", "pass"]],
  deleted: [20, ["pass", "pass"]],
  gone: [20, ["pass", "pass"]],
  older: [20, ["pass", "fail"], {}, { scoreVersion: "2020.1" }],
  shown: [30, ["pass", "pass"], { visibility: "opted-out" }],
};
const AFTER: Readonly<Record<string, Row>> = {
  up: [45, ["pass", "pass"]],
  "far-up": [90, ["pass", "na"]],
  down: [60, ["pass", "fail"]],
  same: [50, ["pass", "pass"]],
  blocked: [90, ["fail", "fail"], { visibility: "blocked" }],
  deleted: [90, ["fail", "fail"], { visibility: "deleted" }],
  older: [90, ["pass", "pass"]],
  shown: [30, ["pass", "pass"]],
  added: [70, ["pass", "pass"]],
};

async function aStore() {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  let built = 0;
  const publish = async (rows: Readonly<Record<string, Row>>) => {
    built += 1;
    const published = await writePublished(join(folder, `published-${built}`), directoryOf(rows));
    return (await build(published, { store, jobs: 1, keep: 3, maxRemoved: 100 })).id;
  };
  return { store, publish };
}

const pause = async () => {};
const hostsOf = ({ first }: { readonly first: readonly NamedSite[] }) =>
  first.map(({ host }) => host.replace(".example", ""));
const shown = ({ changes }: PublicationChanges) =>
  changes && {
    added: hostsOf(changes.added),
    risen: changes.risen.first.map(({ host, from, latestScore }) => [host, from, latestScore]),
    fallen: changes.fallen.first.map(({ host, from, latestScore }) => [host, from, latestScore]),
    checks: changes.checks.map(({ checkId, gained, lost }) => [
      checkId,
      hostsOf(gained),
      hostsOf(lost),
    ]),
  };

it("names what rose, fell, is new, and gained or lost a check, but no site that is not in search now", async () => {
  const { store, publish } = await aStore();
  const first = await publish(BEFORE);
  expect(await publicationChanges(store, first, { pause })).toEqual([]);
  const second = await publish(AFTER);
  const [since, ...others] = await publicationChanges(store, second, { pause });
  expect(others).toEqual([]);
  expect(shown(since!)).toEqual({
    added: ["added", "shown"],
    risen: [
      ["far-up.example", 10, 90],
      ["up.example", 40, 45],
    ],
    fallen: [["down.example", 80, 60]],
    checks: [
      [FIRST!.id, ["far-up", "up"], []],
      [SECOND!.id, [], ["down"]],
    ],
  });
  expect(JSON.stringify(since)).not.toMatch(/blocked|deleted|gone|older/);
});

it("compares with each publication that the store still has, and that is trusted and whole", async () => {
  const { store, publish } = await aStore();
  const first = await publish({ up: [1, ["pass"]] });
  const second = await publish({ up: [2, ["pass"]] });
  const third = await publish({ up: [3, ["pass"]] });
  const risen = async (isTrusted?: (id: string) => Promise<boolean>) =>
    (await publicationChanges(store, third, { pause, ...(isTrusted && { isTrusted }) })).map(
      ({ changes }) => changes?.risen.first[0]?.from,
    );
  expect(await risen()).toEqual([2, 1]);
  expect(await risen(async (id) => id === first)).toEqual([1]);
  await truncate(join(store, second, "manifest.json"), 9);
  expect(await risen()).toEqual([1]);
  await rm(join(store, first), { recursive: true });
  expect(await risen()).toEqual([]);
});

it("lists 25 sites and counts all; beyond 10,000 rows of segments nothing is compared", async () => {
  const { store, publish } = await aStore();
  const many = (score: number, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`site-${at}`, [score, ["pass"]] as Row]),
    );
  await publish(many(10, 30));
  const id = await publish(many(20, 30));
  const [since] = await publicationChanges(store, id, { pause });
  expect([since?.changes?.risen.count, since?.changes?.risen.first.length]).toEqual([30, 25]);
  const [limited] = await publicationChanges(store, id, { pause, rowsMax: 59 });
  expect(limited?.changes).toBeNull();
});
