import { describe, expect, it, vi } from "vitest";
import type { CrawldexError } from "../../src/client/index.js";
import {
  answers,
  aScript,
  BASE,
  fails,
  gives,
  hangs,
  listenersOf,
  pass,
  refuses,
  type Step,
} from "./scripted.js";
import { calm, enrichment, follow, READY, type State, state } from "./watched.js";

const unchanged = answers(null, {}, 304);

describe("a watch", () => {
  it.each([
    ["there is none", null],
    ["it is ready", enrichment(READY)],
    ["it is unavailable", enrichment(state("unavailable"), READY)],
    ["a state is unknown", enrichment({ state: "new" as "ready", nextRetryAt: null })],
  ])("gives the state and ends if %s, as nothing is pending", async (_, data) => {
    const script = aScript([gives(data)], calm);
    const watched = follow(script);
    await pass(600_000);
    expect(watched).toEqual({ seen: [data], done: true, error: undefined });
    expect(script.sent.map(({ url }) => url)).toEqual([`${BASE}/api/sites/a.com/enrichment`]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ["the copy's", "queued", (s: State) => enrichment(s, READY)],
    ["the copy's", "delayed", (s: State) => enrichment(s, READY)],
    ["the starter files'", "delayed", (s: State) => enrichment(state("unavailable"), s)],
  ] as const)("continues while %s state is %s", async (_, name, made) => {
    const states = [made(state(name)), enrichment(READY, READY)];
    const script = aScript(
      states.map((each) => gives(each)),
      calm,
    );
    const watched = follow(script);
    await pass(4999);
    expect([watched.seen, watched.done]).toEqual([states.slice(0, 1), false]);
    await pass(1);
    expect([watched.seen, watched.done, script.times()]).toEqual([states, true, [0, 5000]]);
  });

  it("does not give a known state again, and does not ask if nothing in it is pending", async () => {
    for (const known of [null, enrichment(READY, READY)]) {
      const script = aScript([], calm);
      const watched = follow(script, { known });
      await pass(60_000);
      expect([watched.done, watched.seen, script.sent]).toEqual([true, [], []]);
    }
    const queued = enrichment(state("queued"));
    const script = aScript([gives(queued), gives(null)], calm);
    const watched = follow(script, { known: queued });
    await pass(60_000);
    expect([watched.seen, script.times()]).toEqual([[null], [5000, 15_000]]);
    const later = enrichment(state("delayed", new Date(Date.now() + 30_000).toISOString()));
    const delayed = aScript([gives(null)], calm);
    follow(delayed, { known: later });
    await pass(60_000);
    expect(delayed.times()).toEqual([30_000]);
  });

  it("gives a state once, and doubles the interval each time that nothing has changed, up to a bound", async () => {
    const queued = gives(enrichment(state("queued")), '"1"');
    const steps = [queued, unchanged, unchanged, unchanged, gives(enrichment(state("generating")))];
    const script = aScript([...steps, gives(enrichment(READY))], calm);
    const watched = follow(script, { intervalMs: 1000, maxIntervalMs: 3000 });
    await pass(60_000);
    expect(watched.seen.map((each) => each?.copy.state)).toEqual(["queued", "generating", "ready"]);
    expect(script.times()).toEqual([0, 1000, 3000, 6000, 9000, 10_000]);
    expect(script.sent[3]?.headers["If-None-Match"]).toBe('"1"');
  });

  it("asks at least once a minute by default", async () => {
    const same = enrichment(state("queued"));
    const script = aScript([...Array.from({ length: 6 }, () => gives(same)), gives(null)], calm);
    follow(script);
    await pass(600_000);
    expect(script.times()).toEqual([0, 5000, 15_000, 35_000, 75_000, 135_000, 195_000]);
  });

  it("adds up to a quarter of the interval at random", async () => {
    const steps = [gives(enrichment(state("queued"))), gives(enrichment(READY))];
    const script = aScript(steps, { random: () => 0.5 });
    follow(script, { intervalMs: 8000 });
    await pass(60_000);
    expect(script.times()).toEqual([0, 9000]);
  });
});

describe("a watch that fails", () => {
  const queued = () => gives(enrichment(state("queued")));

  it.each<[string, Step]>([
    ["503", refuses(503)],
    ["429", refuses(429)],
    ["network", fails()],
    ["body", answers("<html>")],
  ])("reports %s and continues", async (name, step) => {
    const script = aScript([queued(), step, gives(null)], calm);
    const errors: CrawldexError[] = [];
    const watched = follow(script, { onError: (error) => errors.push(error) });
    await pass(60_000);
    expect(errors.map(({ kind, status }) => (kind === "status" ? String(status) : kind))).toEqual([
      name,
    ]);
    expect([watched.done, watched.seen.length, script.sent.length]).toEqual([true, 2, 3]);
  });

  it("reports a request that hangs after its time-out", async () => {
    const script = aScript([hangs(), gives(null)], calm);
    const watched = follow(script, { timeoutMs: 1000 });
    await pass(6000);
    expect([watched.done, script.times()]).toEqual([true, [0, 6000]]);
  });

  it.each([400, 404])("ends with the error at a %i", async (status) => {
    const script = aScript([queued(), refuses(status)], calm);
    const watched = follow(script);
    await pass(600_000);
    expect(watched.error).toMatchObject({ name: "CrawldexError", status });
    expect([watched.seen.length, script.sent.length, vi.getTimerCount()]).toEqual([1, 2, 0]);
  });

  it("waits longer after each failure, up to the bound, until the next answer", async () => {
    const failures = Array.from({ length: 5 }, () => refuses(503));
    const pace = { intervalMs: 1000, maxIntervalMs: 10_000 };
    for (const [random, times] of [
      [0, [0, 1000, 3000, 7000, 12_000, 17_000, 18_000]],
      [0.5, [0, 1500, 4500, 10_500, 18_000, 25_500, 26_625]],
    ] as const) {
      const steps = [...failures, queued(), gives(null)];
      const script = aScript(steps, { random: () => random });
      follow(script, pace);
      await pass(60_000);
      expect(script.times()).toEqual(times);
    }
  });

  it("waits for Retry-After, however long it is", async () => {
    const script = aScript([refuses(503, { "Retry-After": "3600" }), gives(null)], calm);
    follow(script);
    await pass(3_600_000);
    expect(script.times()).toEqual([0, 3_600_000]);
  });
});

describe("the end of a watch", () => {
  const reason = new Error("the page was left");
  const forever = () => [gives(enrichment(state("queued")))];

  it("comes at once with an abort, between requests and during one, and leaves nothing behind", async () => {
    for (const steps of [forever(), [hangs()]]) {
      const script = aScript(steps, calm);
      const controller = new AbortController();
      const listeners = listenersOf(controller.signal);
      const watched = follow(script, { signal: controller.signal });
      await pass(3000);
      expect([watched.error, listeners(), vi.getTimerCount()]).toEqual([undefined, 1, 1]);
      controller.abort(reason);
      await pass(0);
      expect([watched.error, listeners(), vi.getTimerCount()]).toEqual([reason, 0, 0]);
      expect(script.sent.length).toBe(1);
    }
  });

  it("comes before any request if the signal was aborted before", async () => {
    const script = aScript([], calm);
    const watched = follow(script, { signal: AbortSignal.abort(reason) });
    await pass(0);
    expect([watched.error, script.sent.length]).toEqual([reason, 0]);
  });

  it.each([
    ["a wait", forever()],
    ["a request", [hangs()]],
  ])("comes with return(), in the middle of %s", async (_, steps) => {
    const { client, sent } = aScript(steps, calm);
    const watch = client.watchEnrichment("a.com");
    const asked = [watch.next(), watch.next()];
    await pass(1);
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 1]);
    expect(await watch.return?.()).toEqual({ done: true, value: undefined });
    const results = await Promise.all(asked);
    expect(results.at(-1)).toEqual({ done: true, value: undefined });
    expect([vi.getTimerCount(), sent[0]?.signal.aborted]).toEqual([0, true]);
  });
});
