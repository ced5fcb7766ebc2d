import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { ASSETS } from "#scripts/texts";
import { shownAt } from "../../src/answer/page-facts.js";
import { ROUTES, type Route } from "../../src/contract/routes.js";
import { type Edition, editionOf } from "../../src/export/answers.js";
import { dataFiles, searchStart } from "../../src/export/data-files.js";
import { type ExportResult, exportSite } from "../../src/export/export.js";
import { treeLayout } from "../../src/export/layout.js";
import type { ExportOptions } from "../../src/export/options.js";
import { readRecord, recordPath, writeRecord } from "../../src/export/record.js";
import { treeIdentity } from "../../src/export/tree.js";
import { pageRoutes } from "../../src/extra.js";
import { lockTree } from "../../src/files/lock.js";
import { explorerPage } from "../../src/pages/explorer/explorer-page.js";
import { missingPage } from "../../src/pages/kit/error-page.js";
import type { PageContext } from "../../src/pages/kit/page-context.js";
import { fileOf } from "../../src/pages/kit/page-names.js";
import { missingBadge } from "../../src/pages/report/badge.js";
import { DEFAULT_LOOK } from "../../src/pages/report/badge-look.js";
import { build } from "../../src/publish/build.js";
import type { BuildOptions } from "../../src/publish/options.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { EXAMPLES } from "../extras/examples.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { asked } from "../server/asked.js";
import { pointTo } from "../store/forge.js";
import { sha256, treeOf } from "../store/trees.js";
import { askChanges, extensionTree, historyFiles } from "./changes-file.js";
import { digestOf } from "./crawl.js";

/** Digests of files by their paths. */
type Tree = Record<string, string>;

/** The host that trees are exported for, unless a test names another one. */
const HOST = "nginx";

/**
 * A report's page as a file has it: without its rank, which its script adds, without other looks of the badge, and
 * without links to the feeds of its site, which may have none.
 */
function inFile(page: string): string {
  return withoutFollowing(page)
    .replace(/(<p id="rank"[^>]*>)[^<]*/, "$1")
    .replace(/<fieldset id="builder".*\n<p class="quiet looks no-script">.*\n/, "");
}

/** A report's page without links to the feeds of its site, which a tree may not have. */
export function withoutFollowing(page: string): string {
  return page
    .replace(/\. <a [^>]*>Follow this site<\/a>\s+or <a [^>]*>add it to a list<\/a>/, "")
    .replace(
      /<link rel="alternate" type="application\/(?:atom|feed)[^>]* title="Changes of [^>]*>\n/g,
      "",
    );
}

/** A store, and the tree that is exported of it. */
export interface Site {
  readonly folder: string;
  readonly store: string;
  readonly site: string;
  /** Builds another published directory into the store. @returns the snapshot's id */
  publish(files: PublishedFiles): Promise<string>;
  /** Points at another snapshot, as a rollback does. */
  makeCurrent(id: string): Promise<void>;
  export(options?: Partial<ExportOptions>): Promise<ExportResult>;
  /** Asserts that the tree is what the runtime answers of `files`, to the last file and byte. */
  expectTree(files: PublishedFiles): Promise<void>;
}

export async function aSite(
  files: PublishedFiles,
  settings: Partial<BuildOptions> = {},
  finished?: (cleanUp: () => Promise<void>) => void,
): Promise<Site> {
  const site = siteIn(await temporaryFolder(finished), settings);
  await site.publish(files);
  return site;
}

const originals = new Map<string, Promise<Site>>();

/** A site made once for all tests of a worker. It goes with the folder of all temporary files. */
function original(key: string, make: () => Promise<Site>): Promise<Site> {
  const made = originals.get(key) ?? make();
  originals.set(key, made);
  return made;
}

const builtOnce = (files: PublishedFiles) =>
  original(JSON.stringify(files), () => aSite(files, {}, () => {}));

/** A site whose store is copied from one that was built once: for tests that publish nothing. */
export async function builtSite(files: PublishedFiles): Promise<Site> {
  const copy = siteIn(await temporaryFolder());
  await cp((await builtOnce(files)).store, copy.store, { recursive: true });
  return copy;
}

/** A site with its tree, copied from one that was built and exported once. The copy counts as an exported tree, too. */
export async function exportedSite(
  files: PublishedFiles,
  options: Partial<ExportOptions> = {},
): Promise<Site> {
  const made = original(JSON.stringify([files, options]), async () => {
    const site = siteIn(await temporaryFolder(() => {}));
    await cp((await builtOnce(files)).store, site.store, { recursive: true });
    await site.export(options);
    return site;
  });
  const copy = siteIn(await temporaryFolder());
  await cp((await made).folder, copy.folder, { recursive: true });
  const record = await readRecord(await recordPath(copy.site));
  if (record === null) throw new Error("the copy has no record");
  const lock = await lockTree(copy.site, copy.site);
  await writeRecord(await recordPath(copy.site), lock, {
    ...record,
    tree: treeIdentity(copy.site),
    root: copy.site,
  });
  await lock.free();
  return copy;
}

