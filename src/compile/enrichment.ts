import { hash } from "node:crypto";
import type { Enrichment } from "../contract/report-parts.js";
import type { Scan } from "../published/checking/scan-schema.js";
import type { Listing } from "../published/checking/schemas.js";

/**
 * The state of a published scan's enrichment; null if the scan has no enrichment or no score
 * (contract section 2, Enrichment; published format, enrichment).
 */
export function enrichmentOf(listing: Listing, scan: Scan): Enrichment | null {
  if (scan.enrichment === null || scan.score === null) return null;
  const { copy, revision } = scan.enrichment;
  const starterFiles = listing.entitlements.starterFiles ? scan.enrichment.starterFiles : null;
  return {
    scanId: scan.id,
    revision: revision ?? digest([copy, starterFiles, scan.fixes, scan.starterFiles]),
    copy,
    starterFiles,
  };
}

function digest(content: unknown): string {
  return hash("sha256", JSON.stringify(content)).slice(0, 32);
}
