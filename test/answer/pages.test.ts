import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { STYLES } from "#scripts/names";
import { ASSETS } from "#scripts/texts";
import { ERROR_TEXTS } from "../../src/contract/error.js";
import type { Report } from "../../src/contract/report.js";
import { downloadsOf, installedExtras, pageRoutes } from "../../src/extra.js";
import { reportMarkdown } from "../../src/pages/report/report-markdown.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { aListing, aPublishedDirectory, aScan, theStandards } from "../fixtures.js";
import { all, attributeOf, parsedPage, textOf } from "../pages/parsed.js";
import {
  aService,
  expectError,
  issuePaths,
  type Reply,
  type Sent,
  send,
  sharedService,
} from "../server/http.js";

const history = { entitlements: { history: true } };
const files = aPublishedDirectory({
  listings: [
    aListing({ host: "open.example", ...history }),
    aListing({ host: "locked.example" }),
    aListing({ host: "blocked.example", visibility: "blocked" }),
    aListing({ host: "failed.example" }),
    aListing({ host: "removed.example", visibility: "removed" }),
  ],
  scans: ["open", "locked", "blocked", "failed", "removed"].flatMap((name) => [
    aScan({
      host: `${name}.example`,
      id: "new",
      ...(name === "failed" && { status: "failed", score: null }),
    }),
    aScan({ host: `${name}.example`, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
  ]),
});
const context = {
  pages: pageRoutes(),
  name: "A directory",
  baseUrl: "https://api.directory.example",
  siteUrl: "https://directory.example",
  rubric: theStandards().rubric,
  checkIds: theStandards().checks.map(({ id }) => id),
  achievements: [],
  overviews: {},
};

const service = sharedService(files);

const get = (target: string, sent?: Sent): Promise<Reply> => send(service.server, target, sent);
const accept = (type: string): Sent => ({ headers: { accept: type } });
const reportAt = async (target: string) =>
  (JSON.parse((await get(`/api${target}`)).text) as { data: Report }).data;

const PAGE = "/sites/open.example";
const TWIN = `${PAGE}/report.md`;
const DIRECTORY = "public, max-age=0, s-maxage=60, must-revalidate";
const OTHERS: Record<string, [string, string]> = {
  [`${PAGE}/badge.svg`]: ["image/svg+xml", DIRECTORY],
  [`${PAGE}/fix.md`]: ["text/markdown; charset=utf-8", DIRECTORY],
  "/robots.txt": ["text/plain; charset=utf-8", "public, max-age=60"],
  "/llms.txt": ["text/plain; charset=utf-8", "public, max-age=60"],
  "/sitemap.xml": ["application/xml; charset=utf-8", DIRECTORY],
  "/favicon.ico": ["image/x-icon", "public, max-age=86400"],
  "/apple-touch-icon.png": ["image/png", "public, max-age=86400"],
  "/feed.xml": ["application/atom+xml; charset=utf-8", DIRECTORY],
  "/feed.json": ["application/feed+json", DIRECTORY],
  "/sitemaps/0.xml": ["application/xml; charset=utf-8", DIRECTORY],
  "/figures.json": ["application/json", DIRECTORY],
};
const everything = [PAGE, TWIN, ...Object.keys(OTHERS), `/assets/${STYLES.pages.name}`];

describe("report pages over HTTP", () => {
  it("show the report that the API gives, latest and historical, and the directory around it", async () => {
    const { data } = JSON.parse((await get("/api/sites?q=open.example")).text);
    const figures = JSON.parse((await get("/figures.json")).text);
    const around = { listing: data[0], figures, hasTarget: false };
    for (const scan of ["", "?scan=old", "?scan=new"]) {
      const report = await reportAt(`${PAGE}/report${scan}`);
      const page = reportPage(report, context, undefined, around);
      expect((await get(PAGE + scan)).text).toBe(page);
      expect((await get(TWIN + scan)).text).toBe(reportMarkdown(report, context));
    }
  });

  it("allow only their own files to run or load, and name their other formats", async () => {
    const { headers, status } = await get(PAGE);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": DIRECTORY,
      vary: "Accept, Accept-Encoding",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-content-type-options": "nosniff",
      link:
        '<open.example/report.md>; rel="alternate"; type="text/markdown", ' +
        '<../api/sites/open.example/report>; rel="alternate"; type="application/json"',
    });
    expect(headers["x-robots-tag"]).toBeUndefined();
    const twin = await get(TWIN);
    expect(twin.headers).toMatchObject({
      "content-type": "text/markdown; charset=utf-8",
      vary: "Accept-Encoding",
      link:
        '<../open.example>; rel="canonical", <../../api/sites/open.example/report>; rel="alternate"; ' +
        'type="application/json"',
    });
  });

  it("load existing files, which may be cached for ever and have their media types", async () => {
    const page = parsedPage((await get(PAGE)).text);
    const [style] = all(page, "link").filter((link) => attributeOf(link, "rel") === "stylesheet");
    expect(attributeOf(style!, "href")).toBe(`../assets/${STYLES.pages.name}`);
    for (const { name, type, text } of ASSETS) {
      const reply = await get(`/assets/${name}`);
      expect([reply.status, reply.text]).toEqual([200, text]);
      expect(reply.headers).toMatchObject({
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
      });
    }
    expectError(await get("/assets/report-00000000.css"), 404);
    expectError(await get("/assets/__proto__"), 404);
  });

  it("are Markdown on request, with an ETag of its own and the same Vary", async () => {
    const page = await get(PAGE);
    const twin = await get(PAGE, accept("text/markdown, text/html;q=0.5"));
    expect(twin.text).toBe((await get(TWIN)).text);
    expect(twin.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(twin.headers.vary).toBe("Accept, Accept-Encoding");
    // A cache that ignores Vary would hand an agent's Markdown to browsers. At its own address, caches may keep it.
    const same = await get(PAGE, {
      headers: { accept: "text/markdown", "if-none-match": twin.headers.etag ?? "" },
    });
    expect(same.status).toBe(304);
    for (const { headers } of [twin, same])
      expect(headers["cache-control"]).toBe("private, max-age=0, must-revalidate");
    expect((await get(TWIN)).headers["cache-control"]).toBe(DIRECTORY);
    expect((await get(PAGE)).headers["cache-control"]).toBe(DIRECTORY);
    expect(twin.headers.etag).not.toBe(page.headers.etag);
    // Asked for again and again, in turn, each gets its own though answers are kept.
    for (let round = 0; round < 3; round += 1) {
      expect((await get(PAGE, accept("text/html"))).text).toBe(page.text);
      expect((await get(PAGE, accept("text/markdown"))).text).toBe(twin.text);
    }
    expect((await get(TWIN, accept("text/html"))).text).toBe(twin.text);
  });

  it("are not indexed if the report is not, or if there is a query", async () => {
    const hidden = [
      `${PAGE}?scan=old`,
      `${PAGE}?scan=new`,
      "/sites/blocked.example",
      "/sites/failed.example",
    ];
    for (const target of hidden) {
      expect([target, (await get(target)).headers["x-robots-tag"]]).toEqual([target, "noindex"]);
      const twin = target.replace(/(?=\?|$)/, "/report.md");
      expect([twin, (await get(twin)).headers["x-robots-tag"]]).toEqual([twin, "noindex"]);
    }
    expect((await get(TWIN)).headers["x-robots-tag"]).toBeUndefined();
    const old = await get(`${PAGE}?scan=old`);
    expect(old.headers.link).toContain("<open.example/report.md?scan=old>");
  });

  it("refuse what the API refuses, with its errors", async () => {
    expectError(await get("/sites/removed.example"), 404);
    expectError(await get("/sites/nowhere.example/report.md"), 404);
    expectError(await get(`${PAGE}?scan=none`), 404);
    expectError(await get("/sites/locked.example?scan=old"), 403);
    expectError(await get("/sites/locked.example/report.md?scan=old"), 403);
    for (const target of [
      "/sites/WWW.example",
      "/sites/www.nowhere.example/report.md",
      "/sites/a_b.com/badge.svg",
    ]) {
      expect(issuePaths(expectError(await get(target), 400))).toEqual(["host"]);
    }
    for (const query of ["scan=", "scan=a.b", "scan=new&scan=old"]) {
      expect(issuePaths(expectError(await get(`${PAGE}?${query}`), 400))).toEqual(["scan"]);
    }
    for (const target of [
      "/sites",
      "/sites/",
      `${PAGE}//`,
      `${PAGE}/report`,
      "/sitemaps/1.xml",
      "/sitemaps/0-2.xml",
      "/assets/",
    ]) {
      const reply = await get(target);
      expect([target, reply.status]).toEqual([target, target === "/sites/" ? 400 : 404]);
    }
  });
});

describe("files for the pages", () => {
  it.each(Object.entries(OTHERS))(
    "%s has its media type, its lifetime, and a policy that allows nothing",
    async (target, [type, lifetime]) => {
      const { headers, status } = await get(target);
      expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
        200,
        type,
        lifetime,
      ]);
      expect(headers["content-security-policy"]).toBe(
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      );
    },
  );

  it("sitemaps list just the pages that search engines may show", async () => {
    const { text: index } = await get("/sitemap.xml");
    expect(index).toContain("<loc>https://directory.example/sitemaps/0.xml</loc>");
    const { text } = await get("/sitemaps/0.xml");
    const listed = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
    for (const page of ["/", "/standards", "/feeds"])
      expect(listed).toContain(`https://directory.example${page}`);
    expect(listed).toEqual([
      ...pageRoutes()
        .filter(({ isInSitemap, path }) => isInSitemap && !path.includes("{"))
        .map(({ path }) => `https://directory.example${path}`),
      ...downloadsOf(installedExtras()).map(({ index }) => `https://directory.example/${index}`),
      ...theStandards().checks.map(({ id }) => `https://directory.example/checks/${id}`),
      "https://directory.example/sites/locked.example",
      "https://directory.example/sites/open.example",
    ]);
    for (const page of ["/", "/standards"]) {
      const { headers, text: markup } = await get(page);
      expect(JSON.stringify(headers) + markup).not.toContain("noindex");
      expect(markup).toContain(`rel="canonical" href="https://directory.example${page}"`);
    }
  });
});

