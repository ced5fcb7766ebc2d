import type { StoredChange } from "./change-feed.js";
import { FILTER_NAMES, FILTERS, type FilterName } from "./filters.js";
import type { SiteSummary } from "./listing.js";
import { foldText } from "./order.js";
import type { ListingFilters } from "./query.js";
import { tableOf } from "./tables.js";

/** What the filters look at in a listing (docs/contract.md#31-filters). */
export interface FilteredFacts {
  /** By filter. */
  readonly values: Readonly<Record<FilterName, readonly string[]>>;
  readonly score: number | null;
  /** Folded. */
  readonly texts: readonly string[];
}

export function filteredFacts(site: SiteSummary): FilteredFacts {
  const values = tableOf(FILTER_NAMES, (filter) => filterTexts(site[FILTERS[filter].column]));
  const { host, name, tagline, latestScore: score } = site;
  const texts = [host, name, tagline].flatMap((text) => (text === null ? [] : foldText(text)));
  return { values, score, texts };
}

function filterTexts(value: SiteSummary[keyof SiteSummary]): string[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((one) => (typeof one === "string" ? one : one.slug));
  return [typeof value === "object" ? value.slug : String(value)];
}

/**
 * The facts of a listing before a change. Its texts are the current ones: former texts are not stored.
 * @returns null if they are not known
 */
export function factsBefore(
  { values, texts }: FilteredFacts,
  { score, band, checks, was }: StoredChange,
): FilteredFacts | null {
  if (score === null || band === null || checks === null) return null;
  const had = values.capability.filter((id) => !checks.gained.includes(id));
  return {
    values: {
      ...values,
      capability: [...had, ...checks.lost],
      band: filterTexts(band.from),
      category: was?.category === undefined ? values.category : filterTexts(was.category),
      tag: was?.tags ?? values.tag,
      platform: was?.platforms ?? values.platform,
      status: was?.status === undefined ? values.status : [was.status],
    },
    score: score.from,
    texts,
  };
}

/** Whether a listing with these facts is found by a search. */
export function isFound({ values, score, texts }: FilteredFacts, query: ListingFilters): boolean {
  const { q, minScore, maxScore } = query;
  if (q !== undefined && !texts.some((text) => text.includes(foldText(q)))) return false;
  const hasRange = minScore !== undefined || maxScore !== undefined;
  if (hasRange && (score === null || score < (minScore ?? 0) || score > (maxScore ?? score)))
    return false;
  return FILTER_NAMES.every((name) => matches(name, values[name], query));
}

function matches(name: FilterName, values: readonly string[], query: ListingFilters): boolean {
  const given = query[name];
  if (given === undefined) return true;
  const wanted = typeof given === "string" ? [given] : given;
  const has = (value: string) => values.includes(value);
  return FILTERS[name].match === "all" ? wanted.every(has) : wanted.some(has);
}

/** What publishers said of a listing that filters look at, by filter. */
export type StatedFacts = Readonly<Partial<Record<FilterName, readonly string[]>>>;

/** The filters whose values publishers state. */
export const STATED_FILTERS = FILTER_NAMES.filter((name) => !FILTERS[name].isScanned);

export function statedFacts(site: SiteSummary): StatedFacts {
  return tableOf(STATED_FILTERS, (filter) => filterTexts(site[FILTERS[filter].column]));
}

/**
 * Whether a search may have found a site that was removed. Nothing of its scans and of its texts is kept, except for
 * the host, so filters of scores, bands and checks do not count.
 */
export function mayHaveFound(host: string, stated: StatedFacts, query: ListingFilters): boolean {
  if (query.q !== undefined && !host.includes(foldText(query.q))) return false;
  return STATED_FILTERS.every((name) => matches(name, stated[name] ?? [], query));
}
