import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "../../../src/answer/snapshot.js";
import { LIMITS } from "../../../src/extras/clickhouse/connection.js";
import { clickHouseEngine } from "../../../src/extras/clickhouse/open.js";
import { build } from "../../../src/publish/build.js";
import { type LoadedSnapshot, loadSnapshot } from "../../../src/server/load-snapshot.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import {
  asked,
  BATCH,
  CALLS,
  called,
  LOST,
  manyChanges,
  type Posted,
  TARGETS,
} from "../../server/every-address.js";
import { needOwn, type OwnServer, startClickHouse } from "./server.js";

/** Statements for one answer, at most. */
const STATEMENTS_MAX = 10;

let server: Awaited<ReturnType<typeof startClickHouse>>;
let store: string;
let id: string;
let inMemory: LoadedSnapshot;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  server = await startClickHouse();
  if ("missing" in server) return;
  cleanUps.push(server.stop);
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  store = join(folder, "store");
  for (const publication of [1, 2, 3]) {
    const published = await writePublished(join(folder, "published"), manyChanges(publication));
    ({ id } = await build(published, { store, jobs: 1 }));
  }
  inMemory = await loadSnapshot(store, id);
  cleanUps.push(inMemory.close);
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** A snapshot that has answered nothing yet. */
async function fresh(address: string, own: OwnServer): Promise<Snapshot> {
  const made = await loadSnapshot(store, id, { makeEngine: clickHouseEngine(address, () => {}) });
  cleanUps.push(made.close);
  await untilIdle(own);
  return made.snapshot;
}

/**
 * Waits until the server has had nothing to do for a while: work that answers share, and notes that tables are in
 * use.
 */
async function untilIdle(own: OwnServer): Promise<void> {
  for (let idle = 0; idle < 3; await sleep(30)) {
    const { open } = await own.control({});
    idle = open === 0 ? idle + 1 : 0;
  }
}

/** The answer to a person who asks again after a 503: the machine may be busy. */
async function askedAgain(snapshot: Snapshot, what: string | Posted, own: OwnServer) {
  const given = await asked(snapshot, what);
  if (given.status !== 503) return given;
  await untilIdle(own);
  return asked(snapshot, what);
}

async function expectFewStatements(
  { address, own }: { readonly address: string; readonly own: OwnServer },
  asks: readonly (string | Posted)[],
): Promise<void> {
  const snapshot = await fresh(address, own);
  for (const one of asks) {
    const { statements } = await own.control({});
    const given = await askedAgain(snapshot, one, own);
    const expected = await asked(inMemory.snapshot, one);
    const taken = (await own.control({})).statements - statements;
    const shown = JSON.stringify(one).slice(0, 200);
    expect(taken, shown).toBeLessThanOrEqual(STATEMENTS_MAX);
    expect([shown, given.status]).toEqual([shown, expected.status]);
    const same = Buffer.compare(given.body ?? Buffer.of(), expected.body ?? Buffer.of());
    expect([shown, same]).toEqual([shown, 0]);
  }
}

describe("an answer from ClickHouse is that of the engine in memory, and takes few statements", () => {
  it.for(TARGETS)("at the addresses of %s", async ([, targets], context) => {
    await expectFewStatements(needOwn(context, server), targets);
  });

  it("at addresses where nothing is", async (context) => {
    await expectFewStatements(needOwn(context, server), LOST);
  });

  it("to a POST", async (context) => {
    const long = (at: number) =>
      `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.n${at}.example`;
    const longest = {
      ...BATCH,
      value: { hosts: Array.from({ length: 1_000 }, (_, at) => long(at)) },
    };
    const calls = Object.entries(CALLS).map(([name, args]) =>
      called("tools/call", { name, arguments: args }),
    );
    await expectFewStatements(needOwn(context, server), [BATCH, longest, ...calls]);
  });
});

describe("while ClickHouse is slow", () => {
  it("an answer of several statements is a 503 after one deadline", async (context) => {
    const { address, own } = needOwn(context, server);
    const snapshot = await fresh(address, own);
    const { statements } = await own.control({ delayMs: 0.6 * LIMITS.readMs });
    const targets = ["/?q=site", "/categories/news", "/feed.xml", "/sites/nothing.example"];
    const answers = await Promise.all(targets.map((target) => asked(snapshot, target)));
    expect(answers.map(({ status }) => status)).toEqual(targets.map(() => 503));
    expect((await own.control({ delayMs: 0 })).statements - statements).toBeLessThanOrEqual(
      2 * targets.length,
    );
  });

  it("a client that leaves ends all statements of its answer", async (context) => {
    const { address, own } = needOwn(context, server);
    const snapshot = await fresh(address, own);
    const { left } = await own.control({ delayMs: 1_500 });
    const answers = ["/api/sites?q=site", "/api/sites/facets", BATCH].map((what) =>
      asked(snapshot, what, () => AbortSignal.timeout(300)),
    );
    for (const made of answers) expect((await made).status).toBe(503);
    await expect.poll(async () => (await own.control({})).left, { timeout: 1_000 }).toBe(left + 3);
    await own.control({ delayMs: 0 });
  });
});
