import { describe, expect, it } from "vitest";
import { EtagCache } from "../../src/client/request.js";
import { answers, aScript, gives, pass, refuses, type Step } from "./scripted.js";

const unchanged = answers(null, {}, 304);

/** What each request of a script said it has. */
const asked = ({ sent }: ReturnType<typeof aScript>) =>
  sent.map(({ headers }) => headers["If-None-Match"]);

describe("conditional requests", () => {
  it("send an answer's ETag with the next request, and a 304 gives the cached body", async () => {
    const script = aScript([gives(["a"], '"1"'), unchanged, gives(["b"], 'W/"2"'), unchanged]);
    const bodies = [];
    for (let i = 0; i < 4; i += 1) bodies.push((await script.client.tags()).data);
    expect(bodies).toEqual([["a"], ["a"], ["b"], ["b"]]);
    expect(asked(script)).toEqual([undefined, '"1"', '"1"', 'W/"2"']);
  });

  it("keep addresses apart, but the order of filters does not matter", async () => {
    const steps = [gives([1], '"1"'), gives([2], '"2"'), unchanged, unchanged];
    const script = aScript(steps);
    await script.client.sites({ q: "a", page: 2 });
    await script.client.sites({ q: "a", page: 3 });
    expect((await script.client.sites({ page: 2, q: "a" })).data).toEqual([1]);
    expect((await script.client.sites({ page: 3, q: "a", band: undefined })).data).toEqual([2]);
    expect(asked(script)).toEqual([undefined, undefined, '"1"', '"2"']);
  });

  it.each<[string, Step, string | undefined]>([
    ["forget the cached answer after one without an ETag", gives(2), undefined],
    [
      "forget the cached answer after a 404: removed content does not stay in the cache",
      refuses(404),
      undefined,
    ],
    ["keep the cached answer after a 503, which says nothing about it", refuses(503), '"1"'],
    ["keep the cached answer after a 429, which says nothing about it", refuses(429), '"1"'],
    ["keep the cached answer after a 500", refuses(500), '"1"'],
    [
      "do not cache an answer that does not come from this API",
      answers({ no: 1 }, { ETag: '"x"' }),
      '"1"',
    ],
  ])("%s", async (_, step, then) => {
    const script = aScript([gives(1, '"1"'), step, gives(3)], { retries: 0 });
    await script.client.tags();
    await script.client.tags().catch(() => {});
    await script.client.tags();
    expect(asked(script)).toEqual([undefined, '"1"', then]);
  });

  it("give an answer at a 304 even if it was evicted during the request", async () => {
    let confirm = (_: Response) => {};
    const held: Step = () =>
      new Promise((resolve) => {
        confirm = resolve;
      });
    const script = aScript([gives(1, '"1"'), held, gives(2, '"2"')], { cacheEntries: 1 });
    await script.client.tags();
    const again = script.client.tags();
    await script.client.categories();
    confirm(new Response(null, { status: 304 }));
    expect((await again).data).toBe(1);
  });

  it("are not sent without a cache, nor is a header that another origin must allow", async () => {
    const script = aScript([gives(1, '"1"'), gives(1, '"1"')], { cacheEntries: 0 });
    await script.client.tags();
    await script.client.tags();
    expect(script.sent.map(({ headers }) => headers)).toStrictEqual([
      { Accept: "application/json" },
      { Accept: "application/json" },
    ]);
  });

  it("include retries", async () => {
    const script = aScript([gives(1, '"1"'), refuses(503), unchanged]);
    await script.client.tags();
    const again = script.client.tags();
    await pass(1000);
    expect((await again).data).toBe(1);
    expect(asked(script)).toEqual([undefined, '"1"', '"1"']);
  });
});

describe("the cache's limits", () => {
  const kept = (cache: EtagCache, urls: string) =>
    [...urls].filter((url) => cache.get(url) !== undefined).join("");

  it("count the bytes of address, tag and text, two per character, and subtract dropped entries", () => {
    const cache = new EtagCache(100, 20);
    cache.set("a", { etag: "e", text: "123" });
    cache.set("b", { etag: "e", text: "123" });
    expect(kept(cache, "ab")).toBe("ab");
    for (let i = 0; i < 50; i += 1) cache.set("b", { etag: "e", text: "123" });
    expect(kept(cache, "ab")).toBe("ab");
    cache.set("b", { etag: "e", text: "1234" });
    expect(kept(cache, "ab")).toBe("b");
    cache.delete("b");
    cache.set("c", { etag: "", text: "123456789" });
    expect(kept(cache, "abc")).toBe("c");
    cache.set("d", { etag: "e", text: "123" });
    expect(kept(cache, "cd")).toBe("d");
  });

  it("leave out an answer larger than the cache, and drop the one that it replaces, but no other", () => {
    const cache = new EtagCache(100, 20);
    cache.set("a", { etag: "", text: "1" });
    cache.set("b", { etag: "", text: "1" });
    cache.set("a", { etag: "", text: "1234567890" });
    expect(kept(cache, "ab")).toBe("b");
  });

  it("are 100 answers and four million bytes by default", async () => {
    const pages = Array.from({ length: 101 }, (_, i) => i + 1);
    const many = aScript([...pages.map((page) => gives([], `"${page}"`)), unchanged, gives([])]);
    for (const page of [...pages, 2, 1]) await many.client.sites({ page });
    expect(asked(many).slice(101)).toEqual(['"2"', undefined]);
    for (const [characters, etag] of [
      [1_999_900, '"1"'],
      [2_000_000, undefined],
    ] as const) {
      const large = aScript([gives("x".repeat(characters), '"1"'), unchanged]);
      await large.client.tags();
      await large.client.tags().catch(() => {});
      expect(asked(large)[1]).toBe(etag);
    }
  });
});
