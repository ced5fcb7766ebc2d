import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/answer/answer.js";
import { READ_HEADERS } from "../../src/contract/headers.js";
import { CACHE_CONTROL } from "../../src/contract/routes.js";
import { NO_INDEX, PAGE_ROUTES, pageHeaders } from "../../src/pages/kit/routes.js";
import { AnswerCache } from "../../src/server/answer-cache.js";
import { seeded, shuffled } from "../oracle/random.js";
import { repeated, someOf } from "../slow.js";

const MB = 1024 * 1024;

function aBody(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = at % 251;
  return bytes;
}

function anAnswer(body: Uint8Array | null, changes: Partial<Answer> = {}): Answer {
  const headers = { ETag: '"t"', Vary: "Accept-Encoding", "Content-Type": "application/json" };
  const length = body === null ? {} : { "Content-Length": String(body.length) };
  return {
    status: body === null ? 304 : 200,
    headers: { ...headers, ...length },
    body,
    route: "report",
    ...changes,
  };
}

/** Offers an answer as often as keeping it takes. */
function keep(cache: AnswerCache, key: string, bytes: number): void {
  for (let asked = 0; asked < 2; asked += 1) cache.offer(key, anAnswer(aBody(bytes)));
}

/** Collects garbage, whatever the process was started with. */
const collect = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();

