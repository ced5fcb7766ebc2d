import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/answer/snapshot.js";
import type { AnswerEngine, Engine } from "../../src/engine/answering.js";
import { build } from "../../src/publish/build.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { StoreAwayError } from "../../src/store/bad-snapshot.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import {
  asked,
  BATCH,
  CALLS,
  called,
  LOST,
  manyChanges,
  TARGETS,
} from "../server/every-address.js";

/*
 * An engine that is elsewhere answers each call with a statement. This one counts its calls, and asks the engine in
 * memory.
 */

/** Calls for one answer, at most. */
const CALLS_MAX = 10;

const cleanUps: (() => unknown)[] = [];
let store: string;
let id: string;
let memory: Engine;
/** The names of all calls. */
let calls: string[] = [];
/** Calls that ended because their answer did. */
let ended = 0;
/** Milliseconds that each call takes, and an answer at most. */
let delayMs = 0;
let deadlineMs = 0;

/** @param signal ends the calls of an answer */
function elsewhere(signal?: AbortSignal): AnswerEngine {
  const call = async (name: string) => {
    calls.push(name);
    if (delayMs === 0) return;
    try {
      await sleep(delayMs, undefined, signal && { signal });
    } catch {
      ended += 1;
      throw new StoreAwayError("the answer has ended");
    }
  };
  const once =
    <A extends unknown[], R>(name: string, answer: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      await call(name);
      return answer(...args);
    };
  const stream = <A extends unknown[], R>(name: string, answer: (...args: A) => AsyncIterable<R>) =>
    async function* (...args: A) {
      await call(name);
      yield* answer(...args);
    };
  return {
    size: memory.size,
    scoredHosts: stream("scoredHosts", () => memory.scoredHosts()),
    datedHosts: stream("datedHosts", (numbers) => memory.datedHosts(numbers)),
    allSummaries: stream("allSummaries", () => memory.allSummaries()),
    exemptOf: once("exemptOf", (hosts) => memory.exemptOf(hosts)),
    summariesOf: once("summariesOf", (hosts) => memory.summariesOf(hosts)),
    hostsFound: once("hostsFound", (query) => memory.hostsFound(query)),
    search: once("search", (query) => memory.search(query)),
    facets: once("facets", (query, rubric) => memory.facets(query, rubric)),
    suggest: once("suggest", (q, corrects) => memory.suggest(q, corrects)),
    during: (leaving) => {
      const end = AbortSignal.timeout(deadlineMs);
      return elsewhere(leaving === undefined ? end : AbortSignal.any([end, leaving()]));
    },
    inTime: (work) => {
      if (signal === undefined) return work;
      const end = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new StoreAwayError("the answer has ended")));
      });
      return Promise.race([work, end]);
    },
  };
}

/** A snapshot that has answered nothing yet. */
async function fresh(): Promise<Snapshot> {
  const makeEngine = async () => ({ engine: elsewhere(), close: () => {} });
  const { snapshot, close } = await loadSnapshot(store, id, { makeEngine });
  cleanUps.push(close);
  calls = [];
  return snapshot;
}

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  store = join(folder, "store");
  for (const publication of [1, 2, 3]) {
    const published = await writePublished(join(folder, "published"), manyChanges(publication));
    ({ id } = await build(published, { store, jobs: 1 }));
  }
  const loaded = await loadSnapshot(store, id);
  cleanUps.push(loaded.close);
  memory = await loaded.snapshot.engine;
}, 120_000);

beforeEach(() => {
  delayMs = 0;
  deadlineMs = 60_000;
  ended = 0;
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

describe("an answer from an engine elsewhere takes few calls, even the first one", () => {
  it.each(TARGETS)("at the addresses of %s", async (_, targets) => {
    for (const target of targets) {
      const { status } = await asked(await fresh(), target);
      expect([target, status]).toEqual([target, 200]);
      expect(calls.length, `${target}: ${calls}`).toBeLessThanOrEqual(CALLS_MAX);
    }
  });

  it("at addresses where nothing is", async () => {
    for (const target of LOST) {
      const { status } = await asked(await fresh(), target);
      expect([target, status]).toEqual([target, 404]);
      expect(calls.length, `${target}: ${calls}`).toBeLessThanOrEqual(CALLS_MAX);
    }
  });

  it("to a batch of as many hosts as there may be", async () => {
    expect((await asked(await fresh(), BATCH)).status).toBe(200);
    expect(calls).toEqual(["summariesOf"]);
  });

  it.each(Object.entries(CALLS))("to MCP's tool %s", async (name, args) => {
    const { body } = await asked(await fresh(), called("tools/call", { name, arguments: args }));
    expect(Buffer.from(body ?? []).toString()).toMatch(
      /^(?!.*"(?:isError|error)":).*"structuredContent"/s,
    );
    expect(calls.length, `${calls}`).toBeLessThanOrEqual(CALLS_MAX);
  });

  it("to all tools of MCP: there are no others", async () => {
    const { body } = await asked(await fresh(), called("tools/list"));
    const names = [
      ...Buffer.from(body ?? [])
        .toString()
        .matchAll(/"name":"(\w+)","title"/g),
    ];
    expect(names.map(([, name]) => name).sort()).toEqual(Object.keys(CALLS).sort());
  });
});

describe("an answer from an engine elsewhere", () => {
  it.each(["/?q=site", "/categories/news", "/feed.xml", "/sites/nothing.example"])(
    "to %s has one deadline for all its calls",
    async (target) => {
      const snapshot = await fresh();
      deadlineMs = 100;
      delayMs = 60;
      expect((await asked(snapshot, target)).status).toBe(503);
      expect(ended).toBe(1);
    },
  );

  it("to a POST has a deadline too, which begins once its body is read", async () => {
    const snapshot = await fresh();
    deadlineMs = 100;
    delayMs = 60_000;
    const slow = { ...BATCH, readMs: 200 };
    expect((await asked(snapshot, slow)).status).toBe(503);
    expect([calls, ended]).toEqual([["summariesOf"], 1]);
  });

  it("makes no further call once its client has left", async () => {
    const snapshot = await fresh();
    delayMs = 60_000;
    const left = new AbortController();
    const answers = ["/?q=site", "/api/sites?q=site", BATCH].map((what) =>
      asked(snapshot, what, () => left.signal),
    );
    await expect.poll(() => calls.length).toBe(4);
    left.abort();
    for (const made of answers) expect((await made).status).toBe(503);
    expect([calls.length, ended]).toEqual([4, 4]);
  });

  it.each([
    ["/search-feed.xml?q=none", "summariesOf", 1 + 8],
    ["/api/dump/", "allSummaries", 4],
    ["/sitemap.xml", "scoredHosts", 1],
    ["/checks/https", "exemptOf", 1],
    ["/categories/news", "facets", 1],
  ])("to %s shares its work with those asked for at the same time", async (target, name, count) => {
    const snapshot = await fresh();
    delayMs = 20;
    const answers = await Promise.all(Array.from({ length: 8 }, () => asked(snapshot, target)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(calls.filter((one) => one === name).length, `${calls}`).toBe(count);
  });

  it("leaves shared work to the next one if its time ends", async () => {
    const snapshot = await fresh();
    deadlineMs = 20;
    delayMs = 300;
    expect((await asked(snapshot, "/sitemap.xml")).status).toBe(503);
    deadlineMs = 60_000;
    delayMs = 0;
    expect((await asked(snapshot, "/sitemap.xml")).status).toBe(200);
    expect(calls.filter((one) => one === "scoredHosts").length).toBe(1);
  });
});
