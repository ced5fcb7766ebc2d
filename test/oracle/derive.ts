import type { ListingRecord, Records, ScanRecord, TaxonomyRecord } from "./records.js";
import { byCodeUnit, byInstant, fold, type Instant, instantOf } from "./text.js";

/** The contract's TaxonomyEntry. */
interface TaxonomyEntry {
  slug: string;
  name: string;
  group: string;
  order: number;
}

/** The contract's SiteSummary, keys in its order. */
export interface SiteSummary {
  host: string;
  url: string;
  name: string | null;
  tagline: string | null;
  status: string;
  latestScore: number | null;
  latestBand: string | null;
  latestScoreVersion: string | null;
  latestScannedAt: string;
  platforms: string[];
  hosting: string | null;
  linkRel: string;
  category: TaxonomyEntry | null;
  tags: TaxonomyEntry[];
  capabilities: string[];
  logoUrl: string | null;
  ogImageUrl: string | null;
  highlighted: boolean;
}

/** A listing that search, facets and suggestions look at. */
export interface Searchable {
  summary: SiteSummary;
  scannedAt: Instant;
  /** Folded; a missing text is null and matches nothing. */
  folded: { host: string; name: string | null; tagline: string | null };
}

/** Compares scans, the one that finished first coming first (ties: by id). */
export function byFinish(a: ScanRecord, b: ScanRecord): number {
  return byInstant(instantOf(a.finishedAt), instantOf(b.finishedAt)) || byCodeUnit(a.id, b.id);
}

/** The listing's published scan: the pinned one, else the newest (ties: the greatest id). */
export function publishedScanOf(records: Records, listing: ListingRecord): ScanRecord | undefined {
  const scans = records.scans.get(listing.host) ?? [];
  if (listing.publishedScan !== null)
    return scans.find((scan) => scan.id === listing.publishedScan);
  return scans.toSorted(byFinish).at(-1);
}

/** Score, band and scoreVersion as served: all three null when the scan has no score. */
export function gradeOf(records: Records, scan: ScanRecord) {
  const { score } = scan;
  if (score === null) return { score: null, band: null, scoreVersion: null };
  const { version, bands } = records.standards.rubric;
  const holding = (all: typeof bands | undefined) =>
    all?.find(({ min, max }) => min <= score && score <= max)?.band ?? null;
  const former = records.formerRubrics?.find((one) => one.version === scan.scoreVersion);
  const band =
    scan.scoreVersion === version ? holding(bands) : (scan.band ?? holding(former?.bands));
  return { score, band, scoreVersion: scan.scoreVersion };
}

/** The active entries, by order then slug, as served. */
export function activeEntries(entries: TaxonomyRecord[]): TaxonomyEntry[] {
  return entries
    .filter(({ active }) => active)
    .map(({ slug, name, group, order }) => ({ slug, name, group, order }))
    .sort((a, b) => a.order - b.order || byCodeUnit(a.slug, b.slug));
}

function summaryOf(records: Records, listing: ListingRecord, scan: ScanRecord): SiteSummary {
  const { score, band, scoreVersion } = gradeOf(records, scan);
  return {
    host: listing.host,
    url: listing.url,
    name: listing.name,
    tagline: listing.tagline,
    status: listing.status,
    latestScore: score,
    latestBand: band,
    latestScoreVersion: scoreVersion,
    latestScannedAt: scan.finishedAt,
    platforms: listing.platforms.toSorted(byCodeUnit),
    hosting: listing.hosting,
    linkRel: listing.linkRel,
    category:
      activeEntries(records.categories).find(({ slug }) => slug === listing.category) ?? null,
    tags: activeEntries(records.tags).filter(({ slug }) => listing.tags.includes(slug)),
    capabilities: scan.checks
      .filter(({ kind }) => kind === "achievement" || kind === "capability")
      .filter(({ status }) => status === "pass")
      .map(({ checkId }) => checkId)
      .sort(byCodeUnit),
    logoUrl: listing.logoUrl,
    ogImageUrl: listing.ogImageUrl,
    highlighted: listing.entitlements.highlight,
  };
}

const searchables = new WeakMap<Records, Searchable[]>();

/** The listings in search, facets and suggestions, by host; worked out once for each directory. */
export function searchableOf(records: Records): Searchable[] {
  const known = searchables.get(records);
  if (known !== undefined) return known;
  const made = [...records.listings.values()].flatMap((listing) => {
    const scan = publishedScanOf(records, listing);
    if (listing.visibility !== "listed" || scan === undefined || scan.status === "moved") return [];
    const { host, name, tagline } = listing;
    return {
      summary: summaryOf(records, listing, scan),
      scannedAt: instantOf(scan.finishedAt),
      folded: {
        host: fold(host),
        name: name === null ? null : fold(name),
        tagline: tagline === null ? null : fold(tagline),
      },
    };
  });
  made.sort((a, b) => byCodeUnit(a.summary.host, b.summary.host));
  searchables.set(records, made);
  return made;
}

/** Makes a directory have these listings in search, whatever its records are. */
export function searchAmong(records: Records, listings: readonly Searchable[]): void {
  searchables.set(records, [...listings]);
}
