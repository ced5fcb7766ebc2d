import * as z from "zod";
import { FreeForm, field, textField } from "./field.js";
import { LIMITS } from "./limits.js";
import { Facets, Pagination, SiteSummary, Suggestion, TaxonomyEntry } from "./listing.js";
import { Enrichment, Report } from "./report.js";
import type { RouteName } from "./routes.js";
import { Standards } from "./standards.js";

/** Queries proposed if `q` alone matches nothing (docs/contract.md#42-corrections). */
const Corrections = field(
  z.array(z.string()).max(LIMITS.correctionsMax).optional(),
  "Beyond the contract: corrected queries, where q by itself matches no listing.",
  ["weather"],
);

const Links = z.array(
  z.looseObject({
    href: textField("Address.", "https://api.directory.example/api/openapi.json"),
    type: textField("Media type.", "application/json"),
  }),
);

/** The schemas of the bodies of 200 answers, by route (docs/contract.md#1-the-nine-reads). */
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
    openapi: textField("Version of the OpenAPI format.", "3.1.0"),
    info: field(
      z.looseObject({
        title: textField("Name of the API.", "Read API of Example Directory"),
        version: textField("Version of the API.", "1.0.0"),
      }),
      "About the API.",
    ),
    paths: field(FreeForm, "The reads, by path.", {}),
  }),
  catalog: z.looseObject({
    linkset: field(
      z.array(
        z.looseObject({
          anchor: textField(
            "The API that the links are about.",
            "https://api.directory.example/api",
          ),
          "service-desc": field(Links, "Its description for programs."),
          "service-doc": field(Links, "Its description for people."),
        }),
      ),
      "The APIs and their links.",
    ),
  }),
} as const satisfies Readonly<Record<RouteName, z.ZodType>>;

/** One violation of a request. `path` is the parameter's name; `category[2]` is the third value of a repeated one. */
export const Issue = z
  .strictObject({
    path: textField(
      "The parameter; `category[2]` is the third value of a repeated one.",
      "minScore",
    ),
    message: textField("What is wrong with it.", "must not exceed maxScore"),
  })
  .meta({ id: "Issue" });
export type Issue = z.infer<typeof Issue>;

/** The error body (docs/contract.md#7-errors) of every answer that is not 2xx or 304. */
export const ErrorBody = z
  .strictObject({
    error: textField("What went wrong, in a sentence.", "No report is published for this host."),
    issues: field(
      z.array(Issue).optional(),
      "Everything that is wrong with the request; left out for other errors.",
    ),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;
