import { describe, expect, it, vi } from "vitest";
import {
  answers,
  aScript,
  BASE,
  fails,
  failureOf,
  gives,
  hangs,
  hangsInBody,
  listenersOf,
  outcomeOf,
  pass,
  refuses,
} from "./scripted.js";

describe("attempts", () => {
  it("are repeated after a 429, a 502 and a 503, with random waits whose bound doubles", async () => {
    const steps = [refuses(502), refuses(429), refuses(503), gives([1])];
    const { client, times } = aScript(steps, { backoffMs: 400, random: () => 0.5 });
    const read = outcomeOf(client.tags());
    await pass(10_000);
    expect(read.value).toEqual({ data: [1] });
    expect(times()).toEqual([0, 200, 600, 1400]);
  });

  it("wait half a second at most at first, and half a minute at most later, by default", async () => {
    const options = { retries: 8, random: () => 0.5 };
    const steps = Array.from({ length: 9 }, () => refuses(502));
    const { client, times } = aScript(steps, options);
    outcomeOf(client.tags());
    await pass(600_000);
    expect(times()).toEqual([0, 250, 750, 1750, 3750, 7750, 15_750, 30_750, 45_750]);
  });

  it.each([304, 404, 500, 504])("are not repeated after a %i", async (status) => {
    const { client, sent } = aScript([refuses(status)]);
    const read = outcomeOf(client.tags());
    await pass(60_000);
    expect(read.error).toMatchObject({ kind: "status", status, issues: [] });
    expect(sent.length).toBe(1);
  });

  it.each([
    ["network", fails()],
    ["timeout", hangs()],
    ["body", answers("<html>")],
  ] as const)("are not repeated after a failure of the kind %s", async (kind, step) => {
    const { client, sent } = aScript([step]);
    const read = outcomeOf(client.tags());
    await pass(60_000);
    expect(read.error).toMatchObject({ kind, url: `${BASE}/api/tags` });
    expect(sent.length).toBe(1);
  });

  it("treat a 503 whose body breaks off as a 503, but not a 200 as an answer", async () => {
    const broken = (status: number) => async () =>
      new Response(
        new ReadableStream({ start: (stream) => stream.error(new TypeError("terminated")) }),
        { status },
      );
    const { client, sent } = aScript([broken(503), broken(200)]);
    const read = outcomeOf(client.tags());
    await pass(60_000);
    expect(read.error).toMatchObject({ kind: "network", cause: { message: "terminated" } });
    expect(sent.length).toBe(2);
  });

  it("end with the last error after three retries, or after the given number", async () => {
    for (const [retries, asked, count] of [
      [undefined, undefined, 4],
      [1, undefined, 2],
      [1, 2, 3],
      [5, 0, 1],
    ] as const) {
      const steps = Array.from({ length: count }, (_, i) => refuses(i === count - 1 ? 502 : 503));
      const { client, sent } = aScript(steps, { retries });
      const read = outcomeOf(client.tags({ retries: asked }));
      await pass(60_000);
      expect(read.error).toMatchObject({ status: 502 });
      expect(sent.length).toBe(count);
    }
  });
});

