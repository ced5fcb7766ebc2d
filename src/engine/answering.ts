import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type { Standards } from "../contract/standards.js";

/** What gives scores their meaning: the current version of the methodology, and its bands. */
export interface ScoreRubric {
  readonly version: string;
  readonly bands: readonly Pick<Standards["rubric"]["bands"][number], "band">[];
}

/** The host of a listing, and its `latestScannedAt`. */
export interface DatedHost {
  readonly host: string;
  readonly scannedAt: string | null;
}

/**
 * Answers the reads that search all listings. Each resolves to a complete JSON body in UTF-8, unless stated otherwise.
 * An engine elsewhere answers each call with one statement, or with a few more where it looks for corrections: call it
 * with a list instead of once for each host.
 */
export interface Engine {
  /** The number of listings in search. They are numbered from 0 in the default order: by score, then by host. */
  readonly size: number;
  /** The number of listings that have a score. Their numbers are 0 to `scored` - 1. */
  readonly scored: number;
  /** The hosts of all listings that have a score, in the default order, part by part. */
  scoredHosts(): AsyncIterable<readonly string[]>;
  /** The hosts and dates of the listings with these numbers, in the same order, part by part. */
  datedHosts(numbers: Uint32Array): AsyncIterable<readonly DatedHost[]>;
  /** The bodies of a search for all listings by host, `limit` listings each. */
  rows(limit: number): AsyncIterable<Uint8Array>;
  /**
   * By host, the checks that do not apply to a listing in search, or that its scan lacks, in no particular order. A
   * host that is not in search has none.
   */
  exemptOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** For each canonical host, its listing's SiteSummary as JSON; undefined if the host is not in search. */
  summariesOf(hosts: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** The hosts of all listings that filters find, sorted. */
  hostsFound(query: ListingFilters): Promise<readonly string[]>;
  /** GET /api/sites (docs/contract.md#11-search). */
  search(query: SearchQuery): Promise<Uint8Array>;
  /**
   * GET /api/sites/facets (docs/contract.md#13-facets).
   * @param rubric if given, the answer also has `scores`
   */
  facets(query: ListingFilters, rubric?: ScoreRubric | null): Promise<Uint8Array>;
  /** GET /api/sites/suggestions (docs/contract.md#12-suggestions). */
  suggest(query: SuggestionsQuery): Promise<Uint8Array>;
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
