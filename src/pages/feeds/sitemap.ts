import { shardBits, shardOf } from "../../contract/host.js";
import { byCodeUnit } from "../../contract/order.js";
import { html } from "../kit/html.js";
import { absoluteLink } from "../kit/links.js";
import type { PageContext } from "../kit/page-context.js";
import { checkAddress } from "../kit/page-names.js";
import { CORE_ROUTES } from "../kit/routes.js";

/** The maximum number of addresses in a sitemap file (sitemaps.org, protocol). */
export const SITEMAP_MAX = 50_000;
/** The approximate number of listings per sitemap. A changed listing rewrites only its own sitemap. */
const LISTINGS_A_SITEMAP = 32_768;

/** The address of the pages, without a slash at its end. */
type SiteAddress = Pick<PageContext, "siteUrl" | "tree">;
/** The directory whose pages a sitemap lists. */
type Site = SiteAddress & Pick<PageContext, "checkIds" | "downloads" | "pages">;

/** A report page that search engines may show. */
export interface SitemapEntry {
  readonly host: string;
  /** The scan's date-time; null if unknown. */
  readonly lastmod: string | null;
}

/** The number of sitemaps of a directory: a power of two. */
export function sitemapCount(listings: number): number {
  return 2 ** shardBits(listings, LISTINGS_A_SITEMAP);
}

/** The number of the sitemap that holds a listing. @param hash the hash of its host */
export function sitemapOf(hash: number, count: number): number {
  return shardOf(hash, Math.log2(count));
}

/** File names of a sitemap with `entries` reports: `3.xml`, then `3-2.xml` and so on beyond 50,000 addresses. */
export function sitemapNames(sitemap: number, entries: number, site: Site): string[] {
  const addresses = entries + othersIn(sitemap, site).length;
  const files = Math.max(1, Math.ceil(addresses / SITEMAP_MAX));
  return Array.from({ length: files }, (_, index) =>
    index === 0 ? `${sitemap}.xml` : `${sitemap}-${index + 1}.xml`,
  );
}

/** The paths of pages other than reports that a sitemap lists. Their dates are not known. */
function othersIn(sitemap: number, site: Site): readonly string[] {
  if (sitemap !== 0) return [];
  const { checkIds, downloads = [], pages = CORE_ROUTES } = site;
  const others = pages
    .filter(({ path, isInSitemap = false }) => isInSitemap && !path.includes("{"))
    .map(({ path }) => path.slice(1));
  return [...others, ...downloads.map(({ index }) => index), ...checkIds.map(checkAddress)];
}

/** The XML files of a sitemap, with at most 50,000 addresses each, sorted by host. */
export function sitemapFiles(
  sitemap: number,
  entries: readonly SitemapEntry[],
  site: Site,
): string[] {
  const reports = entries
    .toSorted((a, b) => byCodeUnit(a.host, b.host))
    .map(({ host, lastmod }) => ({ path: `sites/${host}`, lastmod }));
  const all = [...othersIn(sitemap, site).map((path) => ({ path, lastmod: null })), ...reports];
  return sitemapNames(sitemap, entries.length, site).map((_, index) =>
    sitemapFile(all.slice(SITEMAP_MAX * index, SITEMAP_MAX * (index + 1)), site),
  );
}

/** The text of CATEGORY_SITEMAP. @param addresses of the categories' pages, relative to `/` */
export function categorySitemap(addresses: readonly string[], site: SiteAddress): string {
  // Beyond this number, pages are still linked from the page before.
  const pages = addresses.slice(0, SITEMAP_MAX);
  return sitemapFile(
    pages.map((address) => ({ path: address, lastmod: null })),
    site,
  );
}

function sitemapFile(
  pages: readonly { readonly path: string; readonly lastmod: string | null }[],
  site: SiteAddress,
): string {
  const urls = pages.map(
    ({ path, lastmod }) =>
      html`<url><loc>${absoluteLink(path, site)}</loc>${
        lastmod === null ? null : html`<lastmod>${lastmod}</lastmod>`
      }</url>\n`,
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.markup;
}

/** The sitemap index of all sitemap files, given their names. */
export function sitemapIndex(names: readonly string[], site: SiteAddress): string {
  const maps = names.map(
    (name) => html`<sitemap><loc>${absoluteLink(`sitemaps/${name}`, site)}</loc></sitemap>\n`,
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${maps}</sitemapindex>
`.markup;
}
