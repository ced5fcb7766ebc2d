import type { Report } from "../contract/report.js";
import { withoutStarterFiles } from "./enrichment.js";
import { instantKey } from "./instant.js";
import type { CompiledListing } from "./listing.js";
import { isOffered } from "./report.js";

/** What may be shown of a listing, as its compiled answers tell it. */
export interface Terms {
  /** Ownership status. */
  readonly status: string;
  readonly access: Report["access"];
  /** Fix prompts that the plan shows; null: all. */
  readonly fixPrompts: number | null;
  /** Ids that scans are known by: the published one first, then the older ones. */
  readonly scans: readonly string[];
  /** When the published scan finished. */
  readonly finishedAt: string;
}

/** Which scans a listing's answers know of, opened by the plan or not. */
export interface KnownScans {
  readonly publishedScan: string;
  readonly historical: readonly { readonly scan: string }[];
  readonly locked: readonly string[];
}

/** The terms on which a listing's answers were compiled. */
export function termsOf({ publishedScan, historical, locked }: KnownScans, report: Report): Terms {
  return {
    status: report.site.status,
    access: report.access,
    fixPrompts: report.fixes.limit,
    scans: [publishedScan, ...historical.map(({ scan }) => scan), ...locked],
    finishedAt: report.scan.finishedAt,
  };
}

/**
 * The terms on which former answers may be shown today: ownership and highlight as they are today, and of
 * all else what both the former and today's plan allow, since the former answers have no more in them.
 * A scan that is not known today was withdrawn or is held back, and stays away.
 * @param today of a listing that is not withheld
 * @returns null where the former published scan itself stays away: nothing is left to show then
 */
export function termsToday(former: Terms, today: Terms): Terms | null {
  if (isWithdrawn(former, today)) return null;
  const [published, ...older] = former.scans;
  const known = new Set(today.scans);
  return {
    status: today.status,
    access: {
      history: former.access.history && today.access.history,
      highlight: today.access.highlight,
      starterFiles: former.access.starterFiles && today.access.starterFiles,
    },
    fixPrompts: fewer(former.fixPrompts, today.fixPrompts),
    scans: [published!, ...older.filter((scan) => known.has(scan))],
    finishedAt: former.finishedAt,
  };
}

/** Whether terms allow just what others do. */
export function isSameTerms(a: Terms, b: Terms): boolean {
  const asText = ({ status, access, fixPrompts, scans }: Terms) =>
    JSON.stringify([
      status,
      access.history,
      access.highlight,
      access.starterFiles,
      fixPrompts,
      scans,
    ]);
  return asText(a) === asText(b);
}

/**
 * Cuts a listing's compiled answers down to terms, so that they are what compiling its scans on those
 * terms gives. One thing differs: a `revision` that cannot be derived again, as the fixes that it covers
 * are not all in the answers, is derived from the former one where the state of the starter files is lost.
 * @param terms what `termsToday` gives for this listing
 */
export function restricted(former: CompiledListing, terms: Terms): CompiledListing {
  const { search } = former;
  const older = terms.scans.slice(1);
  const report = reportOn(terms, former.report);
  return {
    host: former.host,
    search: search && {
      summary: {
        ...search.summary,
        status: terms.status,
        highlighted: terms.access.highlight,
      },
      recent: search.recent,
    },
    report: body(report),
    enrichment: body(report.enrichment),
    publishedScan: former.publishedScan,
    historical: terms.access.history ? historicalOn(terms, former) : [],
    locked: terms.access.history ? [] : older,
  };
}

function* historicalOn(terms: Terms, { historical }: CompiledListing) {
  const known = new Set(terms.scans);
  for (const { scan, report } of historical) {
    if (known.has(scan)) yield { scan, report: body(reportOn(terms, report)) };
  }
}

function reportOn({ status, access, fixPrompts, scans }: Terms, text: string): Report {
  const { history, ...report } = (JSON.parse(text) as { data: Report }).data;
  const { site, fixes, starterFiles, enrichment } = report;
  const data = fixes.data.slice(0, fixPrompts ?? fixes.data.length);
  const isLost = report.access.starterFiles && !access.starterFiles;
  return {
    ...report,
    enrichment: enrichment !== null && isLost ? withoutStarterFiles(enrichment) : enrichment,
    site: { ...site, status, claimed: status === "claimed" },
    fixes: { data, total: fixes.total, limit: fixPrompts, hidden: fixes.total - data.length },
    access,
    starterFiles: isLost ? null : starterFiles,
    starterFilesOffer: isLost ? isOffered(starterFiles, report.scan) : report.starterFilesOffer,
    ...(access.history && history && { history: history.filter(({ id }) => scans.includes(id)) }),
  };
}

/**
 * Whether a listing's former published scan was taken out of the input or is held back: it is not known
 * today, though an older one of the former scans is, or nothing newer is published. Where today only newer
 * scans are known, the input holds no archive, and the scan was followed by another.
 */
function isWithdrawn(former: Terms, today: Terms): boolean {
  const [published, ...older] = former.scans;
  if (today.scans.includes(published!)) return false;
  if (older.some((scan) => today.scans.includes(scan))) return true;
  return instantKey(today.finishedAt) <= instantKey(former.finishedAt);
}

/** The smaller of two numbers of fix prompts. */
function fewer(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function body(data: unknown): string {
  return JSON.stringify({ data });
}
