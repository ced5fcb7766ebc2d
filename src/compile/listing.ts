import { isPassed } from "../contract/figures.js";
import { currentSlug, currentSlugs, type FormerSlugs } from "../contract/former.js";
import type { SiteSummary } from "../contract/listing.js";
import { byCodeUnit, instantKey } from "../contract/order.js";
import type { AccessPolicy, Report } from "../contract/report.js";
import type { Listing, Scan } from "../input/checking/schemas.js";
import type { ScanOfListing } from "../input/input-reader.js";
import { bandOf, type DirectoryContext } from "./directory.js";
import { excerptOf } from "./excerpt.js";
import { historyOf, isWithheld, reportOf, type ScanHistory, withheldReportOf } from "./report.js";

export interface HistoricalReport {
  readonly scan: string;
  readonly report: string;
  readonly excerpt: string | null;
}

/** All answers of the API about one listing. Bodies are final JSON texts. */
export interface CompiledListing {
  readonly host: string;
  /** The listing's data in search, facets and suggestions; null if they leave the listing out. */
  readonly search: {
    readonly summary: SiteSummary;
    readonly recent: string;
    readonly gists: readonly string[];
  } | null;
  /**
   * The checks of the methodology that do not apply to the site, or that its scan lacks; none if it is not in search.
   */
  readonly exempt: readonly string[];
  readonly report: string;
  /** The part of the report that pages draw (`Excerpt`); null if they draw all of it. */
  readonly excerpt: string | null;
  readonly enrichment: string;
  /** The scan id of the latest report, which a request may also give. */
  readonly publishedScan: string;
  /** Reports of historical scans if the plan includes history, newest first. Each is made on demand; iterate once. */
  readonly historical: Iterable<HistoricalReport>;
  /** Ids of historical scans that the plan does not include: 403. Every other id is a 404. */
  readonly locked: readonly string[];
}

/** What extras keep of the latest report of a listing in search (`ListingEntry.search`). */
type GistsOf = (report: Report) => readonly string[];

/**
 * Compiles one listing with all its scans (docs/publishing.md#what-becomes-of-a-listing).
 * Null if it has no report at all: removed, deleted, never scanned. Holds one scan at a time.
 * @throws LostRecordError if a scan cannot be read again. Iterating `historical` may throw it too.
 */
export function compileListing(
  listing: Listing,
  scans: readonly ScanOfListing[],
  context: DirectoryContext,
  gistsOf: GistsOf = () => [],
): CompiledListing | null {
  const { former } = context;
  if (former === undefined) return compiled(listing, scans, context, gistsOf);
  const current = scans.map((scan) => ({
    ...scan,
    read: () => scanOfCurrentChecks(scan.read(), former),
  }));
  return compiled(listingOfCurrentTerms(listing, former), current, context, gistsOf);
}

/** A listing that names its terms by the slugs that they have now. */
function listingOfCurrentTerms(listing: Listing, former: FormerSlugs): Listing {
  const { category, tags, platforms } = listing;
  return {
    ...listing,
    category: category && currentSlug("category", category, former),
    tags: currentSlugs("tag", tags, former),
    platforms: currentSlugs("platform", platforms, former),
  };
}

/** A scan that names checks by the ids that they have now, so that a renamed check stays the same check. */
function scanOfCurrentChecks(scan: Scan, former: FormerSlugs): Scan {
  const renamed = <T extends { readonly checkId: string }>(one: T): T => ({
    ...one,
    checkId: currentSlug("capability", one.checkId, former),
  });
  const { accessPolicy } = scan;
  return {
    ...scan,
    checks: scan.checks.map(renamed),
    fixes: scan.fixes.map(renamed),
    accessPolicy: accessPolicy && policyOfCurrentChecks(accessPolicy, former),
  };
}

function policyOfCurrentChecks(policy: AccessPolicy, former: FormerSlugs): AccessPolicy {
  const rows = policy.rows.map((row) => ({
    ...row,
    findings: row.findings.map((finding) => ({
      ...finding,
      checkIds: currentSlugs("capability", finding.checkIds, former),
    })),
  }));
  return { ...policy, rows };
}

function compiled(
  listing: Listing,
  scans: readonly ScanOfListing[],
  context: DirectoryContext,
  gistsOf: GistsOf,
): CompiledListing | null {
  if (listing.visibility === "removed" || listing.visibility === "deleted") return null;
  const history = historyOf(listing, scans);
  if (history === null) return null;
  const { historical } = history;
  const published = history.published.read();
  if (isWithheld(listing, published)) {
    const report = withheldReportOf(listing, published, context);
    return { ...latest(report), search: null, exempt: [], historical: [], locked: [] };
  }
  const open = listing.entitlements.history;
  const report = reportOf(listing, published, history, context);
  return {
    ...latest(report),
    search: {
      summary: summaryOf(listing, published, context),
      recent: instantKey(published.finishedAt),
      gists: gistsOf(report),
    },
    exempt: exemptFrom(published, context),
    historical: open ? historicalReports(listing, history, context) : [],
    locked: open ? [] : historical.map(({ id }) => id),
  };
}

/** Yields one report at a time, because their total size grows with the square of the number of scans. */
function* historicalReports(
  listing: Listing,
  history: ScanHistory,
  context: DirectoryContext,
): Generator<HistoricalReport, void> {
  for (const scan of history.historical) {
    yield { scan: scan.id, ...reportBodies(reportOf(listing, scan.read(), history, context)) };
  }
}

function latest(report: Report) {
  return {
    host: report.site.host,
    ...reportBodies(report),
    enrichment: body(report.enrichment),
    publishedScan: report.scan.id,
  };
}

/** The texts of a report and of its excerpt. */
function reportBodies(report: Report): Pick<HistoricalReport, "report" | "excerpt"> {
  const excerpt = excerptOf(report);
  return { report: body(report), excerpt: excerpt && JSON.stringify(excerpt) };
}

function body(data: unknown): string {
  return JSON.stringify({ data });
}

/** The achievements and capabilities of the methodology for which a scan has no result, or only `na`. */
function exemptFrom({ checks }: Scan, { standards }: DirectoryContext): string[] {
  const subject = new Set(
    checks.filter(({ status }) => status !== "na").map(({ checkId }) => checkId),
  );
  return standards.checks
    .filter(({ id, kind }) => kind !== "penalty" && !subject.has(id))
    .map(({ id }) => id)
    .sort(byCodeUnit);
}

/** A listing with its published scan, as the directory search shows it (docs/contract.md#22-summary). */
function summaryOf(listing: Listing, scan: Scan, context: DirectoryContext): SiteSummary {
  const tags = new Set(listing.tags);
  return {
    host: listing.host,
    url: listing.url,
    name: listing.name,
    tagline: listing.tagline,
    status: listing.status,
    latestScore: scan.score,
    latestBand: bandOf(scan, context),
    latestScoreVersion: scan.score === null ? null : scan.scoreVersion,
    latestScannedAt: scan.finishedAt,
    platforms: [...new Set(listing.platforms)].sort(byCodeUnit),
    hosting: listing.hosting,
    linkRel: listing.linkRel,
    category: context.categories.find(({ slug }) => slug === listing.category) ?? null,
    tags: context.tags.filter(({ slug }) => tags.has(slug)),
    capabilities: scan.checks
      .filter(isPassed)
      .map(({ checkId }) => checkId)
      .sort(byCodeUnit),
    logoUrl: listing.logoUrl,
    ogImageUrl: listing.ogImageUrl,
    highlighted: listing.entitlements.highlight,
  };
}
