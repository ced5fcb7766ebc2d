import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { clickHouseAccess } from "../../../src/extras/clickhouse/address.js";
import { ClickHouse, LIMITS } from "../../../src/extras/clickhouse/connection.js";
import { clickHouseEngine } from "../../../src/extras/clickhouse/open.js";
import { dropUnused } from "../../../src/extras/clickhouse/tables.js";
import { build } from "../../../src/publish/build.js";
import { type LoadedSnapshot, loadSnapshot } from "../../../src/server/load-snapshot.js";
import { serve } from "../../../src/server/serve.js";
import { temporaryFolder } from "../../fixtures.js";
import { writeSample } from "../../sample/larger.js";
import { send } from "../../server/http.js";
import { ask, askAgain, differences } from "./answers.js";
import { needOwn, type OwnServer, startClickHouse } from "./server.js";

const LISTINGS = 120;
const TARGETS = [
  "/api/sites",
  "/api/sites?q=a&sort=recent",
  "/api/sites/suggestions?q=co",
  "/api/sites/facets?include=scores",
  "/api/sites?q=nothing+that+is+there",
  "/",
];

let server: Awaited<ReturnType<typeof startClickHouse>>;
let store: string;
let id: string;
let content: string;
let inMemory: LoadedSnapshot;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  server = await startClickHouse();
  if ("missing" in server) return;
  cleanUps.push(server.stop);
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  await writeSample(join(folder, "published"), { listings: LISTINGS, seed: 3 });
  store = join(folder, "store");
  ({ id } = await build(join(folder, "published"), { store, jobs: 1 }));
  inMemory = await loadSnapshot(store, id);
  ({ content } = inMemory.snapshot);
  cleanUps.push(inMemory.close);
});

