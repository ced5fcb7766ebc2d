import { medianScore, rankOf } from "../contract/figures.js";
import { hostHash } from "../contract/host.js";
import type { SiteSummary } from "../contract/listing.js";
import type { FindsExactly } from "../pages/categories/band-charts.js";
import type { CategoriesData } from "../pages/categories/categories-page.js";
import type { CategoryData, SharedRank } from "../pages/categories/category-page.js";
import type { FeedShown } from "../pages/feeds/feed.js";
import {
  categorySitemap,
  type SitemapEntry,
  sitemapCount,
  sitemapFiles,
  sitemapIndex,
  sitemapNames,
  sitemapOf,
} from "../pages/feeds/sitemap.js";
import type { PageContext } from "../pages/kit/page-context.js";
import {
  CATEGORIES,
  CATEGORY_PAGE_SIZE,
  CATEGORY_SITEMAP,
  type categoryAddress,
  categoryPageNamed,
  categoryPagesOf,
  sitemapNamed,
} from "../pages/kit/page-names.js";
import { namedChecks } from "../pages/kit/quote.js";
import { facetsValue, sitesOf } from "./bodies.js";
import { madeOnce, type SnapshotView } from "./content.js";
import { adoptionOf, eachScored, figuresOf, filledCategories, standardsOf } from "./page-facts.js";
import type { Page } from "./page-types.js";

/* What the pages and files that list listings show: those of categories, feeds and sitemaps. */

/** The parts of a snapshot that the pages of categories show. */
type CategorySource = Pick<SnapshotView, "engine" | "readDocument" | "directory" | "answering">;
/** The parts from which the lists of categories are made. */
type EngineSource = Pick<SnapshotView, "engine" | "answering">;

/** The addresses of all pages of categories, relative to `/`. */
export async function addressesOfPages(
  source: EngineSource,
  addressOf: typeof categoryAddress,
): Promise<string[]> {
  return (await filledCategories(source)).flatMap(({ slug, count }) =>
    Array.from({ length: categoryPagesOf(count) }, (_, index) => addressOf(slug, index + 1)),
  );
}

/** What the list of categories shows. @throws if a document is missing or damaged */
export async function categoriesShown(
  snapshot: CategorySource,
): Promise<Omit<CategoriesData, "earlier">> {
  const { figures, categories } = await adoptionOf(snapshot);
  const checks = namedChecks(await standardsOf(snapshot));
  return { figures, categories, checks, finds: await findsOf(snapshot) };
}

/**
 * Compares the figures with what searches for bands find. Scores of other versions have bands, too, which the
 * figures do not count.
 */
const findsOf = madeOnce(async (snapshot: CategorySource): Promise<FindsExactly> => {
  const { otherVersions } = await figuresOf(snapshot);
  if (otherVersions === undefined) return () => true;
  const engine = await snapshot.engine;
  const found = new Map<string, number>();
  for (const { band } of snapshot.directory.rubric.bands) {
    const { total, categories } = facetsValue(await engine.facets({ band: [band] }));
    found.set(band, total);
    for (const { slug, count } of categories.items) found.set(`${band} ${slug}`, count);
  }
  return (slug, band, count) => found.get(slug === null ? band : `${band} ${slug}`) === count;
});

/** What a category's page shows, by its name; null if there is no such page. */
export async function categoryAt(
  name: string,
  snapshot: CategorySource,
): Promise<CategoryData | null> {
  const engine = await snapshot.engine;
  const named = categoryPageNamed(name);
  const category = (await filledCategories(snapshot)).find(({ slug }) => slug === named?.slug);
  if (named === null || category === undefined) return null;
  const { slug, count: total } = category;
  const { page } = named;
  if (page > categoryPagesOf(total)) return null;
  const limit = CATEGORY_PAGE_SIZE;
  const found = await engine.search({ category: [slug], sort: "score", page, limit });
  const data = sitesOf(found.summaries);
  const { figures, checks, finds } = await categoriesShown(snapshot);
  const own = figures.categories[slug];
  if (own === undefined) return null;
  const rankIn = ({ latestScore, latestScoreVersion }: SiteSummary): SharedRank | null => {
    if (latestScore === null || latestScoreVersion !== snapshot.directory.rubric.version)
      return null;
    const { same, higher, of } = rankOf(own, latestScore);
    return { rank: higher + 1, of: same + 1, among: of };
  };
  const exempted = await engine.exemptOf(data.map(({ host }) => host));
  const sites = data.map((site) => ({
    site,
    rank: rankIn(site),
    exempt: exempted.get(site.host) ?? [],
  }));
  return {
    category,
    page,
    total,
    sites,
    figures: own,
    checks,
    lastScannedAt: figures.lastScannedAt,
    directoryMedian: medianScore(figures.all),
    finds,
  };
}

