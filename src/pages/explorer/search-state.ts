import { LIMITS } from "../../contract/limits.js";
import type { ListingFilters, SearchQuery } from "../../contract/query.js";

/** Filters of which several values may be chosen, by their parameters' names. */
export const CHOICES = ["category", "tag", "platform", "capability", "band"] as const;
export type Choice = (typeof CHOICES)[number];

/** The orders that may be asked for, and what people call them. */
export const SORTS = {
  score: "Highest score",
  "score-asc": "Lowest score",
  recent: "Scanned last",
  host: "Host, A to Z",
} as const satisfies Record<SearchQuery["sort"], string>;

/**
 * What the explorer shows. An address has all of it, by the names that the API's query has (contract section 4), so that
 * it can be shared and gone back to.
 */
export interface SearchState extends Readonly<Record<Choice, readonly string[]>> {
  /** Trimmed; "" where no text is sought. */
  readonly q: string;
  readonly status: NonNullable<ListingFilters["status"]> | null;
  /** Null where that end of the range is open. Never above maxScore. */
  readonly minScore: number | null;
  readonly maxScore: number | null;
  readonly sort: SearchQuery["sort"];
  /** From 1. */
  readonly page: number;
}

/** The most values of a filter (contract section 8). */
export function valuesMax(choice: Choice): number {
  return choice === "band" ? LIMITS.bandValuesMax : LIMITS.filterValuesMax;
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads the query of an address or a form. Nothing is refused: what the API would not take is left out, a text that is
 * too long is cut, a range that is given the wrong way round is turned round.
 */
export function readState(query: string | URLSearchParams): SearchState {
  const given = new URLSearchParams(query);
  const values = (choice: Choice) => {
    const slugs = given.getAll(choice).filter((value) => isSlug(value));
    return [...new Set(slugs)].slice(0, valuesMax(choice));
  };
  const status = given.get("status");
  const sort = given.get("sort");
  const scores = [scoreOf(given.get("minScore")), scoreOf(given.get("maxScore"))] as const;
  const [low, high] = scores;
  const isTurned = low !== null && high !== null && low > high;
  return {
    q: textOf(given.get("q") ?? ""),
    category: values("category"),
    tag: values("tag"),
    platform: values("platform"),
    capability: values("capability"),
    band: values("band"),
    status: status === "claimed" || status === "unclaimed" ? status : null,
    minScore: isTurned ? high : low,
    maxScore: isTurned ? low : high,
    sort: sort !== null && Object.hasOwn(SORTS, sort) ? (sort as SearchState["sort"]) : "score",
    page: wholeNumber(given.get("page"), 1, LIMITS.pageMax) ?? 1,
  };
}

/** A text as the API takes it: trimmed, and of no more code points than it may have. */
export function textOf(text: string): string {
  return [...text.trim()].slice(0, LIMITS.queryTextMax).join("").trim();
}

function isSlug(value: string): boolean {
  return value.length <= LIMITS.slugMax && SLUG.test(value);
}

function scoreOf(text: string | null): number | null {
  return wholeNumber(text, LIMITS.scoreMin, LIMITS.scoreMax);
}

function wholeNumber(text: string | null, min: number, max: number): number | null {
  const number = text !== null && /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

/** The query of a state's address, with its `?`; "" for the state in which nothing is chosen. */
export function addressOf(state: SearchState): string {
  const query = new URLSearchParams();
  if (state.q !== "") query.append("q", state.q);
  for (const choice of CHOICES) for (const value of state[choice]) query.append(choice, value);
  if (state.status !== null) query.append("status", state.status);
  if (state.minScore !== null) query.append("minScore", String(state.minScore));
  if (state.maxScore !== null) query.append("maxScore", String(state.maxScore));
  if (state.sort !== "score") query.append("sort", state.sort);
  if (state.page > 1) query.append("page", String(state.page));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** The filters of a state, as the API's reads take them. */
export function filtersOf(state: SearchState): ListingFilters {
  const { q, status, minScore, maxScore } = state;
  const filters: ListingFilters = {};
  if (q !== "") filters.q = q;
  for (const choice of CHOICES) {
    if (state[choice].length > 0) filters[choice] = [...state[choice]];
  }
  if (status !== null) filters.status = status;
  if (minScore !== null) filters.minScore = minScore;
  if (maxScore !== null) filters.maxScore = maxScore;
  return filters;
}

/** What of the directory a state shows, as the search takes it. */
export function searchOf(state: SearchState): SearchQuery {
  const { sort, page } = state;
  return { ...filtersOf(state), sort, page, limit: LIMITS.pageSizeDefault };
}

/** The states that differ in their band alone, one for each that is to be counted. */
export function bandSearches(state: SearchState, bands: readonly string[]): SearchQuery[] {
  const filters = filtersOf(state);
  return bands.map((band) => ({ ...filters, band: [band], sort: "score", page: 1, limit: 1 }));
}

/** A state with something of it changed: it begins on its first page. */
export function changed(state: SearchState, change: Partial<SearchState>): SearchState {
  return { ...state, page: 1, ...change };
}

/** A state without one of the values that a filter has. */
export function without(state: SearchState, choice: Choice, value: string): SearchState {
  return changed(state, { [choice]: state[choice].filter((one) => one !== value) });
}

/** Whether anything narrows what is shown, beside the text. */
export function isFiltered(state: SearchState): boolean {
  const { q: _, ...others } = filtersOf(state);
  return Object.keys(others).length > 0;
}
