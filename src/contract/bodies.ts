import { z } from "zod";
import { Enrichment } from "./enrichment.js";
import { field } from "./field.js";
import { LIMITS } from "./limits.js";
import { Facets, Pagination, SiteSummary, Suggestion, TaxonomyEntry } from "./listing.js";
import { Report } from "./report.js";
import type { RouteName } from "./routes.js";
import { Standards } from "./standards.js";

/** Queries proposed if `q` alone matches nothing (decisions, Typo tolerance). */
const Corrections = field(
  z.array(z.string()).max(LIMITS.correctionsMax).optional(),
  "Beyond the contract: corrected queries, where q by itself matches no listing.",
  ["weather"],
);

/** The schemas of the bodies of 200 answers, by route (contract section 4). */
export const BODIES = {
  search: z.strictObject({
    data: field(z.array(SiteSummary), "The listings of the page, in the order of `sort`."),
    pagination: field(Pagination, "Where the page lies among all that match."),
    didYouMean: Corrections,
  }),
  suggestions: z.strictObject({
    data: field(z.array(Suggestion).max(LIMITS.suggestionsMax), "The suggestions, best first."),
    didYouMean: Corrections,
  }),
  facets: z.strictObject({ data: field(Facets, "The counts.") }),
  report: z.strictObject({ data: field(Report, "The report.") }),
  enrichment: z.strictObject({
    data: field(Enrichment.nullable(), "The state; null for unscored reports."),
  }),
  standards: z.strictObject({ data: field(Standards, "The scoring methodology.") }),
  categories: z.strictObject({ data: field(z.array(TaxonomyEntry), "The active categories.") }),
  tags: z.strictObject({ data: field(z.array(TaxonomyEntry), "The active tags.") }),
  openapi: z.looseObject({
    openapi: field(z.string(), "Version of the OpenAPI format.", "3.1.0"),
    info: field(
      z.looseObject({ version: field(z.string(), "Version of the API.", "1.0.0") }),
      "About the API.",
    ),
  }),
  catalog: z.looseObject({
    linkset: field(
      z.array(
        z.looseObject({
          anchor: field(
            z.string(),
            "The API that the links are about.",
            "https://api.directory.example/api",
          ),
        }),
      ),
      "The APIs and their links.",
    ),
  }),
} as const satisfies Readonly<Record<RouteName, z.ZodType>>;
