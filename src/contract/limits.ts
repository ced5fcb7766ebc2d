/**
 * Every bound of the contract (docs/contract.md#9-limits), with its unit. Schemas, the OpenAPI document and the tests
 * read the bounds from this table.
 */
export const LIMITS = {
  /** listings per page if `limit` is not given */
  pageSizeDefault: 24,
  /** listings per page */
  pageSizeMax: 100,
  /** the highest page number that a request may have */
  pageMax: 10_000,
  /** code points of `q` on search and facets, after trimming */
  queryTextMin: 1,
  queryTextMax: 120,
  /** code points of `q` on suggestions, after trimming; a single character would match nearly everything */
  suggestionTextMin: 2,
  /** suggestions per answer */
  suggestionsMax: 5,
  /** corrected queries that an answer proposes if nothing matched */
  correctionsMax: 3,
  /** values of category, tag, platform or capability per request */
  filterValuesMax: 10,
  /** values of band per request; a rubric has about as many bands */
  bandValuesMax: 4,
  /** characters of a slug */
  slugMax: 80,
  /** points */
  scoreMin: 0,
  scoreMax: 100,
  /** characters of a host */
  hostMax: 253,
  /** characters of a scan id */
  scanIdMax: 128,
} as const;

/** How long changes are kept, and how many at most, unless directory.json says otherwise. */
export const CHANGES_KEPT = { days: 400, entries: 100_000 } as const;
