import { checkLists } from "../../src/contract/figures.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import type { Shown } from "../../src/pages/explorer/explorer-page.js";
import type { Directory, ScoredFacets } from "../../src/pages/explorer/facets.js";
import type { Found } from "../../src/pages/explorer/results-view.js";
import { readState } from "../../src/pages/explorer/search-state.js";
import { noFacetsBeyond } from "../facets.js";
import { theStandards } from "../fixtures.js";

/* What the explorer may find, for tests of what it shows. */

const entry = (slug: string, name: string, order = 0) => ({ slug, name, group: "g", order });

/** A directory with a tag. @param text its name */
export function aDirectory(text = "Free"): Directory {
  const { version, bands } = theStandards().rubric;
  const { achievements } = checkLists(theStandards());
  return {
    rubric: { version, bands },
    achievements,
    tags: [entry("free", text)],
    to: (address) => address,
  };
}

/** A site with every field, its texts as given. */
export function aSite(text: string, changes: Partial<SiteSummary> = {}): SiteSummary {
  return {
    host: "example.com",
    url: text,
    name: text,
    tagline: text,
    status: text,
    latestScore: 62,
    latestBand: theStandards().rubric.bands[1]?.band ?? null,
    latestScoreVersion: theStandards().rubric.version,
    latestScannedAt: "2026-08-09T03:31:00Z",
    platforms: [text],
    hosting: text,
    linkRel: text,
    category: entry("animals", text),
    tags: [entry("free", text)],
    capabilities: [text],
    logoUrl: text,
    ogImageUrl: text,
    highlighted: true,
    ...changes,
  };
}

/** What a search finds: one site of so many. */
export function found(text: string, changes: Partial<Found> = {}, total = 60): Found {
  return {
    sites: [aSite(text)],
    pagination: { page: 1, limit: 24, total, totalPages: Math.ceil(total / 24) },
    didYouMean: [],
    withAllWords: [],
    facets: {
      total,
      categories: {
        total,
        items: ["a", "b", "c", "animals"].map((slug, i) => ({
          ...entry(slug, `${slug} ${text}`, i),
          count: [3, 9, 0, 9][i] ?? 0,
        })),
      },
      signals: [
        { id: "https", label: text, description: text, kind: "achievement", count: 2 },
        { id: "search", label: text, description: text, kind: "capability", count: 0 },
      ],
      platforms: [{ slug: "wordpress", name: text, count: 1_234 }],
      ...noFacetsBeyond(),
      scores: { bands: [], unscored: 0, olderScoring: 0, points: [[62, total]] },
    } as ScoredFacets,
    ...changes,
  };
}

/** What the explorer shows at an address. */
export function shownOf(query: string, text = "Name", what: Partial<Found> = {}): Shown {
  const results = found(text, what);
  const categories = results.facets.categories.items.filter(({ count }) => count > 0);
  const { tags } = aDirectory(text);
  return { state: readState(query), found: results, tags, categories, generation: 1 };
}
