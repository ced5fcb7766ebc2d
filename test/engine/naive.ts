import type { SearchQuery } from "../../src/contract/query.js";
import { type Searchable, searchAmong } from "../oracle/derive.js";
import { type Query, readQuery } from "../oracle/query.js";
import type { Records } from "../oracle/records.js";
import {
  facetsBody,
  matchesOf,
  searchBody,
  suggestionsBody,
  type TextRead,
} from "../oracle/search.js";
import { fold } from "../oracle/text.js";
import type { IndexedListing } from "../store/columns-of.js";
import { RUBRIC, VOCABULARY } from "./directory.js";

/* What the engine must answer about listings: what the oracle answers. */

const known = new WeakMap<readonly IndexedListing[], Records>();

/** A directory of the oracle that has these listings in search, and the vocabulary and rubric of `directory.ts`. */
function recordsOf(listings: readonly IndexedListing[]): Records {
  const found = known.get(listings);
  if (found !== undefined) return found;
  const { categories, signals, platforms } = VOCABULARY;
  const records = {
    categories: categories.map((entry) => ({ ...entry, active: true })),
    platforms,
    standards: {
      rubric: RUBRIC,
      checks: signals.map(({ label, description, ...signal }) => ({
        ...signal,
        name: label,
        overview: description,
      })),
    },
  } as unknown as Records;
  searchAmong(records, listings.map(searchableOf));
  known.set(listings, records);
  return records;
}

function searchableOf({ summary, recent }: IndexedListing): Searchable {
  const { host, name, tagline } = summary;
  const folded = (text: string | null) => (text === null ? null : fold(text));
  const [seconds, fraction = ""] = recent.split(".");
  return {
    summary: summary as Searchable["summary"],
    scannedAt: { seconds: Number(seconds), fraction },
    folded: { host: fold(host), name: folded(name), tagline: folded(tagline) },
  };
}

function queryOf(given: Partial<SearchQuery>): Query {
  const { query } = readQuery("search", "");
  return Object.assign(query, JSON.parse(JSON.stringify(given)));
}

/** The listings that hold a text by itself, in the fields that a read looks at. */
export function matching(
  listings: readonly IndexedListing[],
  q: string,
  read: TextRead,
): Searchable[] {
  return matchesOf(recordsOf(listings), read, q);
}

/** The search answer without `didYouMean`. */
export function naiveSearch(listings: readonly IndexedListing[], query: SearchQuery): object {
  return searchBody(recordsOf(listings), queryOf(query));
}

/** The suggestions answer without `didYouMean`. */
export function naiveSuggest(
  listings: readonly IndexedListing[],
  query: { readonly q: string; readonly include?: "scores" },
): object {
  return suggestionsBody(recordsOf(listings), queryOf(query));
}

/** The facets answer. */
export function naiveFacets(
  listings: readonly IndexedListing[],
  query: Partial<SearchQuery> & { readonly include?: "scores" },
): object {
  return facetsBody(recordsOf(listings), queryOf(query));
}
