import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf, fileHeaders } from "../../src/export/headers.js";
import type { RunningServer } from "../../src/server/server.js";
import { type Browser, type Page, watched, withPage } from "../browser/browsers.js";
import { brokenLinks } from "../export/crawl.js";
import { send } from "../server/http.js";
import { treeOf } from "../store/trees.js";
import { aDirectory, type Directory, startBrowser, treeFor } from "./directory.js";
import {
  type HostCase,
  needed,
  PLAIN_HOSTS,
  placed,
  RULED_HOSTS,
  type Started,
  startHost,
} from "./hosts.js";

/*
 * What readers meet on each host: links, styles, types, and what the browser's console says. `HOSTS_RUN=ci`: each host
 * either at its root or below a path, the other on the next day.
 */

const BELOW = "/directory/";
const directories = new Map<string, Directory>();
let browser: Browser | null = null;
beforeAll(async () => {
  for (const base of ["/", BELOW]) directories.set(base, await aDirectory(base));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const directory of directories.values()) await directory.close();
});

/** The directory that is published below a path. */
function publishedAt(base: string): Directory {
  const directory = directories.get(base);
  if (directory === undefined) throw new Error(`no directory is at ${base}`);
  return directory;
}

const places: readonly { readonly host: HostCase; readonly base: string; readonly name: string }[] =
  [
    ...PLAIN_HOSTS.flatMap((host) => [
      { host, base: "/", name: host.name },
      { host, base: BELOW, name: `${host.name}, below a path` },
    ]),
    ...RULED_HOSTS.flatMap((host) => [
      { host, base: "/", name: `${host.name} with its rules` },
      { host, base: BELOW, name: `${host.name} with its rules, below a path` },
    ]),
  ];

const DAY = Math.floor(Date.now() / 86_400_000);
const visited = places.filter(
  (_, at) => process.env.HOSTS_RUN !== "ci" || (Math.floor(at / 2) + at + DAY) % 2 === 0,
);

/** Types that a browser needs, or a program expects, of a file under its own name. */
const TYPES: Readonly<Record<string, RegExp>> = {
  ".html": /^text\/html/,
  ".css": /^text\/css/,
  ".js": /^(?:text|application)\/javascript/,
  ".svg": /^image\/svg\+xml/,
  ".json": /^application\/json/,
  ".xml": /^(?:text|application)\/xml/,
  ".txt": /^text\/plain/,
};

/** What a host may say of a file's type. @param isPlain whether its rules say nothing of the file */
function typeForm(path: string, type: string, isPlain: boolean): RegExp {
  // Some servers call all XML `text/xml`, which readers of sitemaps and feeds take as well.
  if (isPlain || type.startsWith("application/xml")) return TYPES[extname(path)] ?? /^$/;
  return new RegExp(`^${type.replace(/;.*/, "").replace("+", "[+]")}(?:;|$)`);
}

