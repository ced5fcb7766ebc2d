export type {
  AccessPolicy,
  Enrichment,
  Facets,
  Issue,
  Report,
  SiteSummary,
  Standards,
  Suggestion,
  TaxonomyEntry,
} from "./answers.js";
export { type Client, createClient } from "./client.js";
export type { Presence } from "./environment.js";
export { CrawldexError, type ErrorKind } from "./error.js";
export type {
  Answer,
  FacetQuery,
  Filters,
  Reads,
  ReportOptions,
  SitesQuery,
  SuggestQuery,
} from "./reads.js";
export type { ClientOptions, RequestOptions } from "./request.js";
export type { WatchOptions } from "./watch.js";
