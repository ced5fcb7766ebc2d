import { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SeenAnswer } from "../../src/server/observer.js";
import { RequestLog } from "../../src/server/observer.js";

function seen(changes: Partial<SeenAnswer> = {}): SeenAnswer {
  return {
    method: "GET",
    target: "/api/sites",
    status: 200,
    route: "search",
    bytes: 10,
    ms: 0.123456,
    snapshot: "ab",
    wasKept: false,
    ...changes,
  };
}

/** A reader that takes a batch when it is told to, or at once. */
function aReader(takes: "at once" | "when told") {
  const batches: string[] = [];
  const waiting: (() => void)[] = [];
  const out = new Writable({
    write: (chunk: Buffer, _, done) => {
      batches.push(chunk.toString("utf8"));
      if (takes === "at once") done();
      else waiting.push(done);
    },
  });
  onTestFinished(() => {
    out.destroy();
  });
  return { out, batches, take: () => waiting.shift()?.(), log: new RequestLog(out) };
}

const linesOf = (batches: readonly string[]) => batches.join("").split("\n").slice(0, -1);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the log of requests", () => {
  it("has a line of JSON for each request, with all known facts", async () => {
    const { log, batches } = aReader("at once");
    log.add(seen());
    log.add(seen({ method: undefined, target: undefined, route: undefined, snapshot: null }));
    await log.written();
    expect(linesOf(batches).map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        method: "GET",
        target: "/api/sites",
        route: "search",
        status: 200,
        bytes: 10,
        ms: 0.123,
        snapshot: "ab",
        kept: false,
      },
      expect.objectContaining({ method: null, target: "", route: null, snapshot: null }),
    ]);
  });

  it(
    "has one line per request whatever a client sends, and no line is longer than a pipe can take in " +
      "one write",
    async () => {
      const { log, batches } = aReader("at once");
      const hostile = [
        '/"}\n{"time":"forged"}',
        "/\u2028\u0000\r\n\x1b[2J",
        `/${"é".repeat(8_000)}`,
      ];
      for (const target of hostile) log.add(seen({ target, method: 'GET"' }));
      await log.written();
      const lines = linesOf(batches);
      const targets = lines.map((line) => (JSON.parse(line) as { target: string }).target);
      expect(targets.slice(0, 2)).toEqual(hostile.slice(0, 2));
      expect(targets[2]).toBe(`/${"é".repeat(1_023)}…`);
      expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(4_096);
    },
  );

  it("drops lines beyond 4 MB if its reader is too slow, and says how many with the next line", async () => {
    const { log, batches, take } = aReader("when told");
    for (let i = 0; i < 40_000; i += 1) log.add(seen({ bytes: i }));
    for (let i = 0; i < 40_000; i += 1) {
      take();
      if (i % 100 === 0) await turn();
    }
    const lines = linesOf(batches);
    expect(Buffer.byteLength(batches.join(""))).toBeLessThan(4.1 * 1024 * 1024);
    log.add(seen({ bytes: 7 }));
    for (let i = 0; i < 3; i += 1) {
      await turn();
      take();
    }
    const [told, last] = linesOf(batches).slice(-2);
    expect(JSON.parse(told ?? "")).toEqual({
      time: expect.any(String),
      linesLeftOut: 40_000 - lines.length,
    });
    expect(JSON.parse(last ?? "")).toMatchObject({ bytes: 7 });
  });

  it("drops all lines if its reader is gone, and throws nothing", async () => {
    const { log, out, batches } = aReader("at once");
    log.add(seen());
    await log.written();
    out.destroy(Object.assign(new Error("EPIPE"), { code: "EPIPE" }));
    await turn();
    for (let i = 0; i < 10; i += 1) log.add(seen());
    await log.written();
    expect(linesOf(batches)).toHaveLength(1);
  });

  it("stops waiting for unread lines when the reader goes", async () => {
    const { log, out } = aReader("when told");
    for (let i = 0; i < 100; i += 1) log.add(seen());
    const ended = log.written();
    await turn();
    out.destroy(new Error("gone"));
    await ended;
  });
});
