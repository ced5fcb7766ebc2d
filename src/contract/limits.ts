/**
 * Every bound of the contract's section 8, with its unit. Schemas, the OpenAPI document and the
 * tests read them from here.
 */
export const LIMITS = {
  /** listings a page, when `limit` is not given */
  pageSizeDefault: 24,
  /** listings a page */
  pageSizeMax: 100,
  /** number of the last page that may be asked for */
  pageMax: 10_000,
  /** code points of `q` on search and facets, after trimming */
  queryTextMin: 1,
  queryTextMax: 120,
  /** code points of `q` on suggestions, after trimming: one character would match nearly everything */
  suggestionTextMin: 2,
  /** suggestions an answer */
  suggestionsMax: 5,
  /** corrected queries an answer proposes where nothing matched */
  correctionsMax: 3,
  /** values of category, tag, platform, capability a request */
  filterValuesMax: 10,
  /** values of band a request: a rubric has about that many */
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
