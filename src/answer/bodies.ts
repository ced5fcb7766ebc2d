import { LIST_FILTERS } from "../contract/filters.js";
import type { Facets, SiteSummary } from "../contract/listing.js";
import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type {
  CountedFacets,
  Engine,
  FacetTerm,
  Found,
  FoundPage,
  ScoreRubric,
  StoredSummary,
} from "../engine/answering.js";
import type { ScoredFacets } from "../pages/explorer/facets.js";
import { memberIn, storedJson } from "../store/stored-json.js";

/*
 * The one place that writes what an engine has found: as the bytes of a body, into which stored summaries are copied
 * without parsing them, or as the values that pages and tools show.
 */

type PageOf = Pick<SearchQuery, "page" | "limit">;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const START = encoder.encode('{"data":[');
const COMMA = 0x2c;

/** The body of a search (docs/contract.md#11-search). */
export function searchBody(query: PageOf, found: FoundPage): Uint8Array {
  const { summaries } = found;
  const pagination = JSON.stringify(paginationOf(query, found));
  const end = encoder.encode(`],"pagination":${pagination}${correctionsJson(found)}}`);
  const commas = Math.max(0, summaries.length - 1);
  const listed = summaries.reduce((sum, { length }) => sum + length, 0);
  const body = new Uint8Array(START.length + listed + commas + end.length).fill(COMMA);
  body.set(START);
  let at = START.length;
  for (const summary of summaries) {
    body.set(summary, at);
    at += summary.length + 1;
  }
  body.set(end, body.length - end.length);
  return body;
}

/** The value of a search's body. */
export function searchValue(query: PageOf, found: FoundPage) {
  const { summaries, didYouMean } = found;
  return {
    data: sitesOf(summaries),
    pagination: paginationOf(query, found),
    ...(didYouMean !== null && { didYouMean: [...didYouMean] }),
  };
}

function paginationOf({ page, limit }: PageOf, { total }: FoundPage) {
  return { page, limit, total, totalPages: Math.ceil(total / limit) };
}

function correctionsJson({ didYouMean }: Found): string {
  return didYouMean === null ? "" : `,"didYouMean":${JSON.stringify(didYouMean)}`;
}

const LINE_END = 0x0a;

/** Summaries as JSON, one a line. */
export function summaryLines(summaries: readonly StoredSummary[]): Uint8Array {
  const { length } = summaries;
  const lines = new Uint8Array(summaries.reduce((sum, one) => sum + one.length, length));
  let at = 0;
  for (const summary of summaries) {
    lines.set(summary, at);
    at += summary.length + 1;
    lines[at - 1] = LINE_END;
  }
  return lines;
}

/** The JSON of an object, with the member `site` at its end: a summary, or null. */
export function jsonWithSite(object: object, summary: StoredSummary | null): string {
  const site = summary === null ? null : decoder.decode(summary);
  return `${JSON.stringify(object).slice(0, -1)},"site":${site}}`;
}

/** The values of summaries. */
export function sitesOf(summaries: readonly StoredSummary[]): SiteSummary[] {
  return summaries.map((summary) => storedJson<SiteSummary>(summary));
}

/** The hosts of summaries. */
export function hostsOf(summaries: readonly StoredSummary[]): string[] {
  return summaries.map((summary) => storedJson(memberIn(decoder.decode(summary), "host")));
}

const SUGGESTED = ["host", "name", "logoUrl"] as const;
const SCORES = ["latestScore", "latestBand", "latestScoreVersion"] as const;

/** The body of suggestions (docs/contract.md#12-suggestions). */
export function suggestionsBody({ include }: SuggestionsQuery, found: Found): Uint8Array {
  const names = include === "scores" ? [...SUGGESTED, ...SCORES] : SUGGESTED;
  const items = found.summaries.map((summary) => {
    const json = decoder.decode(summary);
    const members = names.map((name) => `"${name}":${memberIn(json, name)}`);
    if (include === "site") members.push(`"site":${json}`);
    return `{${members.join(",")}}`;
  });
  return encoder.encode(`{"data":[${items.join(",")}]${correctionsJson(found)}}`);
}

/** The body of facets (docs/contract.md#13-facets). */
export function facetsBody({ total, facets, scores }: CountedFacets): Uint8Array {
  const members = facets.map(({ filter, terms, total: among, items }) => {
    const { member, hasTotal } = LIST_FILTERS[filter].facet;
    const heads = headsOf(terms);
    const list = `[${items.map(([term, count]) => `${heads[term]}${count}}`).join(",")}]`;
    return `"${member}":${hasTotal ? `{"total":${among},"items":${list}}` : list}`;
  });
  const scored = scores === null ? "" : `,"scores":${JSON.stringify(scores)}`;
  return encoder.encode(`{"data":{"total":${total},${members.join(",")}${scored}}}`);
}

const heads = new WeakMap<readonly FacetTerm[], readonly string[]>();

/** The JSON of each term up to its count, which is made once for an engine's terms. */
function headsOf(terms: readonly FacetTerm[]): readonly string[] {
  const cached = heads.get(terms);
  if (cached !== undefined) return cached;
  const made = terms.map((term) => `${JSON.stringify(term).slice(0, -1)},"count":`);
  heads.set(terms, made);
  return made;
}

/** The value of a facets body's `data`, without the counts of scores. */
export function facetsValue({ total, facets }: CountedFacets): Facets {
  const members = facets.map(({ filter, terms, total: among, items }) => {
    const { member, hasTotal } = LIST_FILTERS[filter].facet;
    const list = items.map(([term, count]) => ({ ...terms[term], count }));
    return [member, hasTotal ? { total: among, items: list } : list];
  });
  return { total, ...Object.fromEntries(members) };
}

/** Counts the listings that filters find, with the counts of scores. */
export async function scoredFacets(
  query: ListingFilters,
  rubric: ScoreRubric,
  engine: Engine,
): Promise<ScoredFacets> {
  const counted = await engine.facets(query, rubric);
  if (counted.scores === null) throw new TypeError("the engine has not counted the scores");
  return { ...facetsValue(counted), scores: counted.scores };
}
