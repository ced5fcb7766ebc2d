import { byFinish, gradeOf, publishedScanOf } from "./derive.js";
import type { ListingRecord, Records, ScanRecord } from "./records.js";

/** Stands for an `enrichment.revision` that the implementation chooses. */
export const anyRevision = "<any>";

/** What a read of a report finds: a body, or the status that says why there is none. */
export type Found = { status: 200; body: Record<string, unknown> } | { status: 403 | 404 };

const absent: Found = { status: 404 };

const readable = ["listed", "blocked", "opted-out", "redirected"];

/** A listing that has a report, and its published scan. */
interface Reported {
  listing: ListingRecord;
  published: ScanRecord;
  withheld: boolean;
}

function reportedOf(records: Records, host: string): Reported | undefined {
  const listing = records.listings.get(host);
  if (listing === undefined || !readable.includes(listing.visibility)) return undefined;
  const published = publishedScanOf(records, listing);
  if (published === undefined) return undefined;
  const withheld = listing.visibility !== "listed" || published.status === "moved";
  return { listing, published, withheld };
}

/** The published scan and those that finished before it, newest first; held-back ones are not in. */
function publishedScans(records: Records, { listing, published }: Reported): ScanRecord[] {
  return (records.scans.get(listing.host) ?? [])
    .filter((scan) => byFinish(scan, published) <= 0)
    .sort((a, b) => byFinish(b, a));
}

/** What `GET /api/sites/{host}/report` finds; `scanId` undefined: the latest report. */
export function findReport(records: Records, host: string, scanId?: string): Found {
  const reported = reportedOf(records, host);
  if (reported === undefined) return absent;
  const { listing, published, withheld } = reported;
  if (scanId === undefined || scanId === published.id)
    return {
      status: 200,
      body: {
        data: withheld
          ? withheldReport(records, reported)
          : fullReport(records, reported, published),
      },
    };
  if (withheld) return absent;
  const historical = publishedScans(records, reported).find(({ id }) => id === scanId);
  if (historical === undefined) return absent;
  if (!listing.entitlements.history) return { status: 403 };
  return { status: 200, body: { data: fullReport(records, reported, historical) } };
}

/** What `GET /api/sites/{host}/enrichment` finds. */
export function findEnrichment(records: Records, host: string): Found {
  const reported = reportedOf(records, host);
  if (reported === undefined) return absent;
  const { listing, published, withheld } = reported;
  return { status: 200, body: { data: withheld ? null : enrichmentOf(listing, published) } };
}

/** The enrichment of a published scan that is not withheld. */
function enrichmentOf(listing: ListingRecord, { id, score, enrichment }: ScanRecord) {
  if (score === null || enrichment === null) return null;
  return {
    scanId: id,
    revision: enrichment.revision ?? anyRevision,
    copy: enrichment.copy,
    starterFiles: listing.entitlements.starterFiles ? enrichment.starterFiles : null,
  };
}

function siteOf({ host, url, name, description, status }: ListingRecord) {
  return { host, url, name, description, status, claimed: status === "claimed" };
}

function accessOf({ entitlements: { history, highlight, starterFiles } }: ListingRecord) {
  return { history, highlight, starterFiles };
}

function linksOf({ siteUrl }: Records, { host }: ListingRecord) {
  const canonical = `${siteUrl}/sites/${host}`;
  return { canonical, markdown: `${canonical}/report.md` };
}

function fullReport(records: Records, reported: Reported, scan: ScanRecord) {
  const { listing, published } = reported;
  const { history, fixPrompts, starterFiles } = listing.entitlements;
  const scored = scan.score !== null;
  const historical = scan !== published;
  const grade = gradeOf(records, scan);
  const fixes = scan.fixes
    .slice(0, fixPrompts ?? scan.fixes.length)
    .map((fix) => (scored ? fix : { ...fix, scoreAfter: null }));
  return {
    enrichment: historical ? null : enrichmentOf(listing, scan),
    accessPolicy: scan.accessPolicy,
    prerender: scan.prerender,
    site: siteOf(listing),
    scan: {
      id: scan.id,
      status: scan.status,
      finishedAt: scan.finishedAt,
      historical,
      ...grade,
      block1: scored ? scan.block1 : null,
      block2: scored ? scan.block2 : null,
      penalties: scored ? scan.penalties : null,
      cappedAt: scored ? scan.cappedAt : null,
      robotsVerdict: scan.robotsVerdict,
      summary: scan.summary,
      redirect: scan.redirect,
      stats: scan.stats,
    },
    profile: scan.profile,
    checks: scan.checks,
    observations: scan.observations,
    pages: scan.pages,
    fixes: {
      data: fixes,
      total: scan.fixes.length,
      limit: fixPrompts,
      hidden: scan.fixes.length - fixes.length,
    },
    access: accessOf(listing),
    starterFiles: starterFiles ? scan.starterFiles : null,
    starterFilesOffer: scan.starterFiles !== null && !starterFiles && scored,
    links: linksOf(records, listing),
    seo: { indexable: scored && !historical },
    ...(history ? { history: historyOf(records, reported) } : {}),
  };
}

function historyOf(records: Records, reported: Reported) {
  return publishedScans(records, reported).map((scan) => ({
    id: scan.id,
    finishedAt: scan.finishedAt,
    ...gradeOf(records, scan),
  }));
}

function withheldReport(records: Records, { listing, published }: Reported) {
  return {
    enrichment: null,
    accessPolicy: null,
    prerender: null,
    site: siteOf(listing),
    scan: {
      id: published.id,
      status: published.status,
      finishedAt: published.finishedAt,
      historical: false,
      score: null,
      band: null,
      scoreVersion: null,
      block1: null,
      block2: null,
      penalties: null,
      cappedAt: null,
      robotsVerdict: null,
      summary: null,
      redirect: published.redirect,
      stats: published.stats,
    },
    profile: null,
    checks: [],
    observations: [],
    pages: null,
    fixes: { data: [], total: 0, limit: listing.entitlements.fixPrompts, hidden: 0 },
    access: accessOf(listing),
    starterFiles: null,
    starterFilesOffer: false,
    links: linksOf(records, listing),
    seo: { indexable: false },
  };
}
