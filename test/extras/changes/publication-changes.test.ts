import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { NamedSite } from "../../../src/contract/listing.js";
import {
  type PublicationChanges,
  publicationChanges,
} from "../../../src/extras/changes/publication-changes.js";
import { build } from "../../../src/publish/build.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { type PublishedFiles, temporaryFolder, writePublished } from "../../fixtures.js";
import { directoryOf, PASSES, type Row } from "../../store/rows.js";

const BEFORE: Readonly<Record<string, Row>> = {
  up: [40, "-+"],
  "far-up": [10, "-+"],
  down: [80, "++"],
  same: [50, "++"],
  blocked: [20, "++"],
  deleted: [20, "++"],
  gone: [20, "++"],
  older: [20, "+-"],
  shown: [30, "++", { visibility: "opted-out" }],
};
// Each publication has scans of its own: what was corrected is not told.
const AFTER: Readonly<Record<string, Row>> = {
  up: [45, "++", {}, 2],
  "far-up": [90, "+/", {}, 2],
  down: [60, "+-", {}, 2],
  same: [50, "++", {}, 2],
  blocked: [90, "--", { visibility: "blocked" }, 2],
  deleted: [90, "--", { visibility: "deleted" }, 2],
  older: [90, "++", {}, 2],
  shown: [30, "++", {}, 2],
  added: [70, "++", {}, 2],
};

/** What publishes at noon of a day of January 2026, and returns what changed, as a server tells it. */
async function aPublisher() {
  const store = join(await temporaryFolder(), "store");
  return async (files: PublishedFiles, day = 1) => {
    vi.stubEnv("SOURCE_DATE_EPOCH", `${Date.UTC(2026, 0, day, 12) / 1000}`);
    const published = await writePublished(await temporaryFolder(), files);
    const { id } = await build(published, { store, jobs: 1, maxRemoved: "100%" });
    vi.unstubAllEnvs();
    const { snapshot, close } = await loadSnapshot(store, id);
    return publicationChanges(snapshot).finally(close);
  };
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
  const publish = await aPublisher();
  const before = directoryOf(BEFORE);
  const scans = before.scans.map((scan) =>
    scan.host === "older.example" ? { ...scan, scoreVersion: "2020.1" } : scan,
  );
  expect(await publish({ ...before, scans })).toEqual([]);
  const [since, ...others] = await publish(directoryOf(AFTER));
  expect(others).toEqual([]);
  expect(shown(since!)).toEqual({
    added: ["added", "shown"],
    risen: [
      ["far-up.example", 10, 90],
      ["up.example", 40, 45],
    ],
    fallen: [["down.example", 80, 60]],
    checks: [
      [PASSES.first, ["far-up", "up"], []],
      [PASSES.second, [], ["far-up", "down"]],
    ],
  });
  expect(JSON.stringify(since)).not.toMatch(/blocked|deleted|gone|older/);
});

it("takes together what changed since each of the last three days of publications", async () => {
  const publish = await aPublisher();
  const scores = [10, 20, 20, 30, 25];
  let found: PublicationChanges[] = [];
  for (const [n, day] of [1, 1, 2, 4, 5].entries()) {
    found = await publish(directoryOf({ up: [scores[n]!, "++", {}, n + 1] }), day);
  }
  expect(
    found.map((one) => [one.since, ...(shown(one)?.risen ?? []), ...(shown(one)?.fallen ?? [])]),
  ).toEqual([
    ["2026-01-05", ["up.example", 30, 25]],
    ["2026-01-04", ["up.example", 20, 25]],
    ["2026-01-02", ["up.example", 20, 25]],
  ]);
});

it("lists 25 sites and counts all", async () => {
  const publish = await aPublisher();
  const many = (score: number) =>
    directoryOf(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`site-${at}`, [score, "++", {}, score / 10]]),
      ),
    );
  await publish(many(10));
  const [since] = await publish(many(20));
  expect([since?.changes?.risen.count, since?.changes?.risen.first.length]).toEqual([30, 25]);
});
