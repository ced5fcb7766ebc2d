import type { SiteSummary } from "../contract/listing.js";
import { byCodeUnit } from "../contract/order.js";
import type { Scan } from "../published/checking/scan-schema.js";
import type { Listing } from "../published/checking/schemas.js";
import { bandOf, type DirectoryContext } from "./directory.js";

/** A listing with its published scan, as the directory search shows it (contract section 2, SiteSummary). */
export function summaryOf(listing: Listing, scan: Scan, context: DirectoryContext): SiteSummary {
  const tags = new Set(listing.tags);
  return {
    host: listing.host,
    url: listing.url,
    name: listing.name,
    tagline: listing.tagline,
    status: listing.status,
    latestScore: scan.score,
    latestBand: bandOf(scan, context.standards),
    latestScoreVersion: scan.score === null ? null : scan.scoreVersion,
    latestScannedAt: scan.finishedAt,
    platforms: [...new Set(listing.platforms)].sort(byCodeUnit),
    hosting: listing.hosting,
    linkRel: listing.linkRel,
    category: context.categories.find(({ slug }) => slug === listing.category) ?? null,
    tags: context.tags.filter(({ slug }) => tags.has(slug)),
    capabilities: scan.checks
      .filter(({ kind, status }) => kind !== "penalty" && status === "pass")
      .map(({ checkId }) => checkId)
      .sort(byCodeUnit),
    logoUrl: listing.logoUrl,
    ogImageUrl: listing.ogImageUrl,
    highlighted: listing.entitlements.highlight,
  };
}
