import { LIMITS } from "./limits.js";
import type { Facets, SiteSummary } from "./listing.js";
import { foldText } from "./order.js";
import type { ListingFilters } from "./query.js";
import { namesOf, own, tableOf } from "./tables.js";

/*
 * The filters that compare values of a request with values of a listing (docs/contract.md#31-filters).
 * One filter is one entry. The queries, the columns, the engine, the facets and their schema, the OpenAPI document and
 * the explorer all read this table. It needs no package, because browsers run it too. The search text and the range of
 * scores are not in the table: they compare no values, so each has its own code.
 */

/** A filter that takes one value or several. */
interface Filter {
  /** The parameter's description in the OpenAPI document. */
  readonly description: string;
  /** The explorer's heading for the filter. */
  readonly title: string;
  /** The member of a summary that has the values. */
  readonly column: keyof SiteSummary;
  /** Whether a listing needs any or all of the values that a request gives. */
  readonly match: "any" | "all";
  /** How a stored change tells the values before it. */
  readonly former: StatedMember | FormerScanned;
  /** The rank among the lists of hosts to download, one for each value, counted from 1; null if it has none. */
  readonly listRank: number | null;
}

/**
 * For values that the publisher states: the member of `was` in a stored change, which has the name of the column and is
 * left out if nothing has changed. They are kept for some time once the site is removed.
 */
interface StatedMember {
  readonly kind: FormerKind;
  /** The member's description in the OpenAPI document. */
  readonly description: string;
  readonly example: string | readonly string[];
}

/** One slug or null, several slugs, or one of a few words. */
interface FormerValues {
  slug: string | null;
  slugs: string[];
  word: string;
}
export type FormerKind = keyof FormerValues;

/**
 * For values that a scan gives: those before a change, from those after it. Nothing of them is kept once the site is
 * removed.
 */
type FormerScanned = (values: readonly string[], change: ScannedChange) => readonly string[];

/** What a stored change tells of two scans. */
export interface ScannedChange {
  readonly score: { readonly from: number | null };
  readonly band: { readonly from: string | null };
  readonly checks: { readonly gained: readonly string[]; readonly lost: readonly string[] };
}

/** What a change tells of two states of a listing. Null: it is not told. */
interface ToldChange {
  readonly score: ScannedChange["score"] | null;
  readonly band: ScannedChange["band"] | null;
  readonly checks: ScannedChange["checks"] | null;
  /** The former values of those members that filters compare and that have changed. */
  readonly was: FormerMembers | null;
}

/** A filter whose values are slugs. A request may give several. */
export interface ListFilter extends Filter {
  /** The most values that a request may give. */
  readonly max: number;
  /** A request's values in the OpenAPI document. */
  readonly example: readonly string[];
  /** The rank among the explorer's groups and among the facets, counted from 1. */
  readonly rank: number;
  /** Whether the explorer's group is open before a reader chooses one of its values. */
  readonly isOpen: boolean;
  /**
   * Whether a listing can only have values that the directory knows. Scans of an older scoring version may have bands
   * and checks that today's standards do not have.
   */
  readonly isClosed: boolean;
  /** What agents call one of the values (`list_terms`). */
  readonly term: string;
  /** How facets count the listings by value; null if they do not. Each value then takes memory for every listing. */
  readonly facet: Facet | null;
}

/**
 * A facet: the values of a filter with their numbers of listings. If any of several values may match, the counts ignore
 * the filter itself, because they tell what another value would add. The terms of the facets are in listing.ts.
 */
export interface Facet {
  /** The key in the facets answer. */
  readonly member: string;
  /** The facet's description in the OpenAPI document. */
  readonly description: string;
  /** By descending count, then by slug; or in the order of the vocabulary, if it has the facet's terms. */
  readonly order: "count" | "vocabulary";
  /** Whether the answer also has the number of listings that are counted. */
  readonly hasTotal: boolean;
}

/** A filter that takes one of a few words. */
export interface WordFilter extends Filter {
  readonly words: readonly string[];
  readonly example: string;
}