beforeEach(async () => {
  if ("missing" in server) return;
  await server.own?.control({ delayMs: 0, isCut: false, memoryMax: 0 });
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

async function open(address: string): Promise<LoadedSnapshot> {
  const loaded = await loadSnapshot(store, id, { makeEngine: clickHouseEngine(address, () => {}) });
  onTestFinished(loaded.close);
  return loaded;
}

/** All reads answer 503 with Retry-After, or what the engine in memory answers. @returns how many were 503 */
async function expectWholeOrAway(loaded: LoadedSnapshot): Promise<number> {
  let away = 0;
  for (const target of TARGETS) {
    const [expected, given] = await Promise.all([ask(inMemory, target), ask(loaded, target)]);
    if (given.status === 503) {
      expect(given.headers["Retry-After"], target).toBe("2");
      away += 1;
    } else {
      expect(Buffer.from(given.body ?? []).toString(), target).toBe(
        Buffer.from(expected.body ?? []).toString(),
      );
    }
  }
  return away;
}

/** Waits until all answers are right again. */
async function expectRecovery(loaded: LoadedSnapshot): Promise<void> {
  await expect.poll(() => ask(loaded, "/api/sites")).toMatchObject({ status: 200 });
  expect(await differences(inMemory, loaded, TARGETS)).toEqual([]);
}

async function tablesIn(own: OwnServer): Promise<string[]> {
  const found = await own.sql(
    "SELECT name FROM system.tables WHERE database = 'crawldex' ORDER BY name FORMAT JSON",
  );
  return found.map(({ name }) => String(name));
}

const tableOf = (part: string) => `crawldex4_${content}_${part}`;

describe("while ClickHouse fails, an answer is whole or a 503 with Retry-After", () => {
  it("out of memory", async (context) => {
    const { address, own } = needOwn(context, server);
    const loaded = await open(address);
    await own.control({ memoryMax: 1 });
    expect(await expectWholeOrAway(loaded)).toBe(TARGETS.length);
    await own.control({ memoryMax: 0 });
    await expectRecovery(loaded);
  });

  it("with answers that are cut short", async (context) => {
    const { address, own } = needOwn(context, server);
    const loaded = await open(address);
    await own.control({ isCut: true });
    expect(await expectWholeOrAway(loaded)).toBe(TARGETS.length);
    await own.control({ isCut: false });
    await expectRecovery(loaded);
  });

  it("slower than the deadline", async (context) => {
    const { address, own } = needOwn(context, server);
    const loaded = await open(address);
    await own.control({ delayMs: 2 * LIMITS.readMs });
    const started = performance.now();
    expect((await ask(loaded, "/api/sites?q=a")).status).toBe(503);
    expect(performance.now() - started).toBeLessThan(1.5 * LIMITS.readMs);
    await own.control({ delayMs: 0 });
    await expectRecovery(loaded);
  });

  it("away, and restarted", async (context) => {
    const { address, own } = needOwn(context, server);
    const loaded = await open(address);
    await own.kill();
    expect(await expectWholeOrAway(loaded)).toBe(TARGETS.length);
    await own.start();
    await expectRecovery(loaded);
  });

  it.for<readonly [string, (part: string) => string]>([
    [
      "lost rows",
      (part: string) =>
        `ALTER TABLE ${tableOf(part)} DELETE WHERE rand() % 2 = 0 SETTINGS mutations_sync = 1`,
    ],
    ["no rows", (part: string) => `TRUNCATE TABLE ${tableOf(part)}`],
    ["no table", (part: string) => `DROP TABLE ${tableOf(part)} SYNC`],
  ])("with %s, until the tables are filled again", async ([, damage], context) => {
    const { address, own } = needOwn(context, server);
    const loaded = await open(address);
    for (const part of ["listings", "terms"]) {
      await own.sql(damage(part));
      expect(await expectWholeOrAway(loaded)).toBeGreaterThan(0);
      await expectRecovery(loaded);
    }
  });

  it("away at the start: the server starts, and answers once ClickHouse is there", async (context) => {
    const { address, own } = needOwn(context, server);
    await own.kill();
    const running = await serve(store, { port: 0, engine: address });
    onTestFinished(running.close);
    const get = (target: string) => send({ host: running.host, port: running.port }, target);
    expect(await get("/api/sites")).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
    await own.start();
    await expect.poll(async () => (await get("/api/sites")).status).toBe(200);
  });
});

describe("tables in ClickHouse", () => {
  it("are filled again if they do not have the rows that were noted when they were filled", async (context) => {
    const { address, own } = needOwn(context, server);
    (await open(address)).close();
    await own.sql(
      `ALTER TABLE ${tableOf("listings")} DELETE WHERE number > 5 SETTINGS mutations_sync = 1`,
    );
    await expectRecovery(await open(address));
  });

  it("can be filled by several servers at the same time, which leave one set of them", async (context) => {
    const { address, own } = needOwn(context, server);
    for (const name of await tablesIn(own)) await own.sql(`DROP TABLE ${name} SYNC`);
    const all = await Promise.all([open(address), open(address), open(address)]);
    for (const one of all) expect(await differences(inMemory, one, TARGETS)).toEqual([]);
    expect(await tablesIn(own)).toEqual(["listings", "terms", "words"].map(tableOf));
  });

  it("of a filler that was killed are left alone until the grace is over, and never used", async (context) => {
    const { address, own } = needOwn(context, server);
    for (const name of await tablesIn(own)) await own.sql(`DROP TABLE ${name} SYNC`);
    const half = `crawldex4_${content}_${"0".repeat(32)}_listings`;
    const other = `crawldex4_${"f".repeat(32)}_terms`;
    const seconds = Math.floor(Date.now() / 1_000);
    const create = (name: string, comment: string) =>
      own.sql(`CREATE TABLE ${name} (n UInt8) ENGINE = MergeTree ORDER BY n COMMENT '${comment}'`);
    await create(half, `used ${seconds - 3_000}`);
    await create(other, `used ${seconds - 4_000}`);
    await create("crawldex_of_others", `used ${seconds - 4_000}`);
    await create(`crawldex4_${"e".repeat(32)}_words`, "without a time");
    const loaded = await open(address);
    await expectRecovery(loaded);
    await expect.poll(() => tablesIn(own)).not.toContain(other);
    expect(await tablesIn(own)).toContain(half);
    const connection = new ClickHouse(clickHouseAccess(address));
    onTestFinished(() => connection.close());
    await dropUnused(connection, 2_000_000);
    expect(await tablesIn(own)).toEqual(
      [
        ...["listings", "terms", "words"].map(tableOf),
        `crawldex4_${"e".repeat(32)}_words`,
        "crawldex_of_others",
      ].sort(),
    );
  });
});

describe("a query", () => {
  it("is cancelled when its client leaves", async (context) => {
    const { address, own } = needOwn(context, server);
    const running = await serve(store, { port: 0, engine: address });
    onTestFinished(running.close);
    const { left } = await own.control({ delayMs: 1_500 });
    const leaving = AbortSignal.timeout(300);
    await expect(
      fetch(`${running.url}/api/sites?q=leaving`, { signal: leaving }),
    ).rejects.toThrow();
    await expect.poll(async () => (await own.control({})).left, { timeout: 1_000 }).toBe(left + 1);
  });

  it(`waits while ${LIMITS.runningMax} run`, async (context) => {
    const { address, own } = needOwn(context, server);
    const loaded = await open(address);
    // Statements of earlier tests have ended.
    await expect.poll(async () => (await own.control({})).open).toBe(0);
    await own.control({ delayMs: 300 });
    // Few enough that none reaches its deadline. A cancelled statement may leave after its successor has come.
    const asked = Array.from({ length: 2 * LIMITS.runningMax }, (_, at) =>
      ask(loaded, `/api/sites?q=b${at}`),
    );
    expect((await Promise.all(asked)).filter(({ status }) => status !== 200)).toEqual([]);
    expect((await own.control({})).atOnce).toBe(LIMITS.runningMax);
  });

  it(`beyond ${LIMITS.waitingMax} is a 503 at once`, async (context) => {
    const { address, own } = needOwn(context, server);
    const loaded = await open(address);
    await own.control({ delayMs: 1_000 });
    const statuses: number[] = [];
    const asked = Array.from({ length: LIMITS.waitingMax + 40 }, async (_, at) => {
      const { status } = await ask(loaded, `/api/sites?q=a${at}`);
      statuses.push(status);
    });
    await Promise.all(asked);
    // They did not wait for any of those that were accepted.
    expect(statuses.slice(0, 40)).toEqual(Array(40).fill(503));
    expect(statuses).toContain(200);
    await own.control({ delayMs: 0 });
    expect((await askAgain(loaded, "/api/sites?q=a")).status).toBe(200);
  });
});
