import { describe, expect, it, onTestFinished } from "vitest";
import { addressOf } from "../../src/answer/address.js";
import { ERROR_TEXTS } from "../../src/contract/error.js";
import { ROUTES } from "../../src/contract/routes.js";
import { installedPages } from "../../src/extra.js";
import { CORE_ROUTES } from "../../src/pages/kit/routes.js";
import { serverPages } from "../../src/server/server-pages.js";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { aService, type Service, send, sharedService } from "../server/http.js";
import { readMetrics, valueNamed } from "../server/prometheus.js";

const PAGES = serverPages();
const keyOf = (target: string) => addressOf(target, PAGES).key;

describe("the cache key of an address has just the parts that its answer depends on", () => {
  it.each([
    ["/api/tags?u=1", "/api/tags"],
    ["/api/%74ags?%zz", "/api/tags"],
    ["http://other.example/api/standards", "/api/standards"],
    ["/.well-known/api-catalog?", "/.well-known/api-catalog"],
    ["/standards?q=x", "/standards"],
    ["/sites/a.com?u=1", "/sites/a.com"],
    ["/sites/a.com?u=1&scan=s1&v", "/sites/a.com?scan=s1"],
    ["/sites/a.com/badge.svg?scan=s1", "/sites/a.com/badge.svg"],
    ["/api/sites/a%2Ecom/report?", "/api/sites/a.com/report"],
    ["/api/sites?", "/api/sites"],
    ["/api/sites?page=1&sort=score&limit=24", "/api/sites"],
    ["/api/sites?limit=5&q=a+b&tag=b&tag=a&tag=b", "/api/sites?q=a%20b&tag=a&tag=b&limit=5"],
    ["/api/sites/facets?minScore=0&&q=%C3%A9", "/api/sites/facets?q=%C3%A9&minScore=0"],
    ["/api/sites/suggestions?q=%20ab+", "/api/sites/suggestions?q=ab"],
    ["/?u=1", "/?&"],
    ["/?u=1&page=2&q=a", "/?q=a&page=2"],
    ["/", "/"],
    ["/?", "/"],
  ])("%s: %s", (target, key) => {
    expect(keyOf(target)).toBe(key);
    expect(keyOf(key)).toBe(key);
  });

  it("an escaped slash never gives another address's key", () => {
    expect(keyOf("/sites/a.com%2Freport.md")).toBeNull();
    expect(keyOf("/api%2Ftags")).toBeNull();
    expect(keyOf("/assets/a%2Fb%2Fc.js")).toBeNull();
  });

  it.each(["/api/sites?limit=0", "/none", "/%", "*", "/healthz", "/a/b/c/d/e"])(
    "%s has no key: its answer is never cached",
    (target) => {
      expect(keyOf(target)).toBeNull();
    },
  );
});

describe("an address with escaped letters", () => {
  const paths = [...Object.values(ROUTES), ...CORE_ROUTES, ...installedPages()].map(
    ({ path }) => path,
  );
  const ALL_PAGES = serverPages(() => Promise.reject(new Error("none is drawn")));
  it.each(paths.filter((path) => path !== "/"))("is found, however long: %s", (path) => {
    const listed = path.startsWith("/sitemaps") || path.startsWith("/feeds");
    const file = listed ? "0.xml" : "report-00000000.css";
    const parameters = { folder: "01234567", outer: "pages", room: "kit", host: "example.com" };
    let named = /^\/(?:categories|matrix)/.test(path) ? "news--2" : file;
    if (/^\/(?:peers|trends)\//.test(path)) named = "news";
    if (path.startsWith("/figures/")) named = "news--scores.svg";
    if (path.startsWith("/tables")) named = "news--2.csv";
    if (path.startsWith("/charts/")) named = "sites.svg";
    if (path.startsWith("/changed/")) named = "last-risen";
    const names = path.includes("{room}") ? "tree.js" : named;
    const target = path.replace(
      /\{(\w+)\}/g,
      (_, name: string) => ({ ...parameters, name: names })[name] ?? names,
    );
    const escaped = target.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${hexOf(letter)}`);
    expect(escaped).not.toBe(target);
    expect(addressOf(escaped, ALL_PAGES)).toMatchObject({ key: addressOf(target, ALL_PAGES).key });
    expect(addressOf(escaped, ALL_PAGES).kind).not.toBe("none");
  });
});

describe("without pages", () => {
  it.each(["/", "/standards", "/sites/example.com", "/robots.txt", "/assets/report-00000000.css"])(
    "%s is an unknown address, and its query is not read",
    (target) => {
      expect(addressOf(target, null)).toEqual({
        kind: "none",
        failed: { status: 404, error: ERROR_TEXTS.noAddress },
        key: null,
      });
    },
  );
});

const hexOf = (letter: string) => letter.charCodeAt(0).toString(16);

async function hitsOf({ server }: Service): Promise<number> {
  const { text } = await send(server, "/metrics");
  return valueNamed(readMetrics(text), "crawldex_cache_hits_total") ?? 0;
}

describe("a query that an address ignores", () => {
  const scans = [aScan({ profile: { text: "p".repeat(3_000) } })];
  const files = aPublishedDirectory({ listings: [aListing()], scans });
  const service = sharedService(files, { metrics: true });

  it.each(["/standards", "/sites/example.com", "/api/tags", "/api/openapi.json", "/llms.txt", "/"])(
    "does not bypass the cache of %s, nor change its answer",
    async (path) => {
      const asked = async (query: string) => {
        const { status, text, headers } = await send(service.server, path + query);
        const { date: _, ...others } = headers;
        return { status, text, headers: others };
      };
      const earlier = await hitsOf(service);
      const first = await asked("?u=first");
      expect(first.status).toBe(200);
      await expect
        .poll(() => asked("?u=again").then(() => hitsOf(service)))
        .toBeGreaterThan(earlier);
      const before = await hitsOf(service);
      for (let u = 0; u < 10; u += 1) expect(await asked(`?u=${u}&%`)).toEqual(first);
      expect(await hitsOf(service)).toBe(before + 10);
    },
  );

  it("does not change with the order of the parameters, nor does the ETag", async () => {
    const service = await aService(files, onTestFinished, { metrics: true });
    const queries = [
      "limit=5&tag=a&tag=b&q=e",
      "q=e&tag=b&limit=5&tag=a&page=1",
      "tag=a&tag=b&tag=a&q=e&limit=5",
    ];
    const tags = new Set<unknown>();
    for (let time = 0; time < 3; time += 1) {
      for (const query of queries) {
        tags.add((await send(service.server, `/api/sites?${query}`)).headers.etag);
      }
    }
    expect(tags.size).toBe(1);
    expect(await hitsOf(service)).toBe(7);
  });
});
