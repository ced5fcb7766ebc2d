import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isCanonicalHost } from "../../src/contract/host.js";
import { pathOf } from "../../src/export/files.js";
import { HOST_NAMES } from "../../src/export/layout.js";
import type { ExportOptions } from "../../src/export/options.js";
import { SiteRefusedError } from "../../src/export/record.js";
import { installedExtras } from "../../src/extra.js";
import { fileOf } from "../../src/pages/kit/page-names.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import {
  aCheckDescription,
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  theStandards,
} from "../fixtures.js";
import { pick, seeded } from "../oracle/random.js";
import { asked } from "../server/asked.js";
import { repeated, someOf } from "../slow.js";
import { treeOf } from "../store/trees.js";
import { aSite } from "./sites.js";

const SEED = Number(process.env.SEED ?? 20_261_128);

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

/** The ids of scans of one host that differ only in case. */
function idsThatMeet({ scans }: PublishedFiles): string[][] {
  return scans.flatMap(({ host, id }) =>
    scans
      .filter((other) => other.host === host && other.id !== id)
      .filter((other) => other.id.toLowerCase() === id.toLowerCase())
      .map((other) => [id, other.id]),
  );
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

/** A directory with random names and ids of scans, in letters of both cases. */
function randomDirectory(seed: number, areMixed: boolean): PublishedFiles {
  const random = seeded(seed);
  const id = () => {
    const letters = Array.from({ length: 3 }, () => pick(random, [..."aAbB-_1"]));
    return areMixed ? letters.join("") : letters.join("").toLowerCase();
  };
  const all = hosts();
  const some = new Set(Array.from({ length: 4 }, () => pick(random, all)));
  const listings = [...some].map((host) => aListing({ host, entitlements: { history: true } }));
  const { checks, ...standards } = theStandards();
  const entry = (slug: string, order: number) => ({
    slug,
    name: slug,
    group: "topic",
    order,
  });
  return aPublishedDirectory({
    standards: {
      ...standards,
      checks: [...checks, aCheckDescription({ id: "index", kind: "capability", block: null })],
    },
    taxonomy: { ...aPublishedDirectory().taxonomy, categories: CATEGORIES.map(entry) },
    listings: listings.map((one, n) => ({ ...one, category: CATEGORIES[n % CATEGORIES.length]! })),
    scans: listings.flatMap(({ host }) =>
      [...new Set(Array.from({ length: 3 }, id))].map((scan, n) =>
        aScan({ host, id: scan, finishedAt: `2026-01-0${n + 1}T00:00:00Z` }),
      ),
    ),
  });
}

/** Names of files that servers, Windows and trees know. */
const CATEGORIES = ["index", "con", "scores"];

/** What extras add to an export if they are asked to. */
const ADDED: ExportOptions = Object.fromEntries(
  installedExtras().flatMap(({ options }) =>
    Object.entries(options?.exportSite ?? {}).flatMap(([name, { usual }]) =>
      usual === false ? [[name, true]] : [],
    ),
  ),
);

const LAYOUTS: readonly ExportOptions[] = [
  {},
  { only: "api" },
  { only: "pages" },
  { packed: true },
  { packed: true, previews: true, ...ADDED },
  { packed: true, only: "all" },
  ...HOST_NAMES.map((host) => ({ for: host })),
];

describe("the names of files", () => {
  const seeds = Array.from({ length: repeated(1, 10) }, (_, n) => SEED + n);
  it.each(seeds.flatMap((seed) => [false, true].map((areMixed) => [seed, areMixed] as const)))(
    "differ in more than case in every layout, or the tree is refused, SEED=%i, both cases: %s",
    async (seed, areMixed) => {
      const files = randomDirectory(seed, areMixed);
      const pairs = idsThatMeet(files);
      const site = await aSite(files);
      let refused = 0;
      for (const layout of someOf(LAYOUTS, 3)) {
        const exporting = site.export({ for: "plain", ...layout });
        const error = await exporting.then(
          () => null,
          (caught: unknown) => caught,
        );
        const written = existsSync(site.site) ? await treeOf(site.site) : {};
        expect(collisions(Object.keys(written))).toEqual([]);
        if (error === null) continue;
        refused += 1;
        expect(error).toBeInstanceOf(SiteRefusedError);
        const named = (id: string) => String(error).includes(`/scans/${id}.`);
        expect(pairs.some((ids) => ids.every(named))).toBe(true);
      }
      expect(refused > 0).toBe(pairs.length > 0);
    },
  );

  it("of two scans whose ids differ only in case are refused by a tree that would have both", async () => {
    const ids = ["new", "AbC1", "aBc1"];
    const site = await aSite(
      aPublishedDirectory({
        listings: [aListing({ entitlements: { history: true } })],
        scans: ids.map((id, n) => aScan({ id, finishedAt: `2026-01-0${4 - n}T00:00:00Z` })),
      }),
    );
    await expect(site.export()).rejects.toThrow(
      "api/sites/example.com/scans/AbC1.json and api/sites/example.com/scans/aBc1.json would differ only in case",
    );
    expect(existsSync(site.site)).toBe(false);
    await site.export({ packed: true });
    const { snapshot, close } = await loadSnapshot(site.store, await requireCurrent(site.store));
    for (const id of ids) {
      const { status, bytes } = await asked(snapshot, `/api/sites/example.com/report?scan=${id}`);
      expect([status, JSON.parse(bytes.toString("utf8"))]).toMatchObject([
        200,
        { data: { scan: { id } } },
      ]);
    }
    close();
  });

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
