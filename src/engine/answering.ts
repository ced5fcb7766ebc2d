import type { FacetFilterName } from "../contract/filters.js";
import type { FacetScores } from "../contract/listing.js";
import type { ListingFilters, SearchQuery } from "../contract/query.js";
import type { Standards } from "../contract/standards.js";

/* What an engine answers: values, of which `answer/bodies.ts` writes the bodies of answers. */

/** What gives scores their meaning: the current version of the methodology, and its bands. */
export interface ScoreRubric {
  readonly version: string;
  readonly bands: readonly Pick<Standards["rubric"]["bands"][number], "band">[];
}

/** The JSON of a listing's SiteSummary, as a build stored it. It may be a part of the index: it must not be changed. */
export type StoredSummary = Uint8Array;

/** The listings of an answer, in its order. */
export interface Found {
  readonly summaries: readonly StoredSummary[];
  /** Corrections of a text that no listing contains; null if there is no need for any. */
  readonly didYouMean: readonly string[] | null;
}

/** A page of a search. */
export interface FoundPage extends Found {
  /** The number of listings on all pages. */
  readonly total: number;
}

/** A term of a facet without its count. Signals have an id, other terms a slug. */
export type FacetTerm = { readonly slug: string } | { readonly id: string };

/** The counts of a facet's terms. */
export interface CountedFacet {
  readonly filter: FacetFilterName;
  /** The terms, in a fixed order. An engine has one list for all of its answers. */
  readonly terms: readonly FacetTerm[];
  /** The number of listings that are counted. */
  readonly total: number;
  /** The index of each term and its count, in the order of the answer. */
  readonly items: readonly (readonly [term: number, count: number])[];
}

/** The counts beside a search. */
export interface CountedFacets {
  /** The number of listings that pass all filters. */
  readonly total: number;
  readonly facets: readonly CountedFacet[];
  /** Null unless a rubric was given. */
  readonly scores: FacetScores | null;
}

/** The host of a listing, and its `latestScannedAt`. */
export interface DatedHost {
  readonly host: string;
  readonly scannedAt: string | null;
}

/**
 * Answers the questions about all listings. An engine elsewhere answers each call with one statement, or with a few
 * more where it looks for corrections: call it with a list instead of once for each host.
 */
export interface Engine {
  /** The number of listings in search. They are numbered from 0 in the default order: by score, then by host. */
  readonly size: number;
  /** A page of the listings that a search finds (docs/contract.md#11-search). */
  search(query: SearchQuery): Promise<FoundPage>;
  /**
   * The listings whose host or name contains a text, the best first (docs/contract.md#12-suggestions).
   * @param corrects whether it looks for corrections if there are none. Default: true
   */
  suggest(q: string, corrects?: boolean): Promise<Found>;
  /**
   * Counts the listings that filters find by their values (docs/contract.md#13-facets).
   * @param rubric if given, the answer also has `scores`
   */
  facets(query: ListingFilters, rubric?: ScoreRubric | null): Promise<CountedFacets>;
  /** For each canonical host, its listing's summary; undefined if the host is not in search. */
  summariesOf(hosts: readonly string[]): Promise<readonly (StoredSummary | undefined)[]>;
  /**
   * By host, the checks that do not apply to a listing in search, or that its scan lacks, in no particular order. A
   * host that is not in search has none.
   */
  exemptOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The hosts of all listings that filters find, sorted. */
  hostsFound(query: ListingFilters): Promise<readonly string[]>;
  /** The hosts of all listings that have a score, in the default order, part by part. */
  scoredHosts(): AsyncIterable<readonly string[]>;
  /** The hosts and dates of the listings with these numbers, in the same order, part by part. */
  datedHosts(numbers: Uint32Array): AsyncIterable<readonly DatedHost[]>;
  /** The summaries of all listings, by host, part by part. */
  allSummaries(): AsyncIterable<readonly StoredSummary[]>;
  /**
   * Returns the engine that makes one answer, whose deadline begins now. Absent: the engine is in memory and needs
   * none.
   */
  readonly during?: (leaving?: Leaving) => AnswerEngine;
}

/** An engine that makes one answer. Its calls reject at the answer's deadline, or once nobody waits for the answer. */
export interface AnswerEngine extends Engine {
  /** The result of work that several answers share; rejects as all calls do, while the work continues. */
  inTime<T>(work: Promise<T>): Promise<T>;
}

/**
 * Returns a signal that is aborted once nobody waits for the answer. It is a function, so that an engine in memory need
 * not make the signal.
 */
export type Leaving = () => AbortSignal;
