import { join } from "node:path";
import { expect, it } from "vitest";
import {
  CHANGES_EXTRA,
  type ChangeHistory,
  type Kept,
  writtenAddition,
} from "../../../src/extras/changes/addition.js";
import { ChangeLog } from "../../../src/extras/changes/change-log.js";
import type { StoredChange } from "../../../src/extras/changes/stored-change.js";
import { changesIn } from "../../../src/extras/changes/stored-changes.js";
import { disk } from "../../../src/files/disk.js";
import type { Manifest } from "../../../src/store/format.js";
import { readInflated } from "../../../src/store/reader.js";
import type { ListingChange } from "../../../src/store/stored-segments.js";
import { temporaryFolder } from "../../fixtures.js";
import { seeded } from "../../oracle/random.js";
import { repeated } from "../../slow.js";

const SEED = Number(process.env.SEED ?? 20_261_126);
const DAY = 86_400_000;

/** A listing in search with a score, which another scan has given. */
function entry(host: string, score: number, recent: number) {
  const summary = {
    host,
    status: "claimed",
    latestScore: score,
    latestBand: "basic",
    latestScoreVersion: "1",
    capabilities: [],
    category: null,
    tags: [],
    platforms: [],
    name: null,
    tagline: null,
  };
  return { host, search: { summary, recent: `${recent}`.padStart(9, "0") } };
}

async function aLog(kept: Kept) {
  const store = await temporaryFolder();
  await disk.makeFolder(join(store, "segments"));
  const content = "0".repeat(32);
  let generation = 1;
  let history: ChangeHistory = { since: 1, kept, changes: [] };
  let now = Date.UTC(2026, 0, 1);
  return {
    store,
    history: () => ({ ...history, generation }),
    letPass: (ms: number) => {
      now += ms;
    },
    /** Publishes the hosts that changed, and those that are removed. */
    publish: async (changed: readonly string[], removed: readonly string[] = []) => {
      const log = new ChangeLog(store, kept, now);
      const extras = { [CHANGES_EXTRA]: writtenAddition(history) };
      const before: Pick<Manifest, "content" | "history" | "extras"> = {
        content,
        history: { generation, origin: "00000000" },
        extras,
      };
      log.begin(before as Manifest);
      for (const host of changed) {
        const before = entry(host, 1, generation);
        const after = entry(host, 2, generation + 1);
        log.add({ host, before, after } as unknown as ListingChange);
      }
      for (const host of removed) {
        log.add({ host, before: entry(host, 1, 1), after: null } as unknown as ListingChange);
      }
      generation += 1;
      history = await log.history({ generation, isSame: false });
    },
    entries: async () => {
      const all: StoredChange[] = [];
      for (const file of history.changes) {
        const changes = changesIn(await readInflated(store, file), file);
        const first = changes[0]?.generation;
        const last = changes.at(-1)?.generation;
        expect([first, last, changes.length]).toEqual([file.first, file.last, file.entries]);
        all.push(...changes.filter(({ generation }) => generation > history.since));
      }
      return all.map(({ generation, host, change }) => `${generation} ${host} ${change}`);
    },
  };
}

it(`changes stay in their order in few files, each written a few times, SEED=${SEED}`, async () => {
  const random = seeded(SEED);
  const pick = (count: number) => Math.floor(random() * count);
  const { history, publish, entries } = await aLog({ days: 400, entries: 1e5 });
  let expected: string[] = [];
  /** Of publications that erase nothing. */
  let published = 0;
  let written = 0;
  for (let number = 2; number <= repeated(150, 3_000); number += 1) {
    // Most publications are small.
    const size = pick(20) === 0 ? 1 + pick(300) : 1 + pick(6);
    const hosts = Array.from({ length: size }, (_, at) => `h${pick(5_000)}-${at}.example`).sort();
    const gone = pick(10) === 0 ? hosts.splice(pick(hosts.length), 1) : [];
    const before = history().changes.map(({ file }) => file);
    await publish(hosts, gone);
    const all = [
      ...hosts.map((host) => `${number} ${host} changed`),
      ...gone.map((host) => `${number} ${host} removed`),
    ];
    expected = expected.filter((line) => !gone.includes(line.split(" ")[1]!));
    expected.push(...all.sort());
    if (gone.length === 0) {
      published += hosts.length;
      const files = history().changes.filter(({ file }) => !before.includes(file));
      written += files.reduce((sum, file) => sum + file.entries, 0);
    }
    // Seven of each of four ranks, and those that are merged no more.
    expect(history().changes.length).toBeLessThanOrEqual(28 + expected.length / 4_096);
  }
  expect(await entries()).toEqual(expected);
  expect(written).toBeLessThan(5 * published);
});

it("the oldest changes go first: beyond a number of changes, and after a number of days", async () => {
  const { history, publish, entries, letPass } = await aLog({ days: 10, entries: 16 });
  for (let number = 2; number <= 12; number += 1)
    await publish(["a", "b", "c"].map((one) => `${one}${number}.example`));
  const kept = await entries();
  expect(kept.length).toBeLessThanOrEqual(16);
  expect(kept.length).toBeGreaterThanOrEqual(12);
  expect(kept[0]).toContain(`${history().since + 1} `);
  expect(kept.at(-1)).toBe("12 c12.example changed");
  letPass(9 * DAY);
  await publish(["d.example"]);
  expect(await entries()).toHaveLength(Math.min(16, kept.length + 1));
  letPass(9 * DAY);
  await publish(["e.example"]);
  expect([await entries(), history().since]).toEqual([
    ["13 d.example changed", "14 e.example changed"],
    12,
  ]);
  // One publication with more changes than are kept: nobody can follow it.
  await publish(Array.from({ length: 17 }, (_, n) => `x${n}.example`));
  expect([await entries(), history().since, history().generation]).toEqual([[], 15, 15]);
});
