import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type { Standards } from "../contract/standards.js";

/** What gives scores their meaning: the current version of the methodology, and its bands. */
export interface ScoreRubric {
  readonly version: string;
  readonly bands: readonly Pick<Standards["rubric"]["bands"][number], "band">[];
}

/**
 * Answers the reads that search all listings. Each resolves to a complete JSON body in UTF-8, unless stated otherwise.
 */
export interface Engine {
  /** The number of listings in search. They are numbered from 0 in the default order: by score, then by host. */
  readonly size: number;
  /** The number of listings that have a score. Their numbers are 0 to `scored` - 1. */
  readonly scored: number;
  /** The hosts of the listings with these numbers, in the same order. */
  hostsOf(numbers: Uint32Array): Promise<readonly string[]>;
  /** The `latestScannedAt` of the listings with these numbers, in the same order. */
  scannedAt(numbers: Uint32Array): Promise<readonly (string | null)[]>;
  /**
   * By host, the checks that do not apply to a listing in search, or that its scan lacks, in no particular order. A
   * host that is not in search has none.
   */
  exemptOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** A listing's SiteSummary as JSON by its canonical host; undefined if the host is not in search. */
  summaryOf(host: string): Promise<Uint8Array | undefined>;
  /** The hosts of all listings that filters find, sorted. */
  hostsFound(query: ListingFilters): Promise<readonly string[]>;
  /**
   * GET /api/sites (contract section 4).
   * @param leaving returns a signal that is aborted once nobody waits for the answer, which may then never come
   */
  search(query: SearchQuery, leaving?: Leaving): Promise<Uint8Array>;
  /**
   * GET /api/sites/facets (contract section 4).
   * @param rubric if given, the answer also has `scores`
   * @param leaving as for `search`
   */
  facets(
    query: ListingFilters,
    rubric?: ScoreRubric | null,
    leaving?: Leaving,
  ): Promise<Uint8Array>;
  /** GET /api/sites/suggestions (contract section 4). @param leaving as for `search` */
  suggest(query: SuggestionsQuery, leaving?: Leaving): Promise<Uint8Array>;
}

/** A function, so that an engine that is in memory need not make the signal. */
export type Leaving = () => AbortSignal;
