import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isCanonicalHost } from "../../src/contract/host.js";
import { fileOf } from "../../src/pages/kit/page-names.js";
import { pathOf } from "../../src/site/files.js";
import { aListing, aPublishedDirectory, aScan, type PublishedFiles } from "../fixtures.js";
import { someOf } from "../slow.js";
import { treeOf } from "../store/trees.js";
import { aSite } from "./sites.js";

/** Every ending of a file of a tree, and names that servers and trees know. */
const LABELS = ["x", "html", "md", "json", "svg", "png", "txt", "xml", "js", "gz"];
const NAMES = ["index", "404", "report", "badge", "card", "scans", "api", "con"];
const FILES = ["report", "enrichment", "badge", "card", "index", "page", "twin"];
const SCANS = ["a", "report", "index"].flatMap((id) => [`scans/${id}`, `page/${id}`, `twin/${id}`]);

/** All hosts of two or three of these labels, and some of four. */
function hosts(): string[] {
  const first = [...LABELS, ...NAMES];
  const two = first.flatMap((a) => LABELS.map((b) => `${a}.${b}`));
  const three = two.flatMap((host) => LABELS.map((end) => `${host}.${end}`));
  const four = three.filter((host) => host.endsWith("html")).map((host) => `${host}.html`);
  return [...two, ...three, ...four].filter(isCanonicalHost);
}

/** Paths that a file system cannot hold together, whether it tells A from a or not. */
function collisions(paths: readonly string[]): string[] {
  const files = new Set<string>();
  const folders = new Set<string>();
  const found: string[] = [];
  for (const path of paths.map((one) => one.toLowerCase())) {
    if (files.has(path)) found.push(path);
    files.add(path);
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      folders.add(path.slice(0, at));
    }
  }
  return [...found, ...[...files].filter((path) => folders.has(path))];
}

/** Hosts whose names are like those of files, each with an older report. */
function confusingHosts(without: string | null = null): PublishedFiles {
  const ends = ["", ".html", ".html.html", ".md", ".json", ".svg", ".png", ".txt"];
  const named = ["index.html", "404.html", "badge.svg", "fix.md", "report.md", "report.json"];
  const all = [...ends.map((end) => `x.yy${end}`), ...named].filter((host) => host !== without);
  return aPublishedDirectory({
    listings: all.map((host) => aListing({ host, name: host, entitlements: { history: true } })),
    scans: all.flatMap((host) => [
      aScan({ host, id: "new" }),
      aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
    ]),
  });
}

describe("the names of files", () => {
  it("are different for any two hosts, and no file lies where another has its folder", () => {
    const paths = hosts().flatMap((host) => [...FILES, ...SCANS].map((name) => pathOf(host, name)));
    expect(paths.length).toBeGreaterThan(20_000);
    expect(collisions(paths)).toEqual([]);
    // The runtime's addresses are as different, and lead to these files.
    const addresses = hosts().map((host) => fileOf(`sites/${host}`) ?? "");
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const host of hosts()) {
      expect(fileOf(`sites/${host}`)).toBe(pathOf(host, "page"));
      expect(fileOf(`sites/${host}?scan=a`)).toBe(pathOf(host, "page/a"));
      expect(fileOf(`sites/${host}/report.md`)).toBe(pathOf(host, "twin"));
      expect(fileOf(`sites/${host}/report.md?scan=a`)).toBe(pathOf(host, "twin/a"));
      expect(fileOf(`sites/${host}/badge.svg`)).toBe(pathOf(host, "badge"));
      expect(fileOf(`api/sites/${host}/report`)).toBe(pathOf(host, "report"));
    }
    expect(pathOf("x.example", "page")).toBe("sites/x.example.html");
    expect(pathOf("x.html.example", "badge")).toBe("sites/x.html.example/badge.svg");
  });

  const options = [{}, { only: "api" }] as const;
  it.each(someOf(["plain", "cloudflare"] as const, 1))(
    "collide in no tree, and each host has its own report: %s",
    async (host) => {
      const site = await aSite(confusingHosts());
      for (const one of options) {
        await site.export({ for: host, ...one });
        const names = Object.keys(await treeOf(site.site));
        expect(collisions(names)).toEqual([]);
        const pages = names.filter((name) => /^sites\/[^/]+\.html$/.test(name));
        expect(pages).toHaveLength("only" in one ? 0 : 14);
        for (const page of pages) {
          const text = await readFile(join(site.site, page), "utf8");
          const shown = page.slice("sites/".length, -".html".length).replace(/_$/, "");
          expect(text).toContain(`<title>${shown}`);
        }
      }
      // The folder of a listing makes room for a file, and the file for the folder.
      await site.export({ for: host });
      await site.publish(confusingHosts("404.html"));
      await site.export({ for: host });
      const names = Object.keys(await treeOf(site.site));
      expect(names.filter((name) => name.includes("404.html"))).toEqual(["404.html"]);
      await site.publish(confusingHosts());
      await site.export({ for: host });
      expect(Object.keys(await treeOf(site.site))).toContain("api/sites/404.html/report.json");
    },
  );
});