describe("badges over HTTP", () => {
  it("give a badge the look that its address asks for, and ignore what no badge has", async () => {
    const badge = `${PAGE}/badge.svg`;
    const plain = await get(badge);
    const square = await get(`${badge}?style=flat-square&label=AI%20%3Cok%3E`);
    expect(square.text).toContain('aria-label="AI &lt;ok&gt;: 60 of 100');
    expect(square.text).toContain('rx="0"');
    expect(square.headers.etag).not.toBe(plain.headers.etag);
    const swapped = await get(`${badge}?utm_source=x&label=AI+<ok>&style=flat-square`);
    expect(swapped.headers.etag).toBe(square.headers.etag);
    for (const other of [
      "style=huge",
      `label=${"x".repeat(41)}`,
      "label=%20",
      "label=a&label=b",
      "label=%E0%80",
    ]) {
      const { status, text } = await get(`${badge}?${other}`);
      expect([other, status, text === plain.text]).toEqual([other, 200, other !== "label=%E0%80"]);
    }
  });

  it(
    "say that a site is not listed if it is unknown or removed, or in another spelling, with the " +
      "look that was asked for",
    async () => {
      for (const host of ["nowhere.example", "removed.example", "www.nowhere.example"]) {
        const missing = await get(`/sites/${host}/badge.svg?label=AI`);
        expect([host, missing.status]).toEqual([host, 404]);
        expect(missing.headers).toMatchObject({
          "content-type": "image/svg+xml",
          "cache-control": "no-store",
          "access-control-allow-origin": "*",
          "x-content-type-options": "nosniff",
        });
        expect(missing.headers.etag).toBeUndefined();
        expect(missing.text).toContain('aria-label="AI: not listed"');
      }
      const head = await get("/sites/nowhere.example/badge.svg", { method: "HEAD" });
      expect([head.status, head.text]).toEqual([404, ""]);
      expectError(await get("/sites/nowhere.example/fix.md"), 404);
    },
  );

  it("never show a historical score in a badge, only the latest one", async () => {
    const badge = await get(`${PAGE}/badge.svg?scan=old`);
    expect(badge.text).toContain("60 of 100");
    expect((await get("/sites/blocked.example/badge.svg")).text).toContain("no score");
  });
});