/** The most scans that a feed has. */
const FEED_SIZE = 50;

/** What a feed shows; null if there is no such category, or if it has no listings. */
export async function feedAt(slug: string | null, source: EngineSource): Promise<FeedShown | null> {
  const category = (await filledCategories(source)).find((one) => one.slug === slug) ?? null;
  if (slug !== null && category === null) return null;
  const filter = slug === null ? {} : { category: [slug] };
  const engine = await source.engine;
  const query = { ...filter, sort: "recent", page: 1, limit: FEED_SIZE } as const;
  const { summaries } = await engine.search(query);
  return { category, sites: sitesOf(summaries) };
}

/** The parts of a snapshot from which its sitemaps are made, on request: a directory may have a million listings. */
type SitemapSource = Pick<SnapshotView, "engine" | "listingCount" | "pause" | "answering">;

/** The names of all sitemap files. @param site the directory, with the routes of its pages */
export async function sitemapFileNames(
  source: SitemapSource,
  site: PageContext,
): Promise<string[]> {
  const numbers = await numbersBySitemap(source);
  const names = numbers.flatMap(({ length }, sitemap) => sitemapNames(sitemap, length, site));
  const hasCategories = (await filledCategories(source)).length > 0;
  return hasCategories ? [...names, CATEGORY_SITEMAP] : names;
}

export async function sitemapIndexOf(source: SitemapSource, site: PageContext): Promise<string> {
  return sitemapIndex(await sitemapFileNames(source, site), site);
}

/** The text of the sitemap of categories; null if no category has sites. @param pages all pages */
export async function categorySitemapOf(
  pages: readonly Page[],
  snapshot: SnapshotView,
  site: PageContext,
): Promise<string | null> {
  if ((await filledCategories(snapshot)).length === 0) return null;
  const listed = pages.filter(({ path, isInSitemap }) => isInSitemap && path.includes("{"));
  const addresses = await Promise.all(
    listed.map(async (page) => (await page.load()).addresses?.(snapshot) ?? []),
  );
  return categorySitemap([CATEGORIES, ...addresses.flat()], site);
}

/** The text of a sitemap of reports; null if there is no file of this name. */
export async function sitemapFileOf(
  name: string,
  source: SitemapSource,
  site: PageContext,
): Promise<string | null> {
  const named = sitemapNamed(name);
  if (named === null || named.sitemap >= sitemapCount(source.listingCount)) return null;
  const numbers = (await numbersBySitemap(source))[named.sitemap] ?? new Uint32Array();
  const engine = await source.engine;
  const entries: SitemapEntry[] = [];
  for await (const some of engine.datedHosts(numbers)) {
    for (const { host, scannedAt } of some) entries.push({ host, lastmod: scannedAt });
    await source.pause();
  }
  return sitemapFiles(named.sitemap, entries, site)[named.file] ?? null;
}

/** The numbers of the listings that have a score, grouped by sitemap. */
const numbersBySitemap = madeOnce(async (source: SitemapSource): Promise<Uint32Array[]> => {
  const count = sitemapCount(source.listingCount);
  const numbers: number[][] = Array.from({ length: count }, () => []);
  await eachScored(source, (host, number) => {
    numbers[sitemapOf(hostHash(host), count)]!.push(number);
  });
  return numbers.map((some) => Uint32Array.from(some));
});
