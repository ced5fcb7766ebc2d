import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, it, onTestFinished } from "vitest";
import * as assets from "#scripts/texts";
import { pagesOf } from "../../src/answer/pages.js";
import type { ExportOptions } from "../../src/export/options.js";
import { installedExtras, installedPages } from "../../src/extra.js";
import { makeHandler } from "../../src/fetch/handler.js";
import { treeStore } from "../../src/fetch/store.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { serve } from "../../src/server/serve.js";
import { folderStore } from "../../src/store/folder-source.js";
import { packPieces } from "../../src/store/segments/directory.js";
import { NO_PICTURES } from "../pictures.js";
import { isOffered } from "../renamed.js";
import { asked } from "../server/asked.js";
import { treeOf } from "../store/trees.js";
import { builtSite, exportedSite, type Site, variedListings } from "./sites.js";

/** The names of a tree's files. */
const namesIn = async (site: Site) => Object.keys(await treeOf(site.site));

/** All links of a page to other files of its tree: the values of `href`, `src` and `action`. */
function linksOf(html: string): string[] {
  const found: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    for (const { name, value } of "attrs" in node ? node.attrs : []) {
      if (["href", "src", "action"].includes(name)) found.push(value);
      const [, next] = /^0; url=(.+)$/.exec(value) ?? [];
      if (name === "content" && next !== undefined) found.push(next);
    }
    for (const child of "childNodes" in node ? node.childNodes : []) visit(child);
  };
  visit(parse(html));
  return found.filter((link) => !/^(?:[a-z]+:|#)/.test(link));
}

/** Links of a tree's pages that lead to no file, as a server without rules would find it. */
async function deadLinks(site: Site): Promise<string[]> {
  const names = new Set(await namesIn(site));
  const dead: string[] = [];
  for (const name of names) {
    // Its links begin at the root, since it appears at addresses of any depth.
    if (!name.endsWith(".html") || name === "404.html") continue;
    for (const link of linksOf(readFileSync(join(site.site, name), "utf8"))) {
      // A query alone is the page itself.
      if (link.startsWith("?")) continue;
      const path = posix.join(posix.dirname(name), link.replace(/[?#].*$/, ""));
      const file = path === "./" || path === "." ? "index.html" : path;
      if (!names.has(file)) dead.push(`${name}: ${link}`);
    }
  }
  return dead;
}

describe("the links of a tree's pages", () => {
  it.each<[string, ExportOptions]>([
    ["a plain tree of pages only", { for: "plain", only: "pages" }],
    ["a plain tree for the API only", { for: "plain", only: "api" }],
    ["a packed tree whose pages are files", { for: "plain", packed: true, only: "all" }],
  ])("of %s lead to files, on a server without rules", async (_, options) => {
    const site = await builtSite(variedListings());
    const { written, unchanged } = await site.export(options);
    expect(await deadLinks(site)).toEqual([]);
    const names = await namesIn(site);
    expect([written, unchanged]).toEqual([names.length, 0]);
    const pages = names.filter((name) => name.endsWith(".html"));
    expect(pages.length > 15).toBe(options.only !== "api");
  });

  it("of pages of older reports lead to files, too: they lie deeper than their addresses", async () => {
    const site = await exportedSite(variedListings(), { for: "plain" });
    const page = await readFile(join(site.site, "sites/open.example/scans/old.html"), "utf8");
    const links = linksOf(page);
    expect(links).toContain("../../../checks/https.html");
    expect(links).toContain("../../open.example.html");
    expect(links).toContain("../../../api/sites/open.example/scans/old.json");
    expect(links).toContain("OLDER.html");
  });
});

describe("the files of a tree", () => {
  it("lead on from each folder that a server without rules would redirect to", async () => {
    const site = await exportedSite(variedListings(), { for: "plain" });
    const names = await namesIn(site);
    for (const [folder, page] of [
      ["sites/open.example/", "../open.example.html"],
      ["standards/", "../standards.html"],
      ["api/", "../api.html"],
      ["trends/", "../trends.html"],
    ] as const) {
      if (!isOffered(folder)) continue;
      const stub = await readFile(join(site.site, folder, "index.html"), "utf8");
      expect(new Set(linksOf(stub))).toEqual(new Set([page]));
      expect(names).toContain(posix.join(folder, page));
    }
  });

  it("have the policy of the server's header, if no rules send it", async () => {
    const site = await exportedSite(variedListings(), { for: "plain" });
    const { snapshot, close } = await loadSnapshot(site.store, await requireCurrent(site.store));
    onTestFinished(close);
    const pages = (await namesIn(site)).filter((name) => name.endsWith(".html"));
    expect(pages.length).toBeGreaterThan(20);
    for (const name of pages) {
      const address = `/${name.replace(/(?:\/index|^index|\/scans\/.*)?\.html$/, "")}`;
      const { headers } = await asked(snapshot, address, true);
      const policy = headers["Content-Security-Policy"]?.replace("; frame-ancestors 'none'", "");
      const page = await readFile(join(site.site, name), "utf8");
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
      expect([name, page.split(meta).length]).toEqual([name, 2]);
      // A browser applies the policy to what follows it.
      expect(page.slice(0, page.indexOf(meta))).not.toMatch(/<(?:link|script|img|meta http)/);
    }
    await site.export({ for: "nginx" });
    expect(await readFile(join(site.site, "index.html"), "utf8")).not.toContain("Security-Policy");
  });

  it("change with the host, and only as far as they must", async () => {
    const site = await builtSite(variedListings());
    const names: string[][] = [];
    for (const host of ["plain", "cloudflare", "plain"] as const) {
      const { written } = await site.export({ for: host });
      names.push(await namesIn(site));
      const [first = [], ...others] = names;
      const answers = first.filter((name) => /^(?:api\/.*\.json|data\/)/.test(name)).length;
      expect(written).toBeGreaterThan(0);
      if (others.length > 0) expect(written).toBeLessThan(first.length - answers + 20);
      expect(await site.export({ for: host })).toMatchObject({ written: 0, deleted: 0 });
    }
    expect(names[2]).toEqual(names[0]);
    expect(names[1]).toEqual(expect.arrayContaining(["_headers", "_redirects"]));
  });
});

describe("a packed tree", () => {
  it("has the reports in a few files, from which a fetch handler answers as the server does", async () => {
    const site = await exportedSite(variedListings(), { packed: true });
    const names = await namesIn(site);
    expect(names.filter((name) => /^(?:api\/)?sites\//.test(name))).toEqual([]);
    expect(names.filter((name) => /^data\/segments\/.*\.pack\./.test(name))).toHaveLength(2);
    // Each page that leads to reports starts the worker that answers them.
    for (const name of names.filter((one) => /^(?:categories\/.*|index|404)\.html$/.test(one))) {
      const page = await readFile(join(site.site, name), "utf8");
      expect(page).toMatch(/<html [^>]* data-packed[ >]/);
      expect(page).toMatch(/<script type="module" src="[./]*assets\/[a-z]+-/);
    }
    const server = await serve(site.store, { port: 0, ...NO_PICTURES, cacheMb: 0 });
    onTestFinished(() => server.close());
    const read = folderStore(site.site);
    const pages = pagesOf(async () => assets, { extra: installedPages() });
    const handler = await makeHandler(
      { store: treeStore(read), extras: [...installedExtras()] },
      pages,
    );
    for (const target of [
      ..."/api/sites?q=open /api/sites/open.example/report".split(" "),
      ..."/api/sites/open.example/report?scan=old".split(" "),
      ..."/api/sites/locked.example/report?scan=old /api/sites/removed.example/report".split(" "),
      ..."/sites/open.example /sites/moved.example/report.md /api/standards".split(" "),
    ]) {
      const [ours, theirs] = await Promise.all([
        handler(new Request(`https://any.example${target}`)),
        fetch(server.url + target),
      ]);
      expect([target, ours.status, await ours.text()]).toEqual([
        target,
        theirs.status,
        await theirs.text(),
      ]);
    }
  });

  it("has each byte of a pack in one piece, and the directory in one of its own", () => {
    const megabyte = 2 ** 20;
    const cut = (answers: number) => {
      const pack = { file: "segments/x.pack", bytes: answers + 100, sha256: "" };
      return packPieces({ pack, directory: { bytes: 100, sha256: "" } });
    };
    const directory = (offset: number) => ({
      file: "segments/x.pack.directory",
      offset,
      length: 100,
    });
    expect(cut(0)).toEqual([directory(0)]);
    expect(cut(2 * megabyte)).toEqual([
      { file: "segments/x.pack.0", offset: 0, length: 2 * megabyte },
      directory(2 * megabyte),
    ]);
    expect(cut(2 * megabyte + 1)).toEqual([
      { file: "segments/x.pack.0", offset: 0, length: 2 * megabyte },
      { file: "segments/x.pack.1", offset: 2 * megabyte, length: 1 },
      directory(2 * megabyte + 1),
    ]);
  });
});
