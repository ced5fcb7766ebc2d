import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { writePurgeList } from "../../src/build/purge.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  theDirectory,
  theTaxonomy,
  writePublished,
} from "../fixtures.js";
import { FOUR } from "../store/trees.js";

const API = "https://api.directory.example";
const PAGES = "https://directory.example";
const START = [`${PAGES}/`, `${PAGES}/?*`];
/** The pages that are not of one listing, and what says whose the directory is. */
const SHARED = [
  ...["/", "/?*"],
  ...["/categories", "/categories/*", "/matrix/*", "/tables/*", "/checks/*", "/compare*"],
  ...[
    "/changes",
    "/changes/*",
    "/feed.json",
    "/feed.xml",
    "/search-feed.json",
    "/search-feed.xml",
    "/feeds/*",
    "/api",
    "/standards",
  ],
  ...["/figures.json", "/figures/*", "/card.png", "/sitemap.xml", "/sitemaps/*"],
  ...["/robots.txt", "/llms.txt"],
].map((path) => PAGES + path);
const AGENTS = [
  ...[API, PAGES].flatMap((base) =>
    ["ard", "ai-catalog"].map((name) => `${base}/.well-known/${name}.json`),
  ),
  `${API}/mcp/server-card`,
];
/** Every search, suggestion and facets read: any listing may be in it. */
const COMPUTED = [
  `${API}/api/sites`,
  `${API}/api/sites?*`,
  `${API}/api/sites/facets*`,
  `${API}/api/sites/suggestions*`,
  `${API}/api/changes*`,
  `${API}/api/batch*`,
  ...SHARED,
  ...AGENTS,
];
/** What every report's page may show. */
const ALL = [...SHARED, ...AGENTS, `${PAGES}/sites/*`, `${API}/api/sites/facets*`];
/** What names the publication. */
const NUMBERED = [`${API}/api/trends*`, `${API}/api/dump/*`, ...START];
const HISTORY = { entitlements: { history: true } };

/** The addresses of a listing's latest report. */
function report(host: string): string[] {
  const badge = `${PAGES}/sites/${host}/badge.svg`;
  const card = `${PAGES}/sites/${host}/card.png`;
  const task = `${PAGES}/sites/${host}/fix.md`;
  const latest = `${API}/api/sites/${host}/report`;
  const pages = [`${PAGES}/sites/${host}`, `${PAGES}/sites/${host}/report.md`];
  return [badge, card, task, latest, ...pages, ...scan(host, "new")];
}

/** The addresses of a report by its scan. */
function scan(host: string, id: string): string[] {
  const page = `${PAGES}/sites/${host}`;
  return [`${API}/api/sites/${host}/report`, page, `${page}/report.md`].map(
    (address) => `${address}?scan=${id}`,
  );
}

/** Three listings with history each; the first as given. */
function three(change: object = HISTORY, files: Partial<PublishedFiles> = {}): PublishedFiles {
  const hosts = ["a.example", "b.example", "c.example"];
  return aPublishedDirectory({
    listings: hosts.map((host, i) => aListing({ host, ...(i === 0 ? change : HISTORY) })),
    scans: hosts.flatMap((host) => [
      aScan({ host, id: "new" }),
      aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" }),
    ]),
    ...files,
  });
}

/** Builds one directory after the other into a store, and lists what the second changed of the first. */
async function purged(before: PublishedFiles, after: PublishedFiles) {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const ids: string[] = [];
  for (const [i, files] of [before, after].entries()) {
    const published = await writePublished(join(folder, `${i}`), files);
    ids.push((await build(published, { store, ...FOUR })).id);
  }
  const [beforeId = "", afterId = ""] = ids;
  const list = join(folder, "purge.txt");
  const lines = async (from: string | null = beforeId) => {
    await writePurgeList(list, store, from, afterId);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
    const text = await readFile(list, "utf8");
    expect(text === "" || text.endsWith("\n")).toBe(true);
    return text.split("\n").slice(0, -1);
  };
  return { store, beforeId, afterId, lines };
}

const sorted = (lines: readonly string[]) => [...new Set(lines)].sort();

describe("the purge list", () => {
  it("is empty where nothing changed, and where nothing was published before", async () => {
    const { lines, afterId } = await purged(three(), three({ ...HISTORY, name: "Other" }));
    expect(await lines(afterId)).toEqual([]);
    expect(await lines(null)).toEqual([]);
  });

  it.each<[string, PublishedFiles, PublishedFiles, string[]]>([
    [
      "a listing's changed texts: its report, pages, historical reports, and what is computed",
      three(),
      three({ ...HISTORY, name: "Another" }),
      [...report("a.example"), ...scan("a.example", "old"), ...COMPUTED],
    ],
    [
      "a listing that was removed: every address that it had",
      three(),
      three({ visibility: "removed", ...HISTORY }),
      [
        ...report("a.example"),
        ...scan("a.example", "old"),
        ...[`${API}/api/sites/a.example/enrichment`, ...COMPUTED, ...ALL],
      ],
    ],
    [
      "a public document, by its address, and all pages",
      three(),
      three(HISTORY, {
        taxonomy: {
          ...theTaxonomy(),
          categories: [
            ...theTaxonomy().categories,
            { slug: "late", name: "Late", group: "g", order: 9 },
          ],
        },
      }),
      [`${API}/api/categories`, ...ALL],
    ],
    [
      "the name of the directory",
      three(),
      three(HISTORY, { directory: { ...theDirectory(), name: "Renamed" } }),
      [`${API}/api/openapi.json`, ...ALL],
    ],
  ])("has %s", async (_, before, after, expected) => {
    const { lines } = await purged(before, after);
    expect(await lines()).toEqual(sorted([...expected, ...NUMBERED]));
  });

  it("another base address, or a former snapshot that cannot be read: everything, as prefixes", async () => {
    const api = [`${API}/api/*`, `${API}/.well-known/api-catalog`, `${PAGES}/sites/*`];
    const all = sorted([...api, ...SHARED, ...AGENTS]);
    const directory = { ...theDirectory(), baseUrl: "https://new.example" };
    expect(await (await purged(three(), three(HISTORY, { directory }))).lines()).toEqual(all);
    const { store, beforeId, afterId, lines } = await purged(three(), three({}));
    expect(await lines("")).toEqual(all);
    const { manifest } = await StoredSnapshot.openManifest(store, beforeId);
    await writeFile(join(store, manifest.segments[0]?.pack.file ?? ""), "{}");
    expect(await lines()).toEqual(all);
    await rm(join(store, afterId), { recursive: true });
    await expect(lines()).rejects.toThrow(BadSnapshotError);
  });
});