describe("Retry-After (RFC 9110, 10.2.3)", () => {
  /** When the second request follows the first, after an error with this header. */
  async function wait(value: string, status = 503): Promise<number | undefined> {
    const steps = [refuses(status, { "Retry-After": value }), gives(1)];
    const { client, times } = aScript(steps, { backoffMs: 100, random: () => 0.5 });
    outcomeOf(client.tags());
    await pass(60_000);
    return times()[1];
  }

  it("is waited for, in seconds, plus the random wait", async () => {
    expect(await wait("0")).toBe(50);
    expect(await wait("2")).toBe(2050);
    expect(await wait("30")).toBe(30_050);
    expect(await wait("2", 429)).toBe(2050);
  });

  it("is waited for as an HTTP date, unless the date has passed", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T10:00:00Z") });
    expect(await wait("Sat, 21 Nov 2026 10:00:07 GMT")).toBe(7050);
    vi.setSystemTime(new Date("2026-11-21T10:00:00Z"));
    expect(await wait("Sat, 21 Nov 2026 09:00:00 GMT")).toBe(50);
  });

  it.each(["soon", "-5", "1.5", "0x10", "2027-01-01"])("is ignored if it is %j", async (value) => {
    expect(await wait(value)).toBe(50);
  });

  it("longer than the longest wait ends the read at once, and the error has it", async () => {
    const { client, sent } = aScript([refuses(503, { "Retry-After": "31" })]);
    const error = await failureOf(client.tags());
    expect(error).toMatchObject({ status: 503, retryAfterMs: 31_000 });
    expect(sent.length).toBe(1);
    const endless = aScript([refuses(503, { "Retry-After": "9".repeat(400) })]);
    expect((await failureOf(endless.client.tags())).retryAfterMs).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("aborts", () => {
  const reason = new Error("the user went away");

  it("before a read: the read sends nothing", async () => {
    const { client, sent } = aScript([]);
    await expect(client.tags({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent.length).toBe(0);
  });

  it.each([
    ["before the answer", hangs()],
    ["within the body", hangsInBody()],
  ])("%s end the read and its request at once", async (_, step) => {
    const { client, sent } = aScript([step]);
    const controller = new AbortController();
    const listeners = listenersOf(controller.signal);
    const read = outcomeOf(client.tags({ signal: controller.signal }));
    await pass(10);
    expect([read.error, listeners(), sent[0]?.signal.aborted]).toEqual([undefined, 1, false]);
    controller.abort(reason);
    await pass(0);
    expect([read.error, listeners(), sent[0]?.signal.aborted]).toEqual([reason, 0, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("during the wait for a retry end the read, its timer and its listener", async () => {
    const { client, sent } = aScript([refuses(503, { "Retry-After": "10" })]);
    const controller = new AbortController();
    const listeners = listenersOf(controller.signal);
    const read = outcomeOf(client.tags({ signal: controller.signal }));
    await pass(5000);
    expect([sent.length, vi.getTimerCount(), listeners()]).toEqual([1, 1, 1]);
    controller.abort(reason);
    await pass(0);
    expect([read.error, vi.getTimerCount(), listeners()]).toEqual([reason, 0, 0]);
    await pass(60_000);
    expect(sent.length).toBe(1);
  });
});

describe("time-outs", () => {
  it.each([
    ["no answer", hangs()],
    ["no end of the body", hangsInBody()],
  ])("end the read and the request: %s in time", async (_, step) => {
    const { client, sent } = aScript([step], { timeoutMs: 700 });
    const read = outcomeOf(client.tags());
    await pass(699);
    expect([read.error, sent[0]?.signal.aborted]).toEqual([undefined, false]);
    await pass(1);
    expect(read.error).toMatchObject({ kind: "timeout", status: null, url: `${BASE}/api/tags` });
    expect(sent[0]?.signal.aborted).toBe(true);
  });

  it("are 30 seconds, or the client's or the read's, for each attempt", async () => {
    for (const [given, asked, ms] of [
      [undefined, undefined, 30_000],
      [undefined, 900, 900],
      [500, 900, 900],
    ] as const) {
      const steps = [refuses(503, { "Retry-After": "25" }), hangs()];
      const { client, times } = aScript(steps, { timeoutMs: given, random: () => 0 });
      const read = outcomeOf(client.tags({ timeoutMs: asked }));
      await pass(25_000 + ms - 1);
      expect([times(), read.error]).toEqual([[0, 25_000], undefined]);
      await pass(1);
      expect(read.error).toMatchObject({ kind: "timeout" });
    }
  });

  it("may be infinite", async () => {
    const { client } = aScript([hangs()], { timeoutMs: Number.POSITIVE_INFINITY });
    const read = outcomeOf(client.tags());
    await pass(2 ** 33);
    expect([read.error, vi.getTimerCount()]).toEqual([undefined, 0]);
  });
});