describe("every address outside the API", () => {
  it.each(everything)(
    "%s: HEAD is GET without a body, a conditional read gives a 304, other methods a 405",
    async (target) => {
      const got = await get(target);
      const head = await get(target, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
      expect({ ...head.headers, date: "" }).toEqual({ ...got.headers, date: "" });
      const etag = String(got.headers.etag);
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      for (let round = 0; round < 3; round += 1) {
        const same = await get(target, { headers: { "if-none-match": etag } });
        expect([same.status, same.text, same.headers.vary]).toEqual([304, "", got.headers.vary]);
        expect(same.headers["content-security-policy"]).toBe(
          got.headers["content-security-policy"],
        );
      }
      const refused = await get(target, { method: "POST" });
      expectError(refused, 405);
      expect((await get(target, { method: "OPTIONS" })).status).toBe(204);
    },
  );

  it("is compressed on request if it is over 1 kB", async () => {
    const headers = { "accept-encoding": "br" };
    for (const target of [PAGE, `/assets/${STYLES.pages.name}`]) {
      const packed = await get(target, { headers });
      expect(packed.headers["content-encoding"]).toBe("br");
      expect(brotliDecompressSync(packed.bytes).toString("utf8")).toBe((await get(target)).text);
    }
    expect((await get("/robots.txt", { headers })).headers["content-encoding"]).toBeUndefined();
  });

  it("is a 503 while nothing is loaded", async () => {
    const empty = await aService(null);
    for (const target of everything) expectError(await send(empty.server, target), 503);
    const page = await send(empty.server, "/sites/open.example", accept("text/html"));
    expect([page.status, page.headers["retry-after"]]).toEqual([503, "2"]);
    expect(textOf(parsedPage(page.text))).toContain(ERROR_TEXTS.notLoaded);
    expect(all(parsedPage(page.text), "form")).toHaveLength(1);
  });
});
