import type { SiteSummary } from "../contract/listing.js";
import type { Report } from "../contract/report.js";
import type { Listing } from "../published/checking/schemas.js";
import type { PublishedScan } from "../published/published.js";
import type { DirectoryContext } from "./directory.js";
import { historyOf, type ScanHistory } from "./history.js";
import { instantKey } from "./instant.js";
import { isWithheld, reportOf, withheldReportOf } from "./report.js";
import { summaryOf } from "./summary.js";

interface HistoricalReport {
  readonly scan: string;
  readonly report: string;
}

/** Everything that the API answers about one listing; bodies are final JSON texts. */
export interface CompiledListing {
  readonly host: string;
  /** What search, facets and suggestions show; null where the listing is not in them. */
  readonly search: { readonly summary: SiteSummary; readonly recent: string } | null;
  readonly report: string;
  readonly enrichment: string;
  /** The id that the latest report also answers to. */
  readonly publishedScan: string;
  /** Reports of historical scans that the plan opens, newest first; each is made when it is asked for, once. */
  readonly historical: Iterable<HistoricalReport>;
  /** Ids of historical scans that the plan does not open: 403. Every other id is a 404. */
  readonly locked: readonly string[];
}

/**
 * Compiles one listing with all its scans (published format, how the build derives what the API serves).
 * Null where it has no report at all: removed, deleted, never scanned. Scans are held one at a time.
 * @throws LostRecordError where a scan cannot be read any more; so does what makes the historical reports
 */
export function compileListing(
  listing: Listing,
  scans: readonly PublishedScan[],
  context: DirectoryContext,
): CompiledListing | null {
  if (listing.visibility === "removed" || listing.visibility === "deleted") return null;
  const history = historyOf(listing, scans);
  if (history === null) return null;
  const { historical } = history;
  const published = history.published.read();
  if (isWithheld(listing, published)) {
    const report = withheldReportOf(listing, published, context);
    return { ...latest(report), search: null, historical: [], locked: [] };
  }
  const open = listing.entitlements.history;
  return {
    ...latest(reportOf(listing, published, history, context)),
    search: {
      summary: summaryOf(listing, published, context),
      recent: instantKey(published.finishedAt),
    },
    historical: open ? historicalReports(listing, history, context) : [],
    locked: open ? [] : historical.map(({ id }) => id),
  };
}

/** One after the other: together they are as large as the square of the number of scans. */
function* historicalReports(
  listing: Listing,
  history: ScanHistory,
  context: DirectoryContext,
): Generator<HistoricalReport, void> {
  for (const scan of history.historical) {
    yield { scan: scan.id, report: body(reportOf(listing, scan.read(), history, context)) };
  }
}

function latest(report: Report) {
  return {
    host: report.site.host,
    report: body(report),
    enrichment: body(report.enrichment),
    publishedScan: report.scan.id,
  };
}

function body(data: unknown): string {
  return JSON.stringify({ data });
}
