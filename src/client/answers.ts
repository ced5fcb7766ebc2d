import type { z } from "zod";
import type { BODIES } from "../contract/bodies.js";
import type { EXTENSION_BODIES } from "../contract/extension-bodies.js";
import type { TrendsQuery } from "../contract/extensions.js";
import type { FacetsQuery, ReportQuery, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type { RouteName } from "../contract/routes.js";

// The package's declarations of this module are generated: with them, editors describe each property.

export type { Issue } from "../contract/error.js";
export type { Facets, SiteSummary, Suggestion, TaxonomyEntry } from "../contract/listing.js";
export type { AccessPolicy, Enrichment, Report } from "../contract/report.js";
export type { Standards } from "../contract/standards.js";

/** The bodies of 200 answers, by the route's name (docs/contract.md#1-the-nine-reads). */
export type Answers = { [Name in RouteName]: z.output<(typeof BODIES)[Name]> };

/** The body of the changes read, which is beyond the contract. */
export type ChangesAnswer = z.output<(typeof EXTENSION_BODIES)["changes"]>;
/** A change of one site in one publication. */
export type SiteChange = ChangesAnswer["data"][number];

/** What `/api/batch` answers, beyond the contract. */
export type BatchAnswer = z.output<(typeof EXTENSION_BODIES)["batch"]>;

/** What `/api/dump/` answers, beyond the contract. */
export type DumpAnswer = z.output<(typeof EXTENSION_BODIES)["dump"]>;
/** What `/api/trends` answers, beyond the contract. */
export type TrendsAnswer = z.output<(typeof EXTENSION_BODIES)["trends"]>;

/** The parameters of the reads that have some (docs/contract.md#3-requests), by the route's name. */
export interface Parameters {
  search: SearchQuery;
  suggestions: SuggestionsQuery;
  facets: FacetsQuery;
  report: ReportQuery;
  trends: TrendsQuery;
}
