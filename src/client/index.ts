export type { AccessPolicy } from "../contract/access-policy.js";
export type { Enrichment } from "../contract/enrichment.js";
export type { Issue } from "../contract/error.js";
export type { Facets, SiteSummary, Suggestion, TaxonomyEntry } from "../contract/listing.js";
export type { Report } from "../contract/report.js";
export type { Standards } from "../contract/standards.js";
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
