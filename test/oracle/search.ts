import { facetsBeyond, passesBeyond } from "../facets.js";
import { activeEntries, type Searchable, type SiteSummary, searchableOf } from "./derive.js";
import type { Query } from "./query.js";
import type { Records } from "./records.js";
import { byCodeUnit, byInstant, fold } from "./text.js";

/** The reads that match a text against listings. */
export type TextRead = "search" | "suggestions";

type Filter = "q" | "category" | "tag" | "platform" | "capability" | "band" | "status" | "score";

/** The listings of which a field that the read looks at holds the text, every other filter open. */
export function matchesOf(records: Records, read: TextRead, q: string): Searchable[] {
  const piece = fold(q);
  return searchableOf(records).filter(({ folded }) =>
    (read === "search"
      ? [folded.host, folded.name, folded.tagline]
      : [folded.host, folded.name]
    ).some((field) => field?.includes(piece)),
  );
}

/** Whether a listing passes one filter of the contract's "Shared listing filters". */
function passes(filter: Exclude<Filter, "q">, { summary }: Searchable, query: Query): boolean {
  const among = (wanted: string[], have: string[]) =>
    wanted.length === 0 || wanted.some((slug) => have.includes(slug));
  const { latestScore } = summary;
  switch (filter) {
    case "category":
      return among(query.category, summary.category === null ? [] : [summary.category.slug]);
    case "tag":
      return among(
        query.tag,
        summary.tags.map(({ slug }) => slug),
      );
    case "platform":
      return among(query.platform, summary.platforms);
    case "capability":
      return query.capability.every((id) => summary.capabilities.includes(id));
    case "band":
      return among(query.band, summary.latestBand === null ? [] : [summary.latestBand]);
    case "status":
      return query.status === undefined || summary.status === query.status;
    case "score":
      if (query.minScore === undefined && query.maxScore === undefined) return true;
      if (latestScore === null) return false;
      return latestScore >= (query.minScore ?? 0) && latestScore <= (query.maxScore ?? 100);
  }
}

const filters = ["category", "tag", "platform", "capability", "band", "status", "score"] as const;

/** The listings that pass every filter of the query but the ignored one. */
function filtered(records: Records, query: Query, ignored?: string): Searchable[] {
  const matching =
    query.q === undefined ? searchableOf(records) : matchesOf(records, "search", query.q);
  return matching.filter(
    (listing) =>
      passesBeyond(listing.summary, query, ignored) &&
      filters.every((filter) => filter === ignored || passes(filter, listing, query)),
  );
}

const orders: Record<string, (a: Searchable, b: Searchable) => number> = {
  score: (a, b) => byScore(a, b, -1) || byHost(a, b),
  "score-asc": (a, b) => byScore(a, b, 1) || byHost(a, b),
  recent: (a, b) => byInstant(b.scannedAt, a.scannedAt) || byHost(a, b),
  host: (a, b) => byHost(a, b),
};

function byHost(a: Searchable, b: Searchable): number {
  return byCodeUnit(a.summary.host, b.summary.host);
}

/** By score, in the direction given (1: ascending), null last in both. */
function byScore(a: Searchable, b: Searchable, direction: 1 | -1): number {
  const first = a.summary.latestScore;
  const second = b.summary.latestScore;
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  return (first - second) * direction;
}

/** The body of `GET /api/sites`. */
export function searchBody(records: Records, query: Query): Record<string, unknown> {
  const { sort = "score", page = 1, limit = 24 } = query;
  const all = filtered(records, query).toSorted(orders[sort]);
  return {
    data: all.slice((page - 1) * limit, page * limit).map(({ summary }) => summary),
    pagination: { page, limit, total: all.length, totalPages: Math.ceil(all.length / limit) },
  };
}

/** The body of `GET /api/sites/suggestions`. */
export function suggestionsBody(records: Records, query: Query): Record<string, unknown> {
  const q = query.q ?? "";
  const piece = fold(q);
  const rank = ({ folded: { host, name } }: Searchable) => {
    if (host === piece) return 0;
    if (name === piece) return 1;
    return host.startsWith(piece) || name?.startsWith(piece) ? 2 : 3;
  };
  return {
    data: matchesOf(records, "suggestions", q)
      .toSorted((a, b) => rank(a) - rank(b) || byHost(a, b))
      .slice(0, 5)
      .map(({ summary }) => {
        const { host, name, logoUrl, latestScore, latestBand, latestScoreVersion } = summary;
        const scores = { latestScore, latestBand, latestScoreVersion };
        return {
          host,
          name,
          logoUrl,
          ...(query.include === "scores" && scores),
          ...(query.include === "site" && { site: summary }),
        };
      }),
  };
}

/** How many of the listings have a slug, for any slug. */
function tally(
  listings: Searchable[],
  slugsOf: (summary: SiteSummary) => string[],
): (slug: string) => number {
  const counts = new Map<string, number>();
  for (const { summary } of listings)
    for (const slug of new Set(slugsOf(summary))) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return (slug) => counts.get(slug) ?? 0;
}

function summariesOf(listings: Searchable[]): SiteSummary[] {
  return listings.map(({ summary }) => summary);
}

/** The member `scores` of a facets answer: docs/api.md, Scores. */
function facetScores(records: Records, query: Query): Record<string, unknown> {
  const { version, bands } = records.standards.rubric;
  const { minScore: _least, maxScore: _most, ...others } = query;
  const anyBand = summariesOf(filtered(records, query, "band"));
  const open = summariesOf(filtered(records, others, "band"));
  const scored = open.filter(({ latestScore }) => latestScore !== null);
  const current = scored.filter(({ latestScoreVersion }) => latestScoreVersion === version);
  const points = new Map<number, number>();
  for (const { latestScore } of current)
    points.set(Number(latestScore), (points.get(Number(latestScore)) ?? 0) + 1);
  return {
    bands: bands.map(({ band }) => ({
      band,
      count: anyBand.filter(({ latestBand }) => latestBand === band).length,
    })),
    unscored: open.length - scored.length,
    olderScoring: scored.length - current.length,
    points: [...points].sort(([a], [b]) => a - b),
  };
}

/** The body of `GET /api/sites/facets`. */
export function facetsBody(records: Records, query: Query): Record<string, unknown> {
  const matching = filtered(records, query);
  const anyCategory = filtered(records, query, "category");
  const anyPlatform = filtered(records, query, "platform");
  const inCategory = tally(anyCategory, ({ category }) => (category ? [category.slug] : []));
  const passing = tally(matching, ({ capabilities }) => capabilities);
  const onPlatform = tally(anyPlatform, ({ platforms }) => platforms);
  return {
    data: {
      total: matching.length,
      categories: {
        total: anyCategory.length,
        items: activeEntries(records.categories).map((entry) => ({
          ...entry,
          count: inCategory(entry.slug),
        })),
      },
      signals: records.standards.checks
        .filter(({ kind }) => kind === "achievement" || kind === "capability")
        .map(({ id, name, overview, kind }) => ({
          id,
          label: name,
          description: overview,
          kind,
          count: passing(id),
        })),
      platforms: records.platforms
        .map(({ slug, name }) => ({
          slug,
          name,
          count: onPlatform(slug),
        }))
        .sort((a, b) => b.count - a.count || byCodeUnit(a.slug, b.slug)),
      ...facetsBeyond(summariesOf(searchableOf(records)), (ignored) =>
        summariesOf(filtered(records, query, ignored)),
      ),
      ...(query.include && { scores: facetScores(records, query) }),
    },
  };
}
