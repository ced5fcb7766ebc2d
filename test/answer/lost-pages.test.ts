import { describe, expect, it } from "vitest";
import { ERROR_TEXTS } from "../../src/contract/error.js";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { all, attributeOf, parsedPage, textOf } from "../pages/parsed.js";
import { expectError, send, sharedService } from "../server/http.js";

const HOSTS = ["example.com", "examples.org", "open.example", "locked.example"];
const service = sharedService(
  aPublishedDirectory({
    listings: HOSTS.map((host) => aListing({ host, name: host, category: "news" })),
    scans: HOSTS.flatMap((host) => [
      aScan({ host, id: "new" }),
      aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
    ]),
  }),
);

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const visit = (target: string) => send(service.server, target, { headers: BROWSER });

/** What an error page shows, with its links as a browser resolves them. */
async function shownAt(target: string) {
  const { status, text, headers } = await visit(target);
  const page = parsedPage(text);
  const links = all(page, "main").flatMap((main) => all(main, "a", "href"));
  const path = (address: string) => new URL(address, `http://host.example${target}`).pathname;
  const [box] = all(page, "input");
  const [form] = all(page, "form");
  return {
    status,
    headers,
    title: all(page, "h1").map(textOf).join(),
    error: all(page, "p", "class").map(textOf).join("\n"),
    links: links.map((link) => path(attributeOf(link, "href") ?? "")),
    sought: attributeOf(box!, "value"),
    action: path(attributeOf(form!, "action") ?? ""),
    files: all(page, "link", "href").map((link) => path(attributeOf(link, "href") ?? "")),
  };
}

describe("an unknown address in a browser", () => {
  it.each([
    ["/nowhere", "nowhere", []],
    ["/some-page", "some page", []],
    ["/an-open", "an open", ["/sites/open.example"]],
    ["/exmaple.com", "exmaple.com", ["/sites/example.com"]],
    ["/a/b/example.html?x=/y", "example", ["/sites/example.com", "/sites/examples.org"]],
    ["/categories/example", "example", ["/sites/example.com", "/sites/examples.org"]],
    ["/sitemaps/example.xml", "example", ["/sites/example.com", "/sites/examples.org"]],
    ["/assets/", "assets", []],
    ["//example", "example", ["/sites/example.com", "/sites/examples.org"]],
    ["/%ff/%zz", "", []],
  ])("%s is a page that searches for %j", async (target, text, nearest) => {
    const shown = await shownAt(target);
    expect([shown.status, shown.title, shown.sought]).toEqual([404, "No such page", text]);
    for (const path of nearest) expect(shown.links).toContain(path);
    expect(shown.links.slice(-1)).toEqual(["/"]);
    expect(shown.action).toBe("/");
    for (const path of shown.files) expect([path, (await visit(path)).status]).toEqual([path, 200]);
    expect(shown.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    });
    expectError(await send(service.server, target), 404);
  });

  it("is the API's error sixteen levels deep, because a page's links would repeat the way up", async () => {
    expect((await shownAt(`/${"a/".repeat(15)}b`)).status).toBe(404);
    expectError(await visit(`/${"a/".repeat(16)}b`), 404);
  });
});

describe("a report that cannot be shown to a browser", () => {
  it.each(["nosuch.example", "exa.example", "open-source-news.example", "xn--opn-0na.example"])(
    "at %s is no reason to name sites that are not like it",
    async (host) => {
      const shown = await shownAt(`/sites/${host}`);
      expect(shown.links.filter((link) => link.startsWith("/sites/"))).toEqual([]);
    },
  );

  it.each([
    ["/sites/exmaple.com", 404, ERROR_TEXTS.noReport, "exmaple.com", "/sites/example.com"],
    ["/sites/www.Exmaple.com", 404, ERROR_TEXTS.noReport, "exmaple.com", "/sites/example.com"],
    ["/sites/Example_com", 400, "canonical host", "Example com", "/sites/example.com"],
    [
      "/sites/open.example?scan=none",
      404,
      ERROR_TEXTS.noScan,
      "open.example",
      "/sites/open.example",
    ],
    [
      "/sites/open.example?scan=old",
      403,
      ERROR_TEXTS.noHistory,
      "open.example",
      "/sites/open.example",
    ],
  ])("%s: %d, with the way to the right one", async (target, status, error, text, way) => {
    const shown = await shownAt(target);
    expect([shown.status, shown.sought]).toEqual([status, text]);
    expect(shown.error).toContain(error);
    expect(shown.links).toContain(way);
  });

  it("is the error body where programs read: at files of a listing, and as Markdown", async () => {
    expectError(await visit("/sites/nowhere.example/report.md"), 404);
    expectError(await visit("/api/sites/nowhere.example/report"), 404);
    const headers = { accept: "text/markdown, text/html" };
    expectError(await send(service.server, "/sites/nowhere.example", { headers }), 404);
  });
});

