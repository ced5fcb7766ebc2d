import { hash } from "node:crypto";
import { byCodeUnit, instantKey } from "../contract/order.js";
import type { Enrichment, HistoryEntry, Report } from "../contract/report.js";
import type { Listing, Scan } from "../input/checking/schemas.js";
import type { ScanOfListing } from "../input/input-reader.js";
import { bandOf, type DirectoryContext, type Rubrics } from "./directory.js";

/** Whether a listing's report says only that the host is known (docs/contract.md#63-withheld-reports). */
export function isWithheld(listing: Listing, published: Scan): boolean {
  return listing.visibility !== "listed" || published.status === "moved";
}

/** The report of one published scan, for a listing that is not withheld (docs/contract.md#23-report). */
export function reportOf(
  listing: Listing,
  scan: Scan,
  history: ScanHistory,
  context: DirectoryContext,
): Report {
  const { entitlements } = listing;
  const scored = scan.score !== null;
  const historical = scan.id !== history.published.id;
  const visible = scan.fixes.slice(0, entitlements.fixPrompts ?? scan.fixes.length);
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
      score: scan.score,
      band: bandOf(scan, context),
      scoreVersion: scored ? scan.scoreVersion : null,
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
      data: scored ? visible : visible.map((fix) => ({ ...fix, scoreAfter: null })),
      total: scan.fixes.length,
      limit: entitlements.fixPrompts,
      hidden: scan.fixes.length - visible.length,
    },
    access: accessOf(listing),
    starterFiles: entitlements.starterFiles ? scan.starterFiles : null,
    starterFilesOffer: !entitlements.starterFiles && scored && scan.starterFiles !== null,
    links: linksOf(listing, context),
    seo: { indexable: scored && !historical },
    ...(entitlements.history && { history: historyEntries(history, context) }),
  };
}

/** The report of a listing that its owner, its publisher or a redirect excludes from the directory. */
export function withheldReportOf(
  listing: Listing,
  published: Scan,
  context: DirectoryContext,
): Report {
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
    links: linksOf(listing, context),
    seo: { indexable: false },
  };
}

function siteOf({ host, url, name, description, status }: Listing): Report["site"] {
  return { host, url, name, description, status, claimed: status === "claimed" };
}

function accessOf({ entitlements }: Listing): Report["access"] {
  const { history, highlight, starterFiles } = entitlements;
  return { history, highlight, starterFiles };
}

function linksOf({ host }: Listing, { siteUrl }: DirectoryContext): Report["links"] {
  const canonical = `${siteUrl}/sites/${host}`;
  return { canonical, markdown: `${canonical}/report.md` };
}

function historyEntries(history: ScanHistory, context: DirectoryContext): HistoryEntry[] {
  return [history.published, ...history.historical].map((scan) => ({
    id: scan.id,
    finishedAt: scan.finishedAt,
    score: scan.score,
    band: bandOf(scan, context),
    scoreVersion: scan.score === null ? null : scan.scoreVersion,
  }));
}

/** The scores of a listing by the former rubric and by the current one. */
export interface ScoreMove {
  readonly from: number;
  readonly to: number;
}

/**
 * The move between the newest score of the rubric before the current one and the published score of the current one;
 * null if the listing lacks either. It may be of a scan that the plan does not show, so it is only counted.
 */
export function scoreMoveOf(
  { published, historical }: ScanHistory,
  { standards, formerRubrics }: Rubrics,
): ScoreMove | null {
  const former = formerRubrics.at(-1);
  const { score: to, scoreVersion } = published;
  if (former === undefined || to === null || scoreVersion !== standards.rubric.version) return null;
  const before = historical.find(
    (scan) => scan.scoreVersion === former.version && scan.score !== null,
  );
  return before?.score == null ? null : { from: before.score, to };
}

/** A listing's publicly visible scans (docs/contract.md#62-scans-and-history). */
export interface ScanHistory {
  /** The latest published scan. */
  readonly published: ScanOfListing;
  /** The scans that finished before the published one, newest first. Later scans are held back and shown nowhere. */
  readonly historical: readonly ScanOfListing[];
}

/**
 * Splits a listing's scans at the published one: the pinned scan, or the newest (ties: greatest id).
 * Null if the listing was never scanned.
 * @throws RangeError if the pinned scan does not exist, which the checks of the input rule out.
 */
export function historyOf(listing: Listing, scans: readonly ScanOfListing[]): ScanHistory | null {
  if (scans.length === 0) return null;
  const newestFirst = scans
    .map((scan) => ({ scan, finished: instantKey(scan.finishedAt) }))
    .sort((a, b) => byCodeUnit(b.finished, a.finished) || byCodeUnit(b.scan.id, a.scan.id))
    .map(({ scan }) => scan);
  const pinned = listing.publishedScan;
  const index = pinned === null ? 0 : newestFirst.findIndex(({ id }) => id === pinned);
  const published = newestFirst[index];
  if (published === undefined) throw new RangeError(`${listing.host} has no scan ${pinned}`);
  return { published, historical: newestFirst.slice(index + 1) };
}

/**
 * The state of a published scan's enrichment; null if the scan has no enrichment or no score
 * (docs/contract.md#27-enrichment).
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