function siteIn(folder: string, settings: Partial<BuildOptions> = {}): Site {
  const store = join(folder, "store");
  const site = join(folder, "site");
  let built = 0;
  return {
    folder,
    store,
    site,
    publish: async (files) => {
      built += 1;
      const published = await writePublished(join(folder, `published-${built}`), files);
      return (await build(published, { store, jobs: 1, keep: 2, ...settings })).id;
    },
    makeCurrent: (id) => pointTo(store, id),
    export: (options = {}) => exportSite(site, { store, for: HOST, ...options }),
    expectTree: async (files) => {
      const { context } = await currentEdition(store);
      const { siteUrl } = context;
      const changes = Object.entries(await historyFiles(store)).map(([path, text]) => [
        path,
        digestOf(path, Buffer.from(text), siteUrl),
      ]);
      const scripted = EXAMPLES.flatMap(({ scriptedFiles }) =>
        scriptedFiles.map((path) => [path, expect.any(String)]),
      );
      const found = Object.keys(await treeOf(site)).map(async (path) => {
        return [path, digestOf(path, await readFile(join(site, path)), siteUrl)];
      });
      expect(Object.fromEntries(await Promise.all(found))).toEqual({
        ...(await expectedTree(store, files)),
        ...Object.fromEntries(scripted),
        ...Object.fromEntries(changes),
      });
    },
  };
}

/** What pages know, with the routes of all pages. */
function paged(context: PageContext): PageContext {
  return { ...context, pages: pageRoutes() };
}

const expected = new Map<string, Promise<Tree>>();

/** The tree of the current snapshot. One snapshot is asked for the same addresses only once, whatever store has it. */
async function expectedTree(store: string, files: PublishedFiles): Promise<Tree> {
  const id = await requireCurrent(store);
  const asked = files.listings.map(({ host }) => host);
  const scans = files.scans.map((scan) => [scan.host, scan.id]);
  const key = JSON.stringify([id, asked, scans]);
  const known = expected.get(key) ?? answeredTree(store, id, files);
  expected.set(key, known);
  return known;
}

/** The files of lists, by the categories that there may be. */
function listFiles(slugs: readonly string[]): string[] {
  const pages = slugs.flatMap((slug) => [slug, `${slug}--2`]);
  return [
    "categories.html",
    "feeds.html",
    ...pages.map((name) => `categories/${name}.html`),
    ...EXAMPLES.flatMap((one) => one.treeFiles(pages, slugs)),
  ];
}