describe("a pasted address of a site", () => {
  it.each([
    ["/sites/www.Open.example", "/sites/open.example"],
    ["/sites/https%3A%2F%2Fwww.open.example%2Fdocs%3Fx", "/sites/open.example"],
    ["/sites/https://www.open.example/docs?x=1", "/sites/open.example"],
    ["/sites/http:/open.example/", "/sites/open.example"],
    ["/sites/OPEN.example?scan=new", "/sites/open.example?scan=new"],
    ["/sites/www.open.example/report.md?scan=new", "/sites/open.example/report.md?scan=new"],
    ["/sites/www.open.example/badge.svg?label=a?b", "/sites/open.example/badge.svg?label=a?b"],
  ])("%s leads to its listing, whoever asks", async (target, expected) => {
    for (const headers of [BROWSER, { accept: "*/*" }]) {
      const reply = await send(service.server, target, { headers });
      const to = new URL(String(reply.headers.location), `http://host.example${target}`);
      expect([reply.status, to.pathname + to.search]).toEqual([308, expected]);
    }
    expect((await visit(expected)).status).toBe(200);
  });

  it("says how a site gets listed that is not, and remains wrong for programs and the API", async () => {
    const { title, error } = await shownAt("/sites/www.nowhere.example");
    expect(title).toBe("Not listed yet");
    expect(error).toContain("nowhere.example");
    const { text } = await visit("/sites/www.nowhere.example");
    expect(text).toContain("The publisher of this directory decides which sites it has.");
    expectError(await send(service.server, "/sites/www.nowhere.example"), 400);
    expectError(await send(service.server, "/api/sites/www.open.example/report"), 400);
    expectError(await send(service.server, "/sites/https://nowhere.example/"), 404);
    expect((await shownAt("/sites/https://www.exmaple.com/a")).sought).toBe("exmaple.com");
  });
});

describe("a slash at the end", () => {
  it.each([
    ..."/sites/open.example/ /sites/%6fpen.example/".split(" "),
    ..."/sites/open.example/?utm_source=a%20b /sites/open.example/report.md/".split(" "),
    ..."/standards/?q=https /categories/news/ /robots.txt/ /sitemaps/0.xml/".split(" "),
  ])("%s leads to the address without it, whoever asks", async (target) => {
    for (const headers of [BROWSER, { accept: "*/*" }]) {
      for (const method of ["GET", "HEAD"]) {
        const reply = await send(service.server, target, { method, headers });
        expect([reply.status, reply.text]).toEqual([308, ""]);
        const to = new URL(String(reply.headers.location), `http://host.example${target}`);
        expect(to.pathname + to.search).toBe(target.replace(/\/(?=\?|$)/, ""));
        expect((await visit(to.pathname + to.search)).status).toBe(200);
      }
    }
  });

  it("leads from /api/ to the page in a browser alone", async () => {
    const { status, headers } = await visit("/api/");
    expect([status, headers.location, headers.vary]).toEqual([
      308,
      "../api",
      "Accept, Accept-Encoding",
    ]);
    expectError(await send(service.server, "/api/"), 404);
  });

  it.each(["/sites/nowhere.example/", "/sites/open.example//", "//", "/nowhere/", "/api/tags/"])(
    "%s leads nowhere, because there is nothing without it",
    async (target) => {
      expectError(await send(service.server, target), 404);
      expect((await visit(target)).status).toBe(404);
    },
  );

  it("is an error to a method that reads nothing", async () => {
    expectError(await send(service.server, "/standards/", { method: "POST" }), 404);
  });
});
