import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { aService, expectError, type Reply, type Sent, send, sharedService } from "./http.js";

const long = "A tagline that makes the answer long enough to be compressed. ".repeat(30);
const files = aPublishedDirectory({ listings: [aListing({ tagline: long, description: long })] });

const service = sharedService(files);

const get = (target: string, sent?: Sent): Promise<Reply> => send(service.server, target, sent);

const REPORT = "/api/sites/example.com/report";
const READS: Record<string, string> = {
  "/api/sites": "public, max-age=0, s-maxage=60, must-revalidate",
  "/api/sites/suggestions?q=example": "public, max-age=0, s-maxage=60, must-revalidate",
  "/api/sites/facets": "public, max-age=0, s-maxage=60, must-revalidate",
  [REPORT]: "public, max-age=0, s-maxage=60, must-revalidate",
  "/api/sites/example.com/enrichment": "no-cache",
  "/api/standards": "public, max-age=60",
  "/api/categories": "public, max-age=60",
  "/api/tags": "public, max-age=60",
  "/api/openapi.json": "public, max-age=60",
  "/.well-known/api-catalog": "public, max-age=60",
};
const reads = Object.entries(READS);

const methods = [
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "TRACE",
  "PROPFIND",
  "SEARCH",
  "QUERY",
  "PURGE",
  "LOCK",
  "REPORT",
  "M-SEARCH",
];

/** Other methods are a 405 that names those that there are. */
async function expectReadOnly(target: string): Promise<void> {
  for (const method of methods) {
    const reply = await get(target, { method });
    expectError(reply, 405);
    expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
  }
}

describe("every read", () => {
  it.each(reads)("%s: %s, a strong ETag, Vary, CORS, nosniff", async (target, cacheControl) => {
    const { headers } = await get(target);
    expect(headers).toMatchObject({
      "cache-control": cacheControl,
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      vary: "Accept-Encoding",
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "ETag, Link, Repr-Digest, Retry-After, X-Crawldex-Generation",
      "x-content-type-options": "nosniff",
    });
    expect(headers["accept-ranges"]).toBeUndefined();
    // It links to its description.
    expect(headers.link).toMatch(/rel="(?:describedby|api-catalog)"/);
    for (const [, link = ""] of String(headers.link).matchAll(/<(.*?)>/g)) {
      const { origin, pathname } = new URL(link, `https://api.example${target}`);
      if (origin === "https://api.example") expect((await get(pathname)).status).toBe(200);
    }
    await expectReadOnly(target);
    // The answer to the preflight is kept a day.
    const preflight = await get(target, { method: "OPTIONS" });
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "Accept, If-None-Match",
      "access-control-max-age": "86400",
    });
  });

  it("the catalogue names itself in a Link header, even for HEAD (RFC 9727)", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { headers } = await get("/.well-known/api-catalog", { method });
      expect(headers.link).toMatch(/rel="?api-catalog"?/);
      expect(headers["content-type"]).toMatch(/^application\/linkset\+json/);
    }
  });

  it("a report links to itself as Markdown, also to that of an older scan", async () => {
    for (const scan of ["", "?scan=scan_1"]) {
      const { headers } = await get(REPORT + scan);
      const [, link = ""] = /<([^>]*)>; rel="alternate"/.exec(String(headers.link)) ?? [];
      const { pathname, search } = new URL(link, `https://api.example${REPORT}`);
      expect(pathname + search).toBe(`/sites/example.com/report.md${scan}`);
      const markdown = await get(pathname + search);
      expect(markdown.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    }
  });
});

describe("Repr-Digest (RFC 9530)", () => {
  const stored = [REPORT, "/api/sites/example.com/enrichment", "/api/standards"];

  it.each(stored)(
    "%s states the sha256 of its bytes, unless these are compressed",
    async (target) => {
      const { headers, bytes } = await get(target);
      const digest = createHash("sha256").update(bytes).digest("base64");
      expect(headers["repr-digest"]).toBe(`sha-256=:${digest}:`);
      // The same from the cache of answers.
      for (let times = 0; times < 2; times += 1)
        expect((await get(target)).headers["repr-digest"]).toBe(headers["repr-digest"]);
      const unchanged = await get(target, { headers: { "if-none-match": headers.etag! } });
      expect([unchanged.status, unchanged.headers["repr-digest"]]).toEqual([304, undefined]);
      const compressed = await get(target, { headers: { "accept-encoding": "br" } });
      const isCompressed = compressed.headers["content-encoding"] === "br";
      expect(compressed.headers["repr-digest"] === undefined).toBe(isCompressed);
    },
  );

  it("no computed answer has one", async () => {
    for (const target of ["/api/sites", "/api/sites/facets"])
      expect((await get(target)).headers["repr-digest"]).toBeUndefined();
  });
});

describe("other addresses", () => {
  it.each(["/healthz", "/readyz"])("%s is read-only", expectReadOnly);

  it("an unknown address is unknown for every method", async () => {
    for (const method of ["GET", "OPTIONS", ...methods]) {
      expectError(await get("/nowhere", { method }), 404);
    }
  });

  it.each(["/nowhere", "/api/sites?x=1", "/api/sites/unknown.com/report", "/healthz", "/readyz"])(
    "HEAD %s has the headers of GET and no body",
    async (target) => {
      const got = await get(target);
      const head = await get(target, { method: "HEAD" });
      expect(head.bytes.length).toBe(0);
      expect([head.status, { ...head.headers, date: "" }]).toEqual([
        got.status,
        { ...got.headers, date: "" },
      ]);
    },
  );
});

describe("ETags", () => {
  it(
    "the ETag of a computed answer changes with the query; that of a stored answer survives a " +
      "rebuild that did not change it",
    async () => {
      const own = await aService(files);
      const tagOf = async (target: string) => (await send(own.server, target)).headers.etag;
      const search = await tagOf("/api/sites");
      expect(await tagOf("/api/sites?limit=1")).not.toBe(search);
      const report = await tagOf(REPORT);
      const standards = await tagOf("/api/standards");
      const other = aListing({ host: "other.com" });
      const id = await own.publish({
        ...files,
        listings: [...files.listings, other],
        scans: [...files.scans, aScan({ host: "other.com" })],
      });
      await expect
        .poll(async () => (await send(own.server, "/readyz")).text, { timeout: 20_000 })
        .toContain(id);
      expect(await tagOf("/api/sites")).not.toBe(search);
      expect(await tagOf(REPORT)).toBe(report);
      expect(await tagOf("/api/standards")).toBe(standards);
    },
  );
});
