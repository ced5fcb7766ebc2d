import type { SiteSummary } from "../../contract/listing.js";
import { namesOf } from "../../contract/tables.js";

/** How a member of a summary is stored as a column of a segment's table. */
export interface TableColumn {
  /** `term` and `terms` are taxonomy entries, stored by their slugs. */
  readonly kind: "text" | "number" | "flag" | "texts" | "term" | "terms";
  readonly isNullable?: boolean;
}

/**
 * A column beside the summary: the checks that do not apply to the site, or that its scan lacks
 * (`ListingEntry.exempt`).
 */
const EXEMPT = "exempt";
export type ColumnName = keyof SiteSummary | typeof EXEMPT;

/** A row of a table. Without checks that do not apply, its column `exempt` is empty. */
export interface TableRow extends SiteSummary {
  readonly exempt?: readonly string[] | undefined;
}

/**
 * The columns of a segment's table: those of a summary under the names of the contract (docs/contract.md#22-summary)
 * and in their order, then our own. A table may lack columns that a later version has added: they read as null.
 */
export const COLUMNS: Readonly<Record<ColumnName, TableColumn>> = {
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
  [EXEMPT]: { kind: "texts" },
};

/** The columns of a summary, in the contract's order. */
export function summaryColumns(): (keyof SiteSummary)[] {
  return namesOf(COLUMNS).filter((name) => name !== EXEMPT);
}

/** The value of a row in a column. Terms are stored by their slugs: the manifest has their names. */
export function storedValue(row: TableRow, name: ColumnName) {
  if (name === "exempt") return row.exempt ?? [];
  if (name === "category") return row.category?.slug ?? null;
  if (name === "tags") return row.tags.map(({ slug }) => slug);
  return row[name];
}
