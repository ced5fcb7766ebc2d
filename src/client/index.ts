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
export {
  type Answer,
  type Client,
  createClient,
  type Filters,
  type ReportOptions,
  type SitesQuery,
  type SuggestQuery,
} from "./client.js";
export type { Presence } from "./environment.js";
export { CrawldexError, type ErrorKind } from "./error.js";
export type { ClientOptions, RequestOptions } from "./request.js";
export type { WatchOptions } from "./watch.js";