/** By parameter name. The order is that of the parameters and of the columns. */
export const LIST_FILTERS = {
  category: {
    description: "Slugs from the categories read; any may match.",
    title: "Category",
    column: "category",
    match: "any",
    former: { kind: "slug", description: "Slug of the former category.", example: "science" },
    listRank: 2,
    term: "category",
    max: LIMITS.filterValuesMax,
    example: ["health", "sports"],
    rank: 2,
    isOpen: true,
    isClosed: true,
    facet: {
      member: "categories",
      description: "Counts by category, of all active ones. They ignore the filter `category`.",
      order: "vocabulary",
      hasTotal: true,
    },
  },
  tag: {
    description: "Slugs from the tags read; any may match.",
    title: "Tag",
    column: "tags",
    match: "any",
    former: { kind: "slugs", description: "Slugs of the former tags.", example: ["public-api"] },
    listRank: null,
    term: "tag",
    max: LIMITS.filterValuesMax,
    example: ["public-api"],
    rank: 5,
    isOpen: false,
    isClosed: true,
    // Counting thousands of tags would take more memory than everything else.
    facet: null,
  },
  platform: {
    description: "Slugs from the facets read; any may match.",
    title: "Platform",
    column: "platforms",
    match: "any",
    former: { kind: "slugs", description: "Slugs of the former platforms.", example: ["jekyll"] },
    listRank: null,
    term: "platform",
    max: LIMITS.filterValuesMax,
    example: ["jekyll"],
    rank: 4,
    isOpen: false,
    isClosed: true,
    facet: {
      member: "platforms",
      description: "Counts by platform. They ignore the filter `platform`.",
      order: "count",
      hasTotal: false,
    },
  },
  capability: {
    description: "Passed check ids from the facets read; all must match.",
    title: "Passed checks",
    column: "capabilities",
    match: "all",
    former: (values, { checks }) => [
      ...values.filter((id) => !checks.gained.includes(id)),
      ...checks.lost,
    ],
    listRank: 3,
    term: "check",
    max: LIMITS.filterValuesMax,
    example: ["llms-txt"],
    rank: 3,
    isOpen: true,
    isClosed: false,
    facet: {
      member: "signals",
      description: "Counts by passed check. They keep every filter and add the check.",
      order: "vocabulary",
      hasTotal: false,
    },
  },
  band: {
    description: "Band ids of the standards read; any may match.",
    title: "Band",
    column: "latestBand",
    match: "any",
    former: (_, { band }) => filterTexts(band.from),
    listRank: 1,
    term: "band",
    max: LIMITS.bandValuesMax,
    example: ["readable", "exemplary"],
    rank: 1,
    isOpen: true,
    isClosed: false,
    facet: null,
  },
} as const satisfies Readonly<Record<string, ListFilter>>;

export const STATUS_FILTER = {
  description: "Ownership of the listing.",
  title: "Ownership",
  column: "status",
  match: "any",
  former: { kind: "word", description: "The former ownership.", example: "unclaimed" },
  listRank: null,
  words: ["unclaimed", "claimed"],
  example: "claimed",
} as const satisfies WordFilter;

/** All filters by parameter name, in the order of the columns. */
export const FILTERS = { ...LIST_FILTERS, status: STATUS_FILTER };

type ListFilters = typeof LIST_FILTERS;
export type ListFilterName = keyof ListFilters;
export type FilterName = keyof typeof FILTERS;
export type Status = (typeof STATUS_FILTER.words)[number];

/** The filters that facets count. */
export type FacetFilterName = {
  [N in ListFilterName]: ListFilters[N]["facet"] extends Facet ? N : never;
}[ListFilterName];
/** The keys of the facets answer that hold counts by value. */
export type FacetMember = ListFilters[FacetFilterName]["facet"]["member"];
/** The keys of the facets that also have a total. */
export type TotalledMember = Extract<
  ListFilters[FacetFilterName]["facet"],
  { readonly hasTotal: true }
>["member"];

