import type { FacetScores, Facets, SiteSummary } from "../../src/contract/listing.js";
import type { ListingFilters, SearchQuery } from "../../src/contract/query.js";
import type { ScoreRubric } from "../../src/engine/answering.js";
import type { Vocabulary } from "../../src/engine/engine.js";
import { facetsBeyond, passesBeyond } from "../facets.js";
import type { IndexedListing } from "../store/columns-of.js";

/*
 * What the engine must answer, written as plainly as the pages say it: filter and sort over summaries,
 * with nothing of the engine's own.
 */

/** One code point at a time, as decisions (Text matching) words it. */
export function plainFold(text: string): string {
  return Array.from(text.normalize("NFC"), (character) => character.toLowerCase())
    .join("")
    .replaceAll("ς", "σ")
    .normalize("NFC");
}

const folded = new Map<string, string>();

/** A listing's text folded, once for all the queries of a test. */
function foldedField(text: string): string {
  const known = folded.get(text) ?? plainFold(text);
  folded.set(text, known);
  return known;
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The listings that hold a text by itself, in the fields that a read looks at. */
export function matching(
  listings: readonly IndexedListing[],
  q: string,
  fields: "all" | "titles",
): IndexedListing[] {
  const piece = plainFold(q);
  return listings.filter(({ summary: { host, name, tagline } }) =>
    (fields === "all" ? [host, name, tagline] : [host, name]).some(
      (field) => field !== null && foldedField(field).includes(piece),
    ),
  );
}

function passes(query: ListingFilters, summary: SiteSummary): boolean {
  const score = summary.latestScore;
  const checks = [passesBeyond(summary, query)];
  if (query.category) checks.push(query.category.includes(summary.category?.slug ?? ""));
  if (query.tag) checks.push(summary.tags.some(({ slug }) => query.tag?.includes(slug)));
  if (query.platform) checks.push(summary.platforms.some((slug) => query.platform?.includes(slug)));
  if (query.capability) {
    checks.push(query.capability.every((id) => summary.capabilities.includes(id)));
  }
  if (query.band) checks.push(query.band.includes(summary.latestBand ?? ""));
  if (query.status) checks.push(query.status === summary.status);
  if (query.minScore !== undefined) checks.push(score !== null && score >= query.minScore);
  if (query.maxScore !== undefined) checks.push(score !== null && score <= query.maxScore);
  return !checks.includes(false);
}

function filtered(listings: readonly IndexedListing[], query: ListingFilters): IndexedListing[] {
  const found = query.q === undefined ? listings : matching(listings, query.q, "all");
  return found.filter(({ summary }) => passes(query, summary));
}

const SORTS: Record<SearchQuery["sort"], (a: IndexedListing, b: IndexedListing) => number> = {
  score: (a, b) => (b.summary.latestScore ?? -1) - (a.summary.latestScore ?? -1),
  "score-asc": (a, b) => (a.summary.latestScore ?? 999) - (b.summary.latestScore ?? 999),
  recent: (a, b) => compare(b.recent, a.recent),
  host: () => 0,
};

/** The search answer without `didYouMean`. */
export function naiveSearch(listings: readonly IndexedListing[], query: SearchQuery): object {
  const { page, limit, sort } = query;
  const found = filtered(listings, query).sort(
    (a, b) => SORTS[sort](a, b) || compare(a.summary.host, b.summary.host),
  );
  return {
    data: found.slice((page - 1) * limit, page * limit).map(({ summary }) => summary),
    pagination: { page, limit, total: found.length, totalPages: Math.ceil(found.length / limit) },
  };
}

/** The suggestions answer without `didYouMean`. */
export function naiveSuggest(listings: readonly IndexedListing[], q: string): object {
  const piece = plainFold(q);
  const classOf = ({ summary: { host, name } }: IndexedListing): number => {
    const [foldedHost, foldedName] = [foldedField(host), foldedField(name ?? "")];
    if (foldedHost === piece) return 0;
    if (foldedName === piece) return 1;
    return foldedHost.startsWith(piece) || foldedName.startsWith(piece) ? 2 : 3;
  };
  return {
    data: matching(listings, q, "titles")
      .sort((a, b) => classOf(a) - classOf(b) || compare(a.summary.host, b.summary.host))
      .slice(0, 5)
      .map(({ summary: { host, name, logoUrl } }) => ({ host, name, logoUrl })),
  };
}

function summariesOf(listings: readonly IndexedListing[]): SiteSummary[] {
  return listings.map(({ summary }) => summary);
}

/** The member `scores` of a facets answer (docs/api.md, Scores). */
export function naiveScores(
  listings: readonly IndexedListing[],
  { version, bands }: ScoreRubric,
  { band: _band, minScore, maxScore, ...others }: ListingFilters,
): FacetScores {
  const anyBand = summariesOf(filtered(listings, { ...others, minScore, maxScore }));
  const open = summariesOf(filtered(listings, others));
  const scored = open.filter(({ latestScore }) => latestScore !== null);
  const current = scored.filter(({ latestScoreVersion }) => latestScoreVersion === version);
  const counts = Array.from({ length: 101 }, (_, score): [number, number] => [
    score,
    current.filter(({ latestScore }) => latestScore === score).length,
  ]);
  return {
    bands: bands.map(({ band }) => ({
      band,
      count: anyBand.filter(({ latestBand }) => latestBand === band).length,
    })),
    unscored: open.length - scored.length,
    olderScoring: scored.length - current.length,
    points: counts.filter(([, count]) => count > 0),
  };
}

/** The facets answer. */
export function naiveFacets(
  listings: readonly IndexedListing[],
  { categories, signals, platforms }: Vocabulary,
  query: ListingFilters,
): { data: Facets } {
  const { category: _category, ...openCategory } = query;
  const { platform: _platform, ...openPlatform } = query;
  const found = filtered(listings, query);
  const anyCategory = filtered(listings, openCategory);
  const anyPlatform = filtered(listings, openPlatform);
  const count = (among: IndexedListing[], has: (summary: SiteSummary) => boolean): number =>
    among.filter(({ summary }) => has(summary)).length;
  return {
    data: {
      total: found.length,
      categories: {
        total: anyCategory.length,
        items: categories.map((category) => ({
          ...category,
          count: count(anyCategory, (summary) => summary.category?.slug === category.slug),
        })),
      },
      signals: signals.map((signal) => ({
        ...signal,
        count: count(found, ({ capabilities }) => capabilities.includes(signal.id)),
      })),
      platforms: platforms
        .map((platform) => ({
          ...platform,
          count: count(anyPlatform, (summary) => summary.platforms.includes(platform.slug)),
        }))
        .sort((a, b) => b.count - a.count || compare(a.slug, b.slug)),
      ...facetsBeyond(summariesOf(listings), (ignored) =>
        summariesOf(filtered(listings, { ...query, ...(ignored && { [ignored]: undefined }) })),
      ),
    } as Facets,
  };
}