describe.each(visited)("$name", ({ host, base }) => {
  let started: Started | undefined;
  let tree = "";
  beforeAll(async () => {
    const { site } = publishedAt(base);
    tree = await treeFor(host.for, site.store, site.folder);
    started = await startHost(host, await placed(tree, base));
    if (!("missing" in started)) publishedAt(base).finally(started.stop);
  });

  it("every link, and every canonical address, is a 200", async (context) => {
    const { host: name, port } = needed(context, started);
    const below = base.replace(/\/$/, "");
    const { broken, count } = await brokenLinks(
      tree,
      `http://${name}:${port}${below}`,
      `https://x.example${below}`,
    );
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(110);
  });

  it.runIf(host.for === "plain")("every file is there under its own name", async (context) => {
    const server = needed(context, started);
    // Only GitHub Pages looks for ".nojekyll", and not every server shows such a file.
    for (const path of Object.keys(await treeOf(tree)).filter((one) => one !== ".nojekyll")) {
      const { status, bytes, headers } = await send(server, base + path);
      if (status === 301 || status === 302) continue;
      expect([path, status]).toEqual([path, 200]);
      expect([path, bytes.equals(await readFile(join(tree, path)))]).toEqual([path, true]);
      const type = TYPES[extname(path)];
      if (type !== undefined)
        expect([path, headers["content-type"]]).toEqual([path, expect.stringMatching(type)]);
    }
  });

  it.runIf(host.for !== "plain")(
    "every file has the type and the headers of the table",
    async (context) => {
      const server = needed(context, started);
      const paths = Object.keys(await treeOf(tree)).filter(
        (path) => !/^(?:_|[.](?!well))/.test(path),
      );
      for (const path of paths) {
        // Cloudflare redirects the name of a page to its address.
        const isNamed = host.for === "cloudflare" && path === "404.html";
        if (isNamed || path.endsWith("/index.html")) continue;
        const address = host.for === "s3" ? path : addressOf(path);
        const { status, bytes, headers } = await send(server, base + encodeURI(address));
        expect([address, status]).toEqual([address, 200]);
        expect([path, bytes.equals(await readFile(join(tree, path)))]).toEqual([path, true]);
        const { "Content-Type": type = "", ...others } = fileHeaders(path);
        // The rules of these hosts say nothing of the feeds of categories, whose names are part of a segment.
        const isRuled = ["cloudflare", "netlify"].includes(host.for);
        const isPlain = isRuled && path.startsWith("feeds/");
        const sent = String(headers["content-type"]).replace(
          "application/javascript",
          "text/javascript",
        );
        const form = typeForm(path, type, isPlain);
        expect([path, sent]).toEqual([path, expect.stringMatching(form)]);
        // A bucket keeps no other headers with a file.
        // One rule of these hosts is for a folder of older reports, with their Markdown.
        const isOlder = isRuled && /\/scans\/[^/]+\.md$/.test(path);
        const names = host.for === "s3" || isOlder ? ["Cache-Control"] : Object.keys(others);
        const seen = names.map((name) => [name, headers[name.toLowerCase()]]);
        expect([path, seen]).toEqual([path, names.map((name) => [name, others[name]])]);
      }
    },
  );

  it.runIf(host.for !== "plain")(
    "a lost page is the tree's own, and a conditional read a 304",
    async (context) => {
      const server = needed(context, started);
      const lost = await send(server, `${base}sites/nowhere.example`);
      expect([lost.status, lost.text]).toEqual([
        404,
        await readFile(join(tree, "404.html"), "utf8"),
      ]);
      if (host.for === "s3" || host.for === "netlify") return;
      const { headers } = await send(server, `${base}standards`);
      const conditional = { headers: { "if-none-match": String(headers.etag) } };
      const same = await send(server, `${base}standards`, conditional);
      expect([same.status, same.text]).toEqual([304, ""]);
    },
  );

  it.runIf(["nginx", "caddy", "apache", "netlify"].includes(host.for))(
    "a missing badge is one that says so, and a badge is its own",
    async (context) => {
      const server = needed(context, started);
      const missing = await send(server, `${base}sites/nowhere.example/badge.svg`);
      const { status, headers, text } = missing;
      expect([status, text]).toEqual([404, await readFile(join(tree, "not-listed.svg"), "utf8")]);
      expect(text).toContain("not listed");
      expect(headers["content-type"]).toMatch(/^image\/svg\+xml/);
      const other = await send(server, `${base}sites/nowhere.example/fix.md`);
      expect([other.status, other.text.includes("not listed")]).toEqual([404, false]);
    },
  );

  it("an unknown address is a 404", async (context) => {
    for (const path of ["nowhere", "sites/nowhere.example", "api/nowhere", "nowhere/at/all"]) {
      expect([path, (await send(needed(context, started), base + path)).status]).toEqual([
        path,
        404,
      ]);
    }
  });

  it("browsers open its pages, and have nothing to complain of", async (context) => {
    const server = needed(context, started);
    if (browser === null) return context.skip("there is no browser");
    const origin = `http://${server.host}:${server.port}`;
    const found: string[] = [];
    const end = ["plain", "s3"].includes(host.for) ? ".html" : "";
    const names = ["", `sites/open.example${end}`, `standards${end}`, `api${end}`];
    // Not every server has a page for errors.
    for (const name of host.for === "plain" ? names : [...names, "nowhere"]) {
      await withPage(browser, "about:blank", async (page) => {
        const complaints = watched(page, origin);
        await page.goto(`${origin}${base}${name}`, {
          waitUntil: name === "" ? "networkidle" : "load",
        });
        // A browser complains of the page itself, whose status is 404.
        const isOwn = (text: string) => name === "nowhere" && /status of 404/.test(text);
        found.push(...complaints.filter((one) => !isOwn(one)).map((one) => `${name}: ${one}`));
      });
    }
    expect(found).toEqual([]);
  });

  it("searches and filters as the runtime does", async (context) => {
    const server = needed(context, started);
    if (browser === null) return context.skip("there is no browser");
    const origin = `http://${server.host}:${server.port}`;
    const { runtime } = publishedAt(base);
    await withPage(browser, "about:blank", async (page) => {
      const complaints = watched(page, origin);
      await page.goto(`${origin}${base}`);
      await page.locator("#q").focus();
      await page.keyboard.type("open");
      await expectHosts(page, runtime, "?q=open");
      await page.locator("#q").fill("");
      await page.locator('#filters input[value="news"]').check();
      await expectHosts(page, runtime, "?category=news");
      expect(complaints).toEqual([]);
    });
  });
});

/** Expects a page with a query in its address to list the hosts that the runtime finds for it. */
async function expectHosts(page: Page, { url }: RunningServer, query: string): Promise<void> {
  const { data } = (await (await fetch(`${url}/api/sites${query}`)).json()) as {
    data: { host: string }[];
  };
  // Each search must leave out some of the directory's listings.
  const all = (await (await fetch(`${url}/api/sites`)).json()) as { data: object[] };
  expect(data.length).toBeLessThan(all.data.length);
  expect(data.length).toBeGreaterThan(0);
  await expect.poll(() => new URL(page.url()).search).toBe(query);
  const hosts = () => page.locator(".site h3 a").allTextContents();
  await expect.poll(hosts).toEqual(data.map(({ host }) => host));
}
