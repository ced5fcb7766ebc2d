import { describe, expect, it } from "vitest";
import { makeHandler } from "../../src/fetch/handler.js";
import { serverPages } from "../../src/server/server-pages.js";
import { folderStore } from "../../src/store/folder-source.js";
import { afterRenames, isOffered, neverRenamed } from "../renamed.js";
import { send, sharedService } from "../server/http.js";

const renamed = sharedService(afterRenames());
const plain = sharedService(neverRenamed());

const browser = { headers: { accept: "text/html" } };
const get = (target: string) => send(renamed.server, target, browser);

/** Queries with former slugs, and what they mean. */
const QUERIES: readonly (readonly [string, string])[] = [
  ["category=news", "category=latest-news"],
  ["category=news&category=weather", "category=latest-news&category=weather"],
  ["category=news&category=latest-news", "category=latest-news"],
  ["tag=zeta", "tag=letters"],
  ["tag=first&tag=zeta&tag=alpha", "tag=letters&tag=alpha"],
  ["platform=wordpress&status=unclaimed", "platform=word-press&status=unclaimed"],
  ["capability=mcp", "capability=model-context"],
  ["capability=mcp&capability=sitemap", "capability=model-context&capability=site-map"],
  ["category=news&q=b&sort=host", "category=latest-news&q=b&sort=host"],
];

describe("a term that was renamed", () => {
  it("is found by its former slug, byte for byte as by the present one", async () => {
    for (const [was, now] of QUERIES) {
      for (const read of ["sites", "sites/facets"]) {
        if (read !== "sites" && was.includes("sort")) continue;
        const former = await get(`/api/${read}?${was}`);
        const present = await get(`/api/${read}?${now}`);
        const expected = await send(plain.server, `/api/${read}?${now}`, browser);
        expect([was, former.status, former.text]).toEqual([was, 200, expected.text]);
        expect([was, former.headers.etag]).toEqual([was, present.headers.etag]);
        expect(present.text).toBe(expected.text);
      }
    }
    expect((await get("/api/sites?category=news")).text).toContain('"a.example"');
  });

  it("is found by neither slug if it is inactive", async () => {
    for (const slug of ["closed", "retired"]) {
      const { data } = JSON.parse((await get(`/api/sites?category=${slug}`)).text);
      expect([slug, data]).toEqual([slug, []]);
    }
  });

  it("is served under its present slug alone, whatever the records say", async () => {
    const reports = ["a", "d"].flatMap((name) =>
      ["", "?scan=2025"].map((query) => `sites/${name}.example/report${query}`),
    );
    for (const read of ["standards", "categories", "tags", "sites?limit=9", ...reports]) {
      const { text } = await get(`/api/${read}`);
      expect(text).toBe((await send(plain.server, `/api/${read}`, browser)).text);
      expect(text).not.toMatch(/"formerly"|"(?:news|zeta|first|wordpress|mcp|sitemap)"/);
    }
  });

  it("is the same in feeds of searches, in lists of hosts and in trends", async () => {
    const addresses = (slug: string, check: string) => [
      `/search-feed.xml?category=${slug}&capability=${check}`,
      `/search-feed.json?category=${slug}`,
      `/api/dump/category-${slug}.txt`,
      `/api/dump/capability-${check}.txt`,
      `/api/trends?category=${slug}&check=${check}`,
    ];
    const present = addresses("latest-news", "site-map");
    for (const [at, was] of addresses("news", "sitemap").entries()) {
      if (!isOffered(was)) continue;
      const { status, text } = await get(was);
      expect([was, status, text]).toEqual([was, 200, (await get(present[at] ?? "")).text]);
    }
    if (!isOffered("/api/dump/")) return;
    expect((await get("/api/dump/category-news.txt")).text).toBe("a.example\nb.example\n");
  });

  it("redirects from each of its former pages, with the query", async () => {
    const moved = [
      ["/categories/news", "latest-news"],
      ["/categories/news?from=mail&x=%20", "latest-news?from=mail&x=%20"],
      ["/matrix/news?fails=mcp&sort=host", "latest-news?fails=model-context&sort=host"],
      ["/matrix/weather?sort=sitemap&y=1", "weather?sort=site-map&y=1"],
      ["/trends/news", "latest-news"],
      ["/tables/news.csv", "latest-news.csv"],
      ["/figures/news--checks.svg", "latest-news--checks.svg"],
      ["/feeds/news.xml", "latest-news.xml"],
      ["/feeds/news.json", "latest-news.json"],
      ["/checks/mcp", "model-context"],
      ["/categories/scores", "weather"],
      ["/?category=news", "./?category=latest-news"],
      [
        "/?q=a+b&tag=zeta&capability=mcp&utm=1",
        "./?q=a+b&tag=letters&capability=model-context&utm=1",
      ],
    ] as const;
    for (const [was, now] of moved.filter(([address]) => isOffered(address))) {
      const { status, headers } = await get(was);
      expect([was, status, headers.location]).toEqual([was, 308, now]);
      const { pathname, search } = new URL(now, `http://x${was}`);
      const target = await get(pathname + search);
      expect([was, target.status]).toEqual([was, 200]);
      const same = await send(plain.server, pathname + search, browser);
      expect([was, target.text]).toEqual([was, same.text]);
    }
  });

  it("does not redirect where there is nothing, or where a page has a former slug's name", async () => {
    const lost = [
      "/categories/news--2",
      "/categories/closed",
      "/figures/x--checks.svg",
      "/checks/zeta",
    ];
    for (const address of lost) {
      expect([address, (await get(address)).status]).toEqual([address, 404]);
    }
    const pages = ["/?q=news", "/?category=weather", "/figures/scores.svg"];
    for (const address of pages.filter(isOffered)) {
      expect([address, (await get(address)).status]).toEqual([address, 200]);
    }
  });

  it("keeps the anchor of its check on the methodology page", async () => {
    const { text } = await get("/standards");
    expect(text).toContain('<span id="check-mcp"></span>');
    expect(text).toContain('id="check-model-context"');
  });

  it("is found and redirects at an edge, too", async () => {
    const handler = await makeHandler({ store: folderStore(renamed.store) }, serverPages());
    const answered = async (target: string) =>
      handler(new Request(`https://edge.example${target}`));
    const former = await answered("/api/sites?category=news&capability=mcp");
    const text = await former.text();
    expect(text).toBe((await get("/api/sites?category=latest-news&capability=model-context")).text);
    expect(text).toContain('"b.example"');
    const { status, headers } = await answered("/categories/news?x=1");
    expect([status, headers.get("location")]).toEqual([308, "latest-news?x=1"]);
  });
});
