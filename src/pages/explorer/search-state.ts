import {
  LIST_FILTER_NAMES,
  LIST_FILTERS,
  type ListFilterName,
  STATUS_FILTER,
  type Status,
} from "../../contract/filters.js";
import { currentSlugs, type FormerSlugs } from "../../contract/former.js";
import { searchTermOf } from "../../contract/host.js";
import { LIMITS } from "../../contract/limits.js";
import type { FacetsQuery, ListingFilters, SearchQuery } from "../../contract/query.js";
import { SORT_NAMES, SORTS } from "../../contract/sorts.js";
import { own, tableOf } from "../../contract/tables.js";
import { oneLine } from "../kit/escape.js";
import { type Html, html, type Part } from "../kit/html.js";
import type { LinkTo } from "../kit/links.js";
import { counted } from "../kit/words.js";

/** The sort orders and their labels. */
export const SORT_LABELS = tableOf(
  SORT_NAMES.toSorted((a, b) => SORTS[a].rank - SORTS[b].rank),
  (name) => SORTS[name].label,
);

/**
 * What the explorer shows. Its address holds the whole state, under the API's query parameter names
 * (docs/contract.md#31-filters), so that readers can share the page and navigate back to it.
 */
export interface SearchState extends Readonly<Record<ListFilterName, readonly string[]>> {
  /** Trimmed; "" if the search has no text. */
  readonly q: string;
  readonly status: Status | null;
  /** Null if that end of the range is open. The range may be reversed, see `isReversed`. */
  readonly minScore: number | null;
  readonly maxScore: number | null;
  /**
   * Null if the reader has not chosen an order: by best match with a text, otherwise by score. Without a text, `score`
   * counts as a choice only if nothing else is chosen: it distinguishes the list of all sites from the start.
   */
  readonly sort: SearchQuery["sort"] | null;
  /** From 1. */
  readonly page: number;
  /** The first few invalid names and values in the address, which the search ignores. */
  readonly ignored: readonly [string, string][];
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads the query of an address or a form. It never throws: it drops values that the API would reject, and cuts text
 * that is too long. A reversed range stays, so that the form can say what is wrong with it.
 */
export function readState(query: string | URLSearchParams): SearchState {
  const given = new URLSearchParams(query);
  const values = (name: ListFilterName) => {
    const slugs = given.getAll(name).filter((value) => isSlug(value));
    return [...new Set(slugs)].slice(0, LIST_FILTERS[name].max);
  };
  const sort = given.get("sort");
  const state: SearchState = {
    q: textOf(given.get("q") ?? ""),
    ...tableOf(LIST_FILTER_NAMES, values),
    status: READERS.status(given.get("status") ?? ""),
    minScore: READERS.minScore(given.get("minScore") ?? ""),
    maxScore: READERS.maxScore(given.get("maxScore") ?? ""),
    sort: READERS.sort(sort ?? ""),
    page: READERS.page(given.get("page") ?? "") ?? 1,
    ignored: [...given].filter((one) => !isValid(...one)).slice(0, IGNORED_MAX),
  };
  const unsorted = { ...state, sort: null };
  const isUsual = state.sort === "score" && (state.q === "" || sort === ALL_SITES);
  return isUsual && !isStart(unsorted) ? unsorted : state;
}

/** A form's value for `score` in the list of all sites. It no longer counts as a choice in a search. */
export const ALL_SITES = "all";

/** Whether the lowest score is above the highest. The API refuses such a search, so the explorer does not send it. */
export function isReversed({ minScore, maxScore }: SearchState): boolean {
  return minScore !== null && maxScore !== null && minScore > maxScore;
}

/** The message beside the fields of a reversed range. */
export const REVERSED_TEXT = "The lowest score must not be above the highest.";

/** What a text looks for (`searchTermOf`), cut to the API's maximum, `queryTextMax` code points. */
export function textOf(text: string): string {
  return [...searchTermOf(text)].slice(0, LIMITS.queryTextMax).join("").trim();
}

const IGNORED_MAX = 4;

/** Whether a parameter is empty, has a value that a search can have, or is not one of ours. */
function isValid(name: string, value: string): boolean {
  if (value.trim() === "") return true;
  const read = own<(text: string) => unknown>(READERS, name);
  if (read !== undefined) return read(value) !== null;
  return !Object.hasOwn(LIST_FILTERS, name) || isSlug(value);
}

function isSlug(value: string): boolean {
  return value.length <= LIMITS.slugMax && SLUG.test(value);
}

/** Readers of the parameters that have one value. They return null for one that the search ignores. */
const READERS = {
  status: (text: string) => STATUS_FILTER.words.find((word) => word === text) ?? null,
  minScore: scoreOf,
  maxScore: scoreOf,
  sort: (text: string) =>
    SORT_NAMES.find((name) => name === (text === ALL_SITES ? "score" : text)) ?? null,
  page: (text: string) => wholeNumberIn(text, 1, LIMITS.pageMax),
};

function scoreOf(text: string): number | null {
  return wholeNumberIn(text, LIMITS.scoreMin, LIMITS.scoreMax);
}

/** Unlike the API, forms may have leading zeros, and white space at the ends. */
function wholeNumberIn(text: string, min: number, max: number): number | null {
  const number = /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

/** The query of a state's address, with its `?`; "" for the initial state. */
export function addressOf(state: SearchState): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filtersOf(state))) {
    for (const one of [value].flat()) query.append(name, String(one));
  }
  const { sort } = state;
  const isOnly = query.size === 0 && state.page === 1;
  if (sort !== null && (isOnly || sort !== "score" || state.q !== "")) query.append("sort", sort);
  if (state.page > 1) query.append("page", String(state.page));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** A state whose terms are named by the slugs that they have now. */
