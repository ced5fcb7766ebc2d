import type { z } from "zod";
import type { BODIES } from "../contract/bodies.js";
import type { FacetsQuery, ReportQuery, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type { RouteName } from "../contract/routes.js";
import type { BatchBody } from "../extras/batch/bodies.js";
import type { ChangesBody } from "../extras/changes/bodies.js";
import type { DumpBody } from "../extras/dumps/bodies.js";
import type { TrendsBody } from "../extras/trends/bodies.js";
import type { TrendsQuery } from "../extras/trends/reads.js";

// The package's declarations of this module are generated: with them, editors describe each property.

export type { Issue } from "../contract/error.js";
export type { Facets, SiteSummary, Suggestion, TaxonomyEntry } from "../contract/listing.js";
export type { AccessPolicy, Enrichment, Report } from "../contract/report.js";
export type { Standards } from "../contract/standards.js";

/** The bodies of 200 answers, by the route's name (docs/contract.md#1-the-nine-reads). */
export type Answers = { [Name in RouteName]: z.output<(typeof BODIES)[Name]> };

/** The body of the changes read, which is beyond the contract. */
export type ChangesAnswer = z.output<typeof ChangesBody>;
/** A change of one site in one publication. */
export type SiteChange = ChangesAnswer["data"][number];

/** What `/api/batch` answers, beyond the contract. */
export type BatchAnswer = z.output<typeof BatchBody>;

/** What `/api/dump/` answers, beyond the contract. */
export type DumpAnswer = z.output<typeof DumpBody>;
/** What `/api/trends` answers, beyond the contract. */
export type TrendsAnswer = z.output<typeof TrendsBody>;

/** The parameters of the reads that have some (docs/contract.md#3-requests), by the route's name. */
export interface Parameters {
  search: SearchQuery;
  suggestions: SuggestionsQuery;
  facets: FacetsQuery;
  report: ReportQuery;
  trends: TrendsQuery;
}
