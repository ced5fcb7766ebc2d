import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient } from "../../src/client/index.js";
import { answers, aScript, failureOf, gives } from "./scripted.js";

describe("the base address", () => {
  it.each([
    ["https://a.example", "https://a.example/api/tags"],
    ["https://a.example/public/directory", "https://a.example/public/directory/api/tags"],
    ["https://a.example/public/", "https://a.example/public/api/tags"],
  ])("%s leads to %s", async (baseUrl, url) => {
    const { client, sent } = aScript([gives(1)], { baseUrl });
    await client.tags();
    expect(sent[0]?.url).toBe(url);
  });

  it.each([
    "",
    "/api",
    "a.example",
    "ftp://a.example",
    "https://user@a.example",
    "https://a.example?key=1",
    "https://a.example/#top",
  ])("%j is not one: the client throws a TypeError before it reads anything", (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(TypeError);
  });
});

describe("the addresses of reads", () => {
  it("have their filters sorted by name, repeated ones in the given order, and no undefined ones", async () => {
    const { client, sent } = aScript([gives([]), gives([]), gives([]), gives([]), gives([])]);
    await client.sites();
    await client.sites({ tag: ["z", "a"], category: ["b"], q: "a b&c=+%ü", minScore: 0 });
    await client.facets({ q: undefined, band: [], status: "claimed" });
    await client.report("a.com", { scan: undefined });
    await client.report("a.com", { scan: "A_-1", timeoutMs: 5 });
    expect(sent.map(({ url }) => url.replace("https://api.example.org/api/sites", ""))).toEqual([
      "",
      "?category=b&minScore=0&q=a+b%26c%3D%2B%25%C3%BC&tag=z&tag=a",
      "/facets?status=claimed",
      "/a.com/report",
      "/a.com/report?scan=A_-1",
    ]);
  });

  it.each([
    ["a.com/../b", "a.com%2F..%2Fb"],
    ["$&{host}", "%24%26%7Bhost%7D"],
    ["%2e%2e", "%252e%252e"],
    ["bücher.example", "b%C3%BCcher.example"],
  ])("encode the host %s as one segment: %s", async (host, segment) => {
    const { client, sent } = aScript([gives(null)]);
    await client.enrichment(host);
    const url = `https://api.example.org/api/sites/${segment}/enrichment`;
    expect(sent[0]?.url).toBe(url);
    expect(new URL(url).href).toBe(url);
  });

  it.each(["", ".", "..", "\ud800"])(
    "are refused for the host %j, which would lead elsewhere: nothing is sent, and the error is like the API's",
    async (host) => {
      const { client, sent } = aScript([]);
      const error = await failureOf(client.report(host));
      expect(error).toMatchObject({ kind: "host", status: null });
      expect(error.issues).toEqual([{ path: "host", message: "must be a canonical host" }]);
      expect(sent).toEqual([]);
    },
  );
});

describe("fetch", () => {
  it("is called as a plain function, the given one and the global one", async () => {
    const called: unknown[] = [];
    async function anyFetch(this: unknown) {
      called.push(this);
      return Response.json({ data: [] });
    }
    const options = { baseUrl: "https://a.example" };
    const before = createClient(options);
    vi.stubGlobal("fetch", anyFetch);
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    await createClient({ ...options, fetch: anyFetch }).tags();
    await before.tags();
    expect(called).toEqual([undefined, undefined]);
  });
});

describe("errors", () => {
  it("of the network have fetch's error as their cause, and no status", async () => {
    const cause = new TypeError("fetch failed");
    const { client } = aScript([() => Promise.reject(cause)]);
    const error = await failureOf(client.standards());
    expect(error).toMatchObject({ kind: "network", status: null, issues: [], retryAfterMs: null });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe("No answer arrived (https://api.example.org/api/standards)");
  });

  it.each<[string, unknown]>([
    ["no JSON", "<html>"],
    ["no object", null],
    [
      "issues that are none",
      { error: 1, issues: [null, 1, { path: 1, message: "" }, { path: "a" }] },
    ],
  ])("with %s in their body still have their status", async (_, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { client } = aScript([async () => new Response(text, { status: 400 })]);
    const error = await failureOf(client.tags());
    expect(error).toMatchObject({ kind: "status", status: 400, issues: [] });
    expect(error.message).toContain("400: The answer is an error.");
  });

  it.each([
    ["no JSON", (c: ReturnType<typeof createClient>) => c.tags(), "<html>"],
    ["null", (c: ReturnType<typeof createClient>) => c.tags(), "null"],
    ["no data", (c: ReturnType<typeof createClient>) => c.sites(), '{"items":[]}'],
    ["no openapi", (c: ReturnType<typeof createClient>) => c.openapi(), '{"data":[]}'],
  ])("name an answer that is %s as not from this API", async (_, ask, text) => {
    const { client } = aScript([async () => new Response(text)]);
    expect(await failureOf(ask(client))).toMatchObject({ kind: "body", status: 200 });
  });

  it("do not arise from fields that the contract does not name: these are passed on", async () => {
    const { client } = aScript([answers({ data: [], more: 1 })]);
    expect(await client.categories()).toEqual({ data: [], more: 1 });
  });
});