export function currentState(state: SearchState, former: FormerSlugs | undefined): SearchState {
  if (former === undefined) return state;
  const values = tableOf(LIST_FILTER_NAMES, (name) => currentSlugs(name, state[name], former));
  return { ...state, ...values };
}

/** Whether a state is the start of the explorer: nothing is searched for, and nothing is chosen. */
export function isStart(state: SearchState): boolean {
  return addressOf(state) === "";
}

/** Whether the address of this state is empty, without even ignored parts. */
export function isBare(state: SearchState): boolean {
  return isStart(state) && state.ignored.length === 0;
}

/** Whether the best matches of the text come first. */
export function isBestFirst({ q, sort }: SearchState): boolean {
  return q !== "" && sort === null;
}

export function isAllSites(state: SearchState): boolean {
  return addressOf(state) === addressOf(allSites());
}

/** The list of all sites, by score. */
export function allSites(): SearchState {
  return changed(readState(""), { sort: "score" });
}

/** The filters of a state, in the form that the API accepts. */
export function filtersOf(state: SearchState): ListingFilters {
  const { q, status, minScore, maxScore } = state;
  const filters: ListingFilters = {};
  if (q !== "") filters.q = q;
  for (const name of LIST_FILTER_NAMES) {
    if (state[name].length > 0) filters[name] = [...state[name]];
  }
  if (status !== null) filters.status = status;
  if (minScore !== null) filters.minScore = minScore;
  if (maxScore !== null) filters.maxScore = maxScore;
  return filters;
}

/** The number of sites that the start of the explorer shows. */
const START_SITES = 8;

/**
 * The search query for a state, by score unless it has another order; at the start, for the most recently scanned
 * sites.
 */
export function searchOf(state: SearchState): SearchQuery {
  if (isStart(state)) return { sort: "recent", page: 1, limit: START_SITES };
  const { sort, page } = state;
  return { ...filtersOf(state), sort: sort ?? "score", page, limit: LIMITS.pageSizeDefault };
}

/** The facets query for a state, with counts by band and by score. */
export function facetsOf(state: SearchState): FacetsQuery {
  return { ...filtersOf(state), include: "scores" };
}

/** Applies a change to a state and returns to the first page, unless the change sets a page. */
export function changed(state: SearchState, change: Partial<SearchState>): SearchState {
  const next = { ...state, page: 1, ignored: [], ...change };
  // The default order without a text is not the one with a text.
  const isOther = (next.q === "") !== (state.q === "") && next.sort === "score";
  return isOther ? { ...next, sort: null } : next;
}

/** The change of a state to a range of scores. It drops the bands: one range says which scores are shown. */
export function scoreRange(minScore: number, maxScore: number): Partial<SearchState> {
  return { minScore, maxScore, band: [] };
}

/** Removes one value of a filter from a state. */
export function without(state: SearchState, name: ListFilterName, value: string): SearchState {
  return changed(state, { [name]: state[name].filter((one) => one !== value) });
}

/** Whether any filter other than the text is set. */
export function isFiltered(state: SearchState): boolean {
  const { q: _, ...others } = filtersOf(state);
  return Object.keys(others).length > 0;
}

/**
 * A link to another state of the explorer. `nofollow` keeps search engines from crawling every combination.
 * @param attributes further attributes of the link
 */
export function stateLink(
  state: SearchState,
  to: LinkTo,
  attributes: Html | null,
  content: Part,
  rel = "nofollow",
): Html {
  return html`<a href="${to(addressOf(state) || "./")}" rel="${rel}" data-state${attributes}>${content}</a>`;
}

/**
 * The window title for a state of the explorer.
 * @param total the number of sites found
 * @param name the directory's name
 */
export function searchTitle(state: SearchState, total: number, name: string): string {
  if (isStart(state)) {
    return `${name}: how readable websites are to AI crawlers`;
  }
  const { q, page } = state;
  const about = q === "" ? counted(total, "site") : `“${oneLine(q)}”`;
  return `${about}${page > 1 ? `, page ${page}` : ""} · ${name}`;
}

/** The address of a state's search results as JSON, relative to `/`. */
export function searchJson(state: SearchState): string {
  if (!isStart(state)) return `api/sites${addressOf(state)}`;
  const { sort, limit } = searchOf(state);
  return `api/sites?sort=${sort}&limit=${limit}`;
}
