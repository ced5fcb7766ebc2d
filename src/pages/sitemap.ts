import { byCodeUnit } from "../contract/order.js";
import { html } from "./html.js";
import type { PageContext } from "./reading.js";

/** Addresses of a sitemap, at most (sitemaps.org, protocol). */
export const SITEMAP_MAX = 50_000;
/**
 * Buckets of a store whose listings share a sitemap: some 32,000 of them. A changed listing has the
 * listings of so many buckets written anew, not all.
 */
const BUCKETS_A_SITEMAP = 128;

/** A page that search engines may show. */
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

/** Names of the files of a sitemap with so many entries: `3.xml`, and `3-2.xml` for those beyond 50,000. */
export function sitemapNames(sitemap: number, entries: number): string[] {
  const files = Math.max(1, Math.ceil(entries / SITEMAP_MAX));
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

/** The files of a sitemap: its entries by host, 50,000 a file. */
export function sitemapFiles(entries: readonly SitemapEntry[], context: PageContext): string[] {
  const sorted = entries.toSorted((a, b) => byCodeUnit(a.host, b.host));
  return sitemapNames(0, entries.length).map((_, place) =>
    sitemapFile(sorted.slice(SITEMAP_MAX * place, SITEMAP_MAX * (place + 1)), context),
  );
}

function sitemapFile(entries: readonly SitemapEntry[], { siteUrl }: PageContext): string {
  const urls = entries.map(
    ({ host, lastmod }) =>
      html`<url><loc>${siteUrl}/sites/${host}</loc>${
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