/** The filters whose values publishers state. */
export type StatedFilterName = {
  [N in FilterName]: (typeof FILTERS)[N]["former"] extends StatedMember ? N : never;
}[FilterName];
/** Members of a summary that filters compare and that publishers state, with the values that are compared. */
export type FormerMembers = {
  [N in StatedFilterName as (typeof FILTERS)[N]["column"]]?:
    | FormerValues[(typeof FILTERS)[N]["former"]["kind"]]
    | undefined;
};
/** What agents call the values of filters. */
export type FilterTerm = ListFilters[ListFilterName]["term"];

export const FILTER_NAMES: readonly FilterName[] = namesOf(FILTERS);
export const LIST_FILTER_NAMES: readonly ListFilterName[] = namesOf(LIST_FILTERS);

export function isListFilterName(name: string): name is ListFilterName {
  return Object.hasOwn(LIST_FILTERS, name);
}

export function isFacetFilterName(name: FilterName): name is FacetFilterName {
  return isListFilterName(name) && LIST_FILTERS[name].facet !== null;
}

/** The list filters in the order in which the explorer shows them. */
export const SHOWN_FILTERS: readonly ListFilterName[] = LIST_FILTER_NAMES.toSorted(
  (a, b) => LIST_FILTERS[a].rank - LIST_FILTERS[b].rank,
);

/** The filters that facets count, in the order of the facets answer. */
export const FACET_FILTERS: readonly FacetFilterName[] = SHOWN_FILTERS.filter(isFacetFilterName);

export const STATED_FILTERS: readonly StatedFilterName[] = FILTER_NAMES.filter(isStated);

function isStated(name: FilterName): name is StatedFilterName {
  return typeof FILTERS[name].former !== "function";
}

/** A counted value. Signals have an id and a label, terms of a vocabulary a name, other values only a slug. */
export type FacetCount = { readonly count: number } & (
  | { readonly id: string; readonly label: string }
  | { readonly slug: string; readonly name?: string }
);

/** The values that a facet counts, in the order of the answer. */
export function facetItems(facets: Facets, name: FacetFilterName): readonly FacetCount[] {
  const facet: readonly FacetCount[] | { readonly items: readonly FacetCount[] } =
    facets[LIST_FILTERS[name].facet.member];
  return "items" in facet ? facet.items : facet;
}

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
  change: ToldChange,
): FilteredFacts | null {
  if (!isTold(change)) return null;
  const former = tableOf(FILTER_NAMES, (name) => {
    const { former, column } = FILTERS[name];
    if (typeof former === "function") return former(values[name], change);
    const value = own(change.was ?? {}, column);
    return value === undefined ? values[name] : [value ?? []].flat();
  });
  return { values: former, score: change.score.from, texts };
}

function isTold<T extends ToldChange>(change: T): change is T & ScannedChange {
  return change.score !== null && change.band !== null && change.checks !== null;
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

export function statedFacts(site: SiteSummary): StatedFacts {
  return tableOf(STATED_FILTERS, (filter) => filterTexts(site[FILTERS[filter].column]));
}

/** The values that publishers state, as the members of `was` in a change. */
export function statedMembers(site: SiteSummary): FormerMembers {
  const members = STATED_FILTERS.map((name) => {
    const { column, former } = FILTERS[name];
    const texts = filterTexts(site[column]);
    if (former.kind === "slugs") return [column, texts];
    if (former.kind === "slug") return [column, texts[0] ?? null];
    // No filter looks at any other word, so it is not kept.
    return [column, STATUS_FILTER.words.find((word) => word === texts[0])];
  });
  return Object.fromEntries(members);
}

/**
 * Whether a search may have found a site that was removed. Nothing of its scans and of its texts is kept, except for
 * the host, so filters of scores, bands and checks do not count.
 */
export function mayHaveFound(host: string, stated: StatedFacts, query: ListingFilters): boolean {
  if (query.q !== undefined && !host.includes(foldText(query.q))) return false;
  return STATED_FILTERS.every((name) => matches(name, stated[name] ?? [], query));
}
