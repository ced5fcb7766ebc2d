import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { build } from "../../src/build/build.js";
import type { NamedSite, PublicationChanges } from "../../src/contract/changes.js";
import type { SnapshotView } from "../../src/runtime/answer/content.js";
import { publicationChanges } from "../../src/runtime/answer/publication-changes.js";
import { loadSnapshot } from "../../src/runtime/snapshot/load-snapshot.js";
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

/** @param n each publication has scans of its own: what was corrected is not told */
function directoryOf(rows: Readonly<Record<string, Row>>, n: number) {
  const entries = Object.entries(rows);
  return aPublishedDirectory({
    listings: entries.map(([name, [, , listing]]) =>
      aListing({ host: `${name}.example`, name: null, ...listing }),
    ),
    scans: entries.map(([name, [score, statuses, , scan]]) =>
      aScan({
        ...{ host: `${name}.example`, score, id: `scan-${n}` },
        finishedAt: `2026-01-0${n}T00:00:00Z`,
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
  /** Publishes at noon of a day of January 2026. @returns what changed, as a server tells it */
  const publish = async (rows: Readonly<Record<string, Row>>, day = 1) => {
    built += 1;
    const published = await writePublished(
      join(folder, `published-${built}`),
      directoryOf(rows, built),
    );
    vi.stubEnv("SOURCE_DATE_EPOCH", `${Date.UTC(2026, 0, day, 12) / 1000}`);
    const { id } = await build(published, { store, jobs: 1, maxRemoved: 100 });
    vi.unstubAllEnvs();
    const { snapshot, close } = await loadSnapshot(store, id);
    return publicationChanges(snapshot).finally(close);
  };
  return { store, publish };
}

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
  const { publish } = await aStore();
  expect(await publish(BEFORE)).toEqual([]);
  const [since, ...others] = await publish(AFTER);
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
      [SECOND!.id, [], ["far-up", "down"]],
    ],
  });
  expect(JSON.stringify(since)).not.toMatch(/blocked|deleted|gone|older/);
});

it("takes together what changed since each of the last three days of publications", async () => {
  const { publish } = await aStore();
  const scores = [10, 20, 20, 30, 25];
  let found: PublicationChanges[] = [];
  for (const [n, day] of [1, 1, 2, 4, 5].entries()) {
    found = await publish({ up: [scores[n]!, ["pass"]] }, day);
  }
  expect(
    found.map((one) => [one.since, ...(shown(one)?.risen ?? []), ...(shown(one)?.fallen ?? [])]),
  ).toEqual([
    ["2026-01-05", ["up.example", 30, 25]],
    ["2026-01-04", ["up.example", 20, 25]],
    ["2026-01-02", ["up.example", 20, 25]],
  ]);
});

it("lists 25 sites and counts all; tells nothing of more than 10,000 changes", async () => {
  const { publish } = await aStore();
  const many = (score: number) =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`site-${at}`, [score, ["pass"]] as Row]),
    );
  await publish(many(10));
  const [since] = await publish(many(20));
  expect([since?.changes?.risen.count, since?.changes?.risen.first.length]).toEqual([30, 25]);
  const file = { entries: 10_001, until: "2026-01-02T00:00:00.000Z" };
  const view = { history: { changes: [file] } } as unknown as SnapshotView;
  expect(await publicationChanges(view)).toEqual([{ since: "2026-01-02", changes: null }]);
});
