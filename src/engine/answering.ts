import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type { Standards } from "../contract/standards.js";

/** What gives scores their meaning: the current version of the methodology, and its bands. */
export interface ScoreRubric {
  readonly version: string;
  readonly bands: readonly Pick<Standards["rubric"]["bands"][number], "band">[];
}

/**
 * Answers the reads that search all listings. Each read resolves to a whole JSON body in UTF-8, unless it says otherwise.
 */
export interface Engine {
  /** The number of listings in search. They are numbered from 0 in the default order: by score, then by host. */
  readonly size: number;
  /** The number of listings that have a score. Their numbers are 0 to `scored` - 1. */
  readonly scored: number;
  /** Returns a listing's host by its number. */
  hostOf(number: number): string;
  /** Returns a listing's `latestScannedAt` by its number. */
  scannedAt(number: number): string | null;
  /** The checks that do not apply to a listing in search, or that its scan lacks, in no order. */
  exemptOf(host: string): readonly string[];
  /** A listing's SiteSummary as JSON by its canonical host; undefined if the host is not in search. */
  summaryOf(host: string): Promise<Uint8Array | undefined>;
  /** The hosts of all listings that filters find, sorted. */
  hostsOf(query: ListingFilters): string[];
  /** GET /api/sites (contract section 4). */
  search(query: SearchQuery): Promise<Uint8Array>;
  /**
   * GET /api/sites/facets (contract section 4).
   * @param rubric if given, the answer also has `scores`
   */
  facets(query: ListingFilters, rubric?: ScoreRubric | null): Promise<Uint8Array>;
  /** GET /api/sites/suggestions (contract section 4). */
  suggest(query: SuggestionsQuery): Promise<Uint8Array>;
}
