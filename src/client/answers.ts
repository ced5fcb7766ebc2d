import type { z } from "zod";
import type { BODIES } from "../contract/bodies.js";
import type { SiteSummary } from "../contract/listing.js";
import type { FacetsQuery, ReportQuery, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import type { RouteName } from "../contract/routes.js";

// The package's declarations of this module are generated: with them, editors describe each property.

export type { Issue } from "../contract/error.js";
export type { Facets, SiteSummary, Suggestion, TaxonomyEntry } from "../contract/listing.js";
export type { AccessPolicy, Enrichment, Report } from "../contract/report.js";
export type { Standards } from "../contract/standards.js";

/** The bodies of 200 answers, by the route's name (docs/contract.md#1-the-nine-reads). */
export type Answers = { [Name in RouteName]: z.output<(typeof BODIES)[Name]> };

/*
 * The reads beyond the contract that the client has methods for. A directory may not have them. The package's
 * declarations have all members as the schemas of these reads have them.
 */

/** What `/api/changes` answers. */
export interface ChangesAnswer {
  data: SiteChange[];
  cursor: string;
  next: string | null;
}

/** A change of one site in one publication. */
export interface SiteChange {
  host: string | null;
  generation: number;
  publishedAt: string;
  change: "added" | "changed" | "removed";
  score: { from: number | null; to: number | null } | null;
  band: { from: string | null; to: string | null } | null;
  scoreVersion: { from: string | null; to: string | null } | null;
  checks: { gained: string[]; lost: string[] } | null;
  was: { [filter: string]: string | string[] | null | undefined } | null;
  site: SiteSummary | null;
}

/** What `/api/batch` answers. */
export interface BatchAnswer {
  data: { host: string; asked?: string; listed: boolean; site?: SiteSummary }[];
}

/** What `/api/preflight` answers. */
export interface PreflightAnswer {
  data: {
    host: string;
    asked?: string;
    known: "listed" | "withheld" | "unknown";
    mayRead: "yes" | "no" | "partly" | "unstated";
    robotsVerdict: string | null;
    access: { title: string; states: string[] }[];
    movedTo: string | null;
    latestScore: number | null;
    latestBand: string | null;
    latestScoreVersion: string | null;
    latestScannedAt: string | null;
    offers: string[];
    lacks: string[];
  }[];
}

/** What a site declares to a crawler, and what its server did with the crawler's requests. */
interface Treatment {
  declared: "allowed" | "disallowed" | "mixed" | "unstated";
  served: "answered" | "refused" | "mixed" | "unknown";
}

/** What `/api/access` answers. `sites` and `pagination` are there if a crawler was asked for. */
export interface AccessAnswer {
  data: {
    figures: {
      crawler: string;
      n: number;
      allowedButRefused: number;
      disallowedButAnswered: number;
      counts: (Treatment & { sites: number })[];
    }[];
    sites?: (Treatment & { site: SiteSummary })[];
  };
  pagination?: { page: number; limit: number; total: number; totalPages: number };
}

/** What `/api/dump/` answers. */
export interface DumpAnswer {
  data: {
    content: string;
    generation: number;
    scannedTo: string | null;
    rows: number;
    license: { name: string; url: string | null } | null;
    files: { file: string; url: string; mediaType: string; bytes: number; sha256: string }[];
    columns: { name: string; type: string; isNullable: boolean; description: string }[];
    lists: {
      file: string;
      url: string;
      hosts: number;
      filter?: string;
      value?: string;
      crawler?: string;
      access?: "allowed" | "disallowed" | "refused";
    }[];
    croissant: string;
  };
}

/** What `/api/trends` answers. */
export interface TrendsAnswer {
  data: {
    category: string | null;
    check: string | null;
    points: {
      generation: number;
      publishedAt: string | null;
      scannedTo: string | null;
      scoreVersion: string;
      listings: number;
      scored: number;
      median: number | null;
      bands: Record<string, number>;
      passed: number | null;
      n: number | null;
      share: number | null;
    }[];
  };
}

/** The parameters of the reads that have some (docs/contract.md#3-requests), by the route's name. */
export interface Parameters {
  search: SearchQuery;
  suggestions: SuggestionsQuery;
  facets: FacetsQuery;
  report: ReportQuery;
}
