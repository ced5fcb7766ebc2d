import { installedExtras } from "../src/extra.js";
import {
  aCheck,
  aFix,
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  theStandards,
  theTaxonomy,
} from "./fixtures.js";

/** The extras that addresses belong to, by their beginnings. */
const OWNERS: Readonly<Record<string, string>> = {
  "api/changes": "changes",
  "api/dump": "dumps",
  "api/trends": "trends",
  feeds: "changes",
  figures: "compare",
  matrix: "compare",
  "search-feed": "changes",
  tables: "compare",
  trends: "trends",
  watch: "changes",
};

/** Whether an address is one of the core, or of an extra that has not been deleted. */
export function isOffered(address: string): boolean {
  const path = address.replace(/^\//, "");
  const [, owner] = Object.entries(OWNERS).find(([start]) => path.startsWith(start)) ?? [];
  return owner === undefined || installedExtras().some(({ name }) => name === owner);
}

/** What terms are called now, by what they were called before. `words` was merged into `letters`. */
const NOW: Readonly<Record<string, string>> = {
  news: "latest-news",
  // The charts of the directory have this name.
  scores: "weather",
  // An inactive category.
  closed: "retired",
  zeta: "letters",
  first: "letters",
  wordpress: "word-press",
  mcp: "model-context",
  sitemap: "site-map",
};

const nowOf = (slug: string) => NOW[slug] ?? slug;
const formerly = (now: string) => Object.keys(NOW).filter((slug) => nowOf(slug) === now);

/** A directory with a category, two tags, a platform and two checks, before any of them is renamed. */
export function beforeRenames(): PublishedFiles {
  const hosts = ["a.example", "b.example", "c.example", "d.example"];
  return aPublishedDirectory({
    listings: hosts.map((host, at) =>
      aListing({
        host,
        category: at < 2 ? "news" : "weather",
        tags: at % 2 === 0 ? ["zeta", "first"] : ["alpha"],
        platforms: at < 3 ? ["wordpress"] : ["astro"],
        entitlements: { history: true, fixPrompts: null },
      }),
    ),
    scans: hosts.flatMap((host, at) =>
      ["2026-08-01T00:00:00Z", "2025-08-01T00:00:00Z"].map((finishedAt) =>
        aScan({
          host,
          id: finishedAt.slice(0, 4),
          finishedAt,
          score: 50 + at,
          checks: [
            aCheck(),
            aCheck({ checkId: "sitemap", status: at < 2 ? "pass" : "fail" }),
            aCheck({ checkId: "mcp", kind: "capability", status: at % 2 ? "pass" : "na" }),
          ],
          fixes: [aFix()],
        }),
      ),
    ),
  });
}

/** The documents after the renames. @param names whether entries say what they were called before */
function renamedDocuments(names: boolean): Pick<PublishedFiles, "standards" | "taxonomy"> {
  const { categories, tags, platforms } = theTaxonomy();
  const said = (now: string) => (names ? { formerly: formerly(now) } : {});
  const renamed = <T extends { slug: string }>(entries: readonly T[]) => {
    const all = entries.map((entry) => {
      const { formerly: _, ...rest } = { formerly: [], ...entry };
      return { ...rest, slug: nowOf(entry.slug), ...said(nowOf(entry.slug)) };
    });
    return all.filter(({ slug }, at) => all.findIndex((one) => one.slug === slug) === at);
  };
  const standards = theStandards();
  return {
    taxonomy: {
      categories: renamed(categories),
      tags: renamed(tags),
      platforms: renamed(platforms),
    },
    standards: {
      ...standards,
      checks: standards.checks.map((check) => {
        const id = nowOf(check.id);
        return { ...check, id, ...said(id) };
      }),
    },
  };
}

/** The same directory after the renames. Its records still say what they said before. */
export function afterRenames(): PublishedFiles {
  return { ...beforeRenames(), ...renamedDocuments(true) };
}

/** The same directory as if its terms had always been called what they are called now. */
export function neverRenamed(): PublishedFiles {
  const { listings, scans, ...rest } = beforeRenames();
  const named = <T extends { checkId: string }>(one: T): T => ({
    ...one,
    checkId: nowOf(one.checkId),
  });
  return {
    ...rest,
    ...renamedDocuments(false),
    listings: listings.map((one) => ({
      ...one,
      category: one.category ? nowOf(one.category) : null,
      tags: [...new Set(one.tags?.map(nowOf))],
      platforms: one.platforms?.map(nowOf),
    })),
    scans: scans.map((one) => ({
      ...one,
      checks: one.checks?.map(named),
      fixes: one.fixes?.map(named),
    })),
  };
}
