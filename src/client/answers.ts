import type { z } from "zod";
import type { BODIES } from "../contract/bodies.js";
import type { EXTENSION_BODIES } from "../contract/extension-bodies.js";
import type { FacetsQuery, ReportQuery, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type { RouteName } from "../contract/routes.js";

// The package's declarations of this module are generated: with them, editors describe each property.

export type { Issue } from "../contract/error.js";
export type { Facets, SiteSummary, Suggestion, TaxonomyEntry } from "../contract/listing.js";
export type { Report } from "../contract/report.js";
export type { AccessPolicy, Enrichment } from "../contract/report-parts.js";
export type { Standards } from "../contract/standards.js";

/** The bodies of 200 answers, by the route's name (contract section 4). */
export type Answers = { [Name in RouteName]: z.output<(typeof BODIES)[Name]> };

/** What `/api/batch` answers, beyond the contract. */
export type BatchAnswer = z.output<(typeof EXTENSION_BODIES)["batch"]>;

/** The parameters of the reads that have some (contract section 4), by the route's name. */
export interface Parameters {
  search: SearchQuery;
  suggestions: SuggestionsQuery;
  facets: FacetsQuery;
  report: ReportQuery;
}