describe("a cached answer", () => {
  it("is forgotten when it stops being true", async () => {
    const cache = new AnswerCache(MB);
    for (const [key, until] of [
      ["/short", Date.now() + 20],
      ["/long", Date.now() + 60_000],
    ] as const) {
      for (let asked = 0; asked < 2; asked += 1) cache.offer(key, anAnswer(aBody(300), { until }));
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect([cache.get("/short"), cache.get("/long")?.body?.length]).toEqual([undefined, 300]);
  });

  it("is one whose key was requested before, with identical bytes and headers", () => {
    const cache = new AnswerCache(MB);
    const body = aBody(300);
    cache.offer("/a", anAnswer(body));
    expect(cache.get("/a")).toBeUndefined();
    cache.offer("/a", anAnswer(body));
    expect(cache.get("/a")).toEqual({
      tag: '"t"',
      route: "report",
      headers: [
        "ETag",
        '"t"',
        "Vary",
        "Accept-Encoding",
        "Content-Type",
        "application/json",
        "Content-Length",
        "300",
      ],
      unchanged: ["ETag", '"t"', "Vary", "Accept-Encoding"],
      body: aBody(300),
      hasParts: false,
    });
  });

  it("does not hold a larger buffer that its bytes are a part of", () => {
    const cache = new AnswerCache(MB);
    const slab = aBody(100_000);
    for (let asked = 0; asked < 2; asked += 1) {
      cache.offer("/a", anAnswer(slab.subarray(1_000, 1_200)));
    }
    slab.fill(0);
    const kept = cache.get("/a")?.body;
    expect(kept).toEqual(aBody(100_000).subarray(1_000, 1_200));
    expect(kept?.buffer.byteLength).toBe(200);
  });

  it("is never an error, nor an answer without an ETag, nor a 200 without its body", () => {
    const cache = new AnswerCache(MB);
    const body = aBody(20);
    const { ETag: _, ...untagged } = anAnswer(body).headers;
    for (let asked = 0; asked < 3; asked += 1) {
      for (const status of [204, 400, 403, 404, 405, 502, 503]) {
        cache.offer(`/${status}`, anAnswer(body, { status }));
        expect(cache.get(`/${status}`)).toBeUndefined();
      }
      cache.offer("/healthz", anAnswer(body, { headers: untagged }));
      cache.offer("/sent", anAnswer(null, { status: 200 }));
    }
    expect([cache.get("/healthz"), cache.get("/sent")]).toEqual([undefined, undefined]);
    expect(cache.bytes).toBe(0);
  });

  it("may be a 304 without a body, which gets its body from a later 200, and never removes a body", () => {
    const cache = new AnswerCache(MB);
    for (let asked = 0; asked < 2; asked += 1) cache.offer("/a", anAnswer(null));
    expect(cache.get("/a")?.body).toBeNull();
    const empty = cache.bytes;
    cache.offer("/a", anAnswer(aBody(300)));
    expect(cache.get("/a")?.body).toEqual(aBody(300));
    expect(cache.bytes).toBe(empty + 300);
    cache.offer("/a", anAnswer(null));
    expect(cache.get("/a")?.body).toEqual(aBody(300));
    expect(cache.bytes).toBe(empty + 300);
  });
});

describe("the canonical form of a target", () => {
  it("is known once it was noted, unless the target is long", () => {
    const cache = new AnswerCache(MB);
    const long = `/api/sites?q=${"x".repeat(500)}`;
    for (const target of ["/api/sites?limit=24", long]) cache.noteSpelling(target, "/api/sites");
    expect(cache.canonicalOf("/api/sites?limit=24")).toBe("/api/sites");
    expect(cache.canonicalOf("/api/sites")).toBeUndefined();
    expect(cache.canonicalOf(long)).toBeUndefined();
  });

  it("is noted for 10,000 targets at most, so that a client cannot fill the memory", () => {
    const cache = new AnswerCache(MB);
    const targets = Array.from({ length: 25_000 }, (_, i) => `/api/sites?limit=24&page=${i}`);
    const known = () => targets.filter((target) => cache.canonicalOf(target) !== undefined).length;
    let most = 0;
    for (const [i, target] of targets.entries()) {
      cache.noteSpelling(target, "/api/sites");
      if (i % 2_500 === 0) most = Math.max(most, known());
    }
    expect(most).toBeGreaterThan(7_000);
    expect(most).toBeLessThanOrEqual(10_000);
    expect(cache.canonicalOf(targets.at(-1) ?? "")).toBe("/api/sites");
  });
});

describe("the cache's size", () => {
  it("never exceeds the limit, and an answer larger than a quarter of it evicts nothing", () => {
    const cache = new AnswerCache(MB);
    for (let i = 0; i < 500; i += 1) {
      keep(cache, `/${i}`, (i * 7919) % 20_000);
      expect(cache.bytes).toBeLessThanOrEqual(MB);
    }
    expect(cache.bytes).toBeGreaterThan(0.9 * MB);
    const before = cache.bytes;
    keep(cache, "/large", MB / 4);
    expect([cache.get("/large"), cache.bytes]).toEqual([undefined, before]);
  });

  const BODIES: [number, string, (host: string) => Record<string, string>][] = [
    [0, "an answer", () => READ_HEADERS],
    [300, "an answer", () => READ_HEADERS],
    [14_000, "an answer", () => READ_HEADERS],
    [300, "a page", (host: string) => ({ ...pageHeaders(PAGE_ROUTES.page, host), ...NO_INDEX })],
  ];
  it.each(someOf(BODIES, 1))(
    "counts at least the memory that bodies of %i bytes of %s take",
    (length, _, headersOf) => {
      const entries = repeated(1_000, 3_000);
      const cache = new AnswerCache(1024 * MB);
      const used = () => {
        for (let i = 0; i < 3; i += 1) collect();
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      };
      const before = used();
      let kept = "";
      for (let i = 0; i < entries; i += 1) {
        const host = `host-${i}.${"example".repeat(20)}.com`;
        const key = `/api/sites/${host}/report`;
        kept = key;
        for (let asked = 0; asked < 2; asked += 1) {
          cache.offer(key, {
            ...anAnswer(aBody(length)),
            headers: {
              ...headersOf(host),
              "Cache-Control": CACHE_CONTROL.directory,
              "Content-Type": "application/json",
              "Content-Encoding": "br",
              ETag: `"${i.toString(16).padStart(32, "0")}-br"`,
              "Content-Length": String(length + i),
            },
          });
        }
      }
      const grown = used() - before;
      expect(cache.get(kept)?.body?.length).toBe(length);
      expect(cache.bytes).toBeGreaterThanOrEqual(grown);
      expect(cache.bytes).toBeLessThan(grown + entries * 1_000);
    },
  );
});

/** An answer that cost a compression. */
const compressed = (bytes: number) => {
  const answer = anAnswer(aBody(bytes));
  return { ...answer, headers: { ...answer.headers, "Content-Encoding": "br" } };
};

describe("eviction", () => {
  it("leaves the popular pages when a client reads each page once, although pages are compressed", () => {
    const pages = 5_000;
    const order = shuffled(
      seeded(2),
      Array.from({ length: pages }, (_, page) => page),
    );
    const random = seeded(1);
    const draw = () => Math.min(pages, Math.floor(Math.exp(random() * Math.log(pages + 1)))) - 1;
    let most = 0;
    const cache = new AnswerCache(MB);
    const page = compressed(1_000);
    const isHit = (at: number) => {
      const key = `br /sites/${at}.example`;
      const found = cache.get(key) !== undefined;
      if (!found) cache.offer(key, page);
      most = Math.max(most, cache.bytes);
      return found;
    };
    const hitsOf = (visits: number) =>
      Array.from({ length: visits }, () => isHit(order[draw()]!)).filter(Boolean).length;
    const cold = hitsOf(20_000);
    const warm = hitsOf(20_000);
    for (let at = 0; at < pages; at += 1) isHit(at);
    const afterCrawl = hitsOf(20_000);
    // The best that a cache of this size can have is 74 %.
    expect({ cold, warm, afterCrawl }).toEqual({ cold: 13_362, warm: 13_711, afterCrawl: 13_744 });
    expect(most).toBeLessThanOrEqual(MB);
  });

  it("gives answers that were requested once no more than a tenth of the bytes that others need", () => {
    const cache = new AnswerCache(100 * 1_500);
    const popular = Array.from({ length: 100 }, (_, i) => `/popular/${i}`);
    for (const key of popular) keep(cache, key, 100);
    const before = popular.filter((key) => cache.get(key) !== undefined).length;
    for (let i = 0; i < 1_000; i += 1) cache.offer(`/once/${i}`, compressed(100));
    const after = popular.filter((key) => cache.get(key) !== undefined).length;
    expect([before, after]).toEqual([100, 96]);
  });

  it("evicts those first that nobody has requested again", () => {
    const cache = new AnswerCache(10 * 1_500);
    const keys = Array.from({ length: 10 }, (_, i) => `/${i}`);
    for (const key of keys) keep(cache, key, 100);
    for (const key of keys.slice(0, 5)) cache.get(key);
    for (let i = 0; i < 5; i += 1) keep(cache, `/later/${i}`, 100);
    expect(keys.filter((key) => cache.get(key) !== undefined)).toEqual(keys.slice(0, 5));
  });

  it("does not remove answers that are read repeatedly when a client reads everything", () => {
    const cache = new AnswerCache(MB);
    const hot = Array.from({ length: 50 }, (_, i) => `/hot/${i}`);
    for (const key of hot) keep(cache, key, 14_000);
    for (let i = 0; i < 20_000; i += 1) cache.offer(`/cold/${i}`, anAnswer(aBody(100)));
    expect(hot.filter((key) => cache.get(key) === undefined)).toEqual([]);
  });

  it("is avoided by not caching an answer that returns after more others than fit", () => {
    const cache = new AnswerCache(100 * 1_450);
    const once = (key: string) => cache.offer(key, anAnswer(aBody(100)));
    once("/a");
    for (let other = 0; other < 90; other += 1) once(`/before-${other}`);
    once("/a");
    expect(cache.get("/a")).toBeDefined();
    once("/b");
    for (let other = 0; other < 110; other += 1) once(`/between-${other}`);
    once("/b");
    expect(cache.get("/b")).toBeUndefined();
    // What there is room for is kept at its second coming, however many come in turn.
    const all = new AnswerCache(2_000 * 1_450);
    for (let i = 0; i < 3_800; i += 1) all.offer(`/${i % 1_900}`, anAnswer(aBody(100)));
    const kept = Array.from({ length: 1_900 }, (_, i) => all.get(`/${i}`)).filter(Boolean);
    expect(kept.length).toBe(1_900);
  });
});
