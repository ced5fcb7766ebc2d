import type { SiteSummary } from "../../contract/listing.js";

/** How a member of a summary is stored as a column of a segment's table. */
export interface TableColumn {
  /** `term` and `terms` are taxonomy entries, stored by their slugs. */
  readonly kind: "text" | "number" | "flag" | "texts" | "term" | "terms";
  readonly isNullable?: boolean;
}

/**
 * The columns of a segment's table, under the names of the contract (section 2, SiteSummary) and in their order. A table
 * may lack columns that a later version has added: they read as null.
 */
export const COLUMNS: Readonly<Record<keyof SiteSummary, TableColumn>> = {
  host: { kind: "text" },
  url: { kind: "text" },
  name: { kind: "text", isNullable: true },
  tagline: { kind: "text", isNullable: true },
  status: { kind: "text" },
  latestScore: { kind: "number", isNullable: true },
  latestBand: { kind: "text", isNullable: true },
  latestScoreVersion: { kind: "text", isNullable: true },
  latestScannedAt: { kind: "text", isNullable: true },
  platforms: { kind: "texts" },
  hosting: { kind: "text", isNullable: true },
  linkRel: { kind: "text" },
  category: { kind: "term", isNullable: true },
  tags: { kind: "terms" },
  capabilities: { kind: "texts" },
  logoUrl: { kind: "text", isNullable: true },
  ogImageUrl: { kind: "text", isNullable: true },
  highlighted: { kind: "flag" },
};
