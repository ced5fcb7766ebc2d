import { byCodeUnit } from "../../contract/order.js";
import { html } from "../kit/html.js";
import { PAGE_ROUTES } from "../kit/routes.js";
import type { PageContext } from "../report/reading.js";

/** Addresses of a sitemap, at most (sitemaps.org, protocol). */
export const SITEMAP_MAX = 50_000;
/**
 * Buckets of a store whose listings share a sitemap: some 32,000 of them. A changed listing has the
 * listings of so many buckets written anew, not all.
 */
const BUCKETS_A_SITEMAP = 128;

/** The pages beside reports that search engines may show: the first of the first sitemap. When they changed is not known. */
const OTHERS = [PAGE_ROUTES.explorer.path, PAGE_ROUTES.standardsPage.path];

/** A report's page that search engines may show. */
export interface SitemapEntry {
  readonly host: string;
  /** The scan's date-time; null where it is not known. */
  readonly lastmod: string | null;
}

/** The number of the sitemap that a bucket's listings are in. */
export function sitemapOf(bucket: number): number {
  return Math.floor(bucket / BUCKETS_A_SITEMAP);
}

/** How many sitemaps the buckets of a store have: one at least. */
export function sitemapCount(buckets: number): number {
  return sitemapOf(Math.max(1, buckets) - 1) + 1;
}

/** The buckets of a sitemap. */
export function bucketsOf(sitemap: number, buckets: number): number[] {
  const start = BUCKETS_A_SITEMAP * sitemap;
  const end = Math.min(buckets, start + BUCKETS_A_SITEMAP);
  return Array.from({ length: Math.max(0, end - start) }, (_, place) => start + place);
}

/** Names of the files of a sitemap with so many entries: `3.xml`, and `3-2.xml` for addresses beyond 50,000. */
export function sitemapNames(sitemap: number, entries: number): string[] {
  const addresses = entries + othersIn(sitemap).length;
  const files = Math.max(1, Math.ceil(addresses / SITEMAP_MAX));
  return Array.from({ length: files }, (_, place) =>
    place === 0 ? `${sitemap}.xml` : `${sitemap}-${place + 1}.xml`,
  );
}

/** The sitemap, and which of its files, that a name stands for; null where it is no such name. */
export function sitemapNamed(name: string): { sitemap: number; file: number } | null {
  const [, sitemap = "", file] = /^(0|[1-9]\d{0,8})(?:-([1-9]\d{0,8}))?\.xml$/.exec(name) ?? [];
  if (sitemap === "" || file === "1") return null;
  return { sitemap: Number(sitemap), file: Number(file ?? "1") - 1 };
}

/** The paths of the pages beside reports that are in a sitemap. */
function othersIn(sitemap: number): readonly string[] {
  return sitemap === 0 ? OTHERS : [];
}

/** The files of a sitemap: its entries by host, 50,000 addresses a file. */
export function sitemapFiles(
  sitemap: number,
  entries: readonly SitemapEntry[],
  context: PageContext,
): string[] {
  const reports = entries
    .toSorted((a, b) => byCodeUnit(a.host, b.host))
    .map(({ host, lastmod }) => ({ path: `/sites/${host}`, lastmod }));
  const all = [...othersIn(sitemap).map((path) => ({ path, lastmod: null })), ...reports];
  return sitemapNames(sitemap, entries.length).map((_, place) =>
    sitemapFile(all.slice(SITEMAP_MAX * place, SITEMAP_MAX * (place + 1)), context),
  );
}

function sitemapFile(
  pages: readonly { readonly path: string; readonly lastmod: string | null }[],
  { siteUrl }: PageContext,
): string {
  const urls = pages.map(
    ({ path, lastmod }) =>
      html`<url><loc>${siteUrl}${path}</loc>${
        lastmod === null ? null : html`<lastmod>${lastmod}</lastmod>`
      }</url>\n`,
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.markup;
}

/** The index of all sitemaps, by the names of their files. */
export function sitemapIndex(names: readonly string[], { siteUrl }: PageContext): string {
  const maps = names.map(
    (name) => html`<sitemap><loc>${siteUrl}/sitemaps/${name}</loc></sitemap>\n`,
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${maps}</sitemapindex>
`.markup;
}