/** The tree as path to digest, found by asking the runtime for every address that the input could have. */
async function answeredTree(store: string, id: string, files: PublishedFiles): Promise<Tree> {
  const { snapshot, close } = await loadSnapshot(store, id);
  const { context } = await currentEdition(store);
  const tree: Tree = {};
  const put = (path: string, text: string | Buffer) => {
    tree[path] = digestOf(path, Buffer.from(text), context.siteUrl);
  };
  let published: unknown = null;
  const ask = async (target: string, path: string, isForPerson = false) => {
    const { status, bytes } = await asked(snapshot, target, isForPerson);
    if (status !== 200) return null;
    const text = bytes.toString("utf8");
    put(path, path.endsWith(".html") ? inFile(text) : bytes);
    return text;
  };
  for (const path of [
    "robots.txt",
    "llms.txt",
    "favicon.ico",
    "apple-touch-icon.png",
    "sitemap.xml",
    "figures.json",
  ])
    await ask(`/${path}`, path);
  put("404.html", missingPage(paged(context)));
  put("not-listed.svg", missingBadge(DEFAULT_LOOK));
  Object.assign(tree, await dataTree(store, id));
  // The server of files searches nothing, and the page says so.
  const shown = await shownAt("", snapshot);
  put(
    "index.html",
    explorerPage({ ...paged(context), tree: await startingTree(store, id) }, shown),
  );
  const slugs = (files.taxonomy.categories ?? []).map(({ slug }) => slug);
  for (const path of listFiles(slugs)) await ask(`/${path.replace(/\.html$/, "")}`, path);
  for (const name of ["feed", ...slugs.map((slug) => `feeds/${slug}`)]) {
    for (const end of ["xml", "json"]) await ask(`/${name}.${end}`, `${name}.${end}`);
  }
  const inSearch = async (host: string) => (await snapshot.summariesOf([host]))[0] !== undefined;
  await askChanges((path) => ask(`/${path}`, fileOf(path) ?? path), inSearch);
  await ask("/standards", "standards.html");
  for (const { id } of files.standards.checks) await ask(`/checks/${id}`, `checks/${id}.html`);
  await ask("/api", "api.html", true);
  for (const { name } of ASSETS) await ask(`/assets/${name}`, `assets/${name}`);
  const index = (await asked(snapshot, "/sitemap.xml")).bytes.toString("utf8");
  for (const [, path = ""] of index.matchAll(/<loc>[^<]*\/(sitemaps\/[^<]*)<\/loc>/g))
    await ask(`/${path}`, path);
  for (const { path, document } of Object.values<Route>(ROUTES)) {
    if (document !== undefined) await ask(path, document);
  }
  Object.assign(tree, await extensionTree(snapshot));
  for (const host of new Set(files.listings.map((listing) => listing.host))) {
    const folder = `api/sites/${host}`;
    const pages = `sites/${host.replace(/[.]html$/, ".html_")}`;
    const latest = await ask(`/${folder}/report`, `${folder}/report.json`);
    await ask(`/${folder}/enrichment`, `${folder}/enrichment.json`);
    published = latest === null ? null : JSON.parse(latest).data.scan.id;
    for (const scan of files.scans.filter((one) => one.host === host && one.id !== published)) {
      await ask(`/${folder}/report?scan=${scan.id}`, `${folder}/scans/${scan.id}.json`);
      await ask(`/sites/${host}?scan=${scan.id}`, `${pages}/scans/${scan.id}.html`);
      await ask(`/sites/${host}/report.md?scan=${scan.id}`, `${pages}/scans/${scan.id}.md`);
    }
    await ask(`/sites/${host}`, `${pages}.html`);
    for (const name of ["report.md", "fix.md", "badge.svg"]) {
      await ask(`/sites/${host}/${name}`, `${pages}/${name}`);
    }
  }
  close();
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files from which scripts search. */
async function dataTree(store: string, id: string): Promise<Tree> {
  const tree: Tree = {};
  const snapshot = await StoredSnapshot.openManifest(store, id);
  for (const [path, file] of dataFiles(snapshot, false)) {
    tree[path] = sha256(Buffer.from(await file.make()));
  }
  snapshot.close();
  return tree;
}

/** What the explorer knows of its tree. */
async function startingTree(store: string, id: string) {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  const { links, isPacked, hasPages, hasAnswers } = treeLayout(HOST, false, undefined);
  const start = searchStart(snapshot, false);
  snapshot.close();
  return { links, isPacked, hasPages, hasAnswers, start };
}

async function currentEdition(store: string): Promise<Edition> {
  const snapshot = await StoredSnapshot.openManifest(store, await requireCurrent(store));
  const edition = editionOf(snapshot, treeLayout(HOST, false, undefined), "/any");
  return edition.finally(() => snapshot.close());
}

/** A directory with the listing of one host changed. */
export function withListing(files: PublishedFiles, host: string, change: object): PublishedFiles {
  const listings = files.listings.map((one) => (one.host === host ? { ...one, ...change } : one));
  return { ...files, listings };
}

/** Listings of every kind: with history and without, withheld, moved, never scanned. */
export function variedListings(): PublishedFiles {
  const history = { entitlements: { history: true } };
  const kinds: Record<string, object> = {
    "open.example": { category: "news", ...history },
    "locked.example": { category: "news" },
    "single.example": history,
    "blocked.example": { category: "weather", visibility: "blocked", ...history },
    "opted-out.example": { visibility: "opted-out" },
    "removed.example": { visibility: "removed" },
    "moved.example": history,
    "unscanned.example": {},
    "con.com": { category: "news" },
    "x.json": history,
    "x.json.html": history,
  };
  const hosts = Object.keys(kinds);
  const scans = hosts
    .filter((host) => host !== "unscanned.example")
    .flatMap((host) => {
      const redirect = { host: "other.example", status: 301 };
      const newest =
        host === "moved.example"
          ? aScan({ host, id: "new", status: "moved", score: null, redirect })
          : aScan({ host, id: "new" });
      const old = ["old", "OLDER", "report"].map((id, i) =>
        aScan({ host, id, finishedAt: `2025-0${i + 1}-01T00:00:00Z`, score: 40 + i }),
      );
      return host === "single.example" ? [newest] : [newest, ...old];
    });
  const listings = hosts.map((host) => aListing({ host, name: host, ...kinds[host] }));
  return aPublishedDirectory({ listings, scans });
}
