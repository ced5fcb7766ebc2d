import { rankOf } from "../../contract/figures.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { CategoriesData } from "../../pages/categories/categories-page.js";
import type { CategoryData } from "../../pages/categories/category-page.js";
import { matrixChecks, type SharedRank } from "../../pages/categories/matrix.js";
import type { FeedShown } from "../../pages/feeds/feed.js";
import type { FigureData } from "../../pages/figures/figure.js";
import {
  CATEGORIES,
  CATEGORY_PAGE_SIZE,
  categoryAddress,
  categoryPageNamed,
  categoryPagesOf,
  matrixAddress,
  tableAddress,
} from "../../pages/kit/page-names.js";
import { visible } from "../../pages/kit/words.js";
import { sitesOf } from "./bodies.js";
import type { SnapshotView } from "./content.js";
import { adoptionOf, filledCategories, standardsOf } from "./page-facts.js";

/** The parts of a snapshot that the pages of categories show. */
type CategorySource = Pick<SnapshotView, "engine" | "readDocument" | "directory" | "answering">;
/** The parts from which the lists of categories are made. */
type EngineSource = Pick<SnapshotView, "engine" | "answering">;

/** The addresses of the categories: their list, their pages and their matrices, relative to `/`. */
export async function categoryAddresses(source: EngineSource): Promise<string[]> {
  const pages = await addressesOfPages(source, categoryAddress);
  if (pages.length === 0) return [];
  return [CATEGORIES, ...pages, ...(await addressesOfPages(source, matrixAddress))];
}

/** The addresses of the tables for programs. */
export function tableAddresses(source: EngineSource): Promise<string[]> {
  return addressesOfPages(source, tableAddress);
}

async function addressesOfPages(
  source: EngineSource,
  addressOf: typeof categoryAddress,
): Promise<string[]> {
  return (await filledCategories(source)).flatMap(({ slug, count }) =>
    Array.from({ length: categoryPagesOf(count) }, (_, index) => addressOf(slug, index + 1)),
  );
}

/** What the list of categories shows. @throws if a document is missing or damaged */
export async function categoriesShown(snapshot: CategorySource): Promise<CategoriesData> {
  const { figures, categories } = await adoptionOf(snapshot);
  return { figures, categories, checks: matrixChecks(await standardsOf(snapshot)) };
}

/** What the charts of a category or, without one, of the directory show; null if the category has no sites. */
export async function figureShown(
  slug: string | null,
  snapshot: CategorySource,
): Promise<FigureData | null> {
  const { figures, categories, checks } = await categoriesShown(snapshot);
  const { all, lastScannedAt } = figures;
  if (slug === null) return { group: all, title: null, slug, checks, lastScannedAt };
  if (!Object.hasOwn(figures.categories, slug)) return null;
  const group = figures.categories[slug] ?? all;
  const name = categories.find((one) => one.slug === slug)?.name ?? slug;
  return { group, title: visible(name) ?? slug, slug, checks, lastScannedAt };
}

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
  const { figures, checks } = await categoriesShown(snapshot);
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
  const { lastScannedAt } = figures;
  return { category, page, total, sites, figures: own, checks, lastScannedAt };
}

/** The most scans that a feed has. */
const FEED_SIZE = 50;

/** What a feed shows; null if there is no such category, or if it has no listings. */
export async function feedAt(slug: string | null, source: EngineSource): Promise<FeedShown | null> {
  const category = (await filledCategories(source)).find((one) => one.slug === slug) ?? null;
  if (slug !== null && category === null) return null;
  const filter = slug === null ? {} : { category: [slug] };
  const engine = await source.engine;
  const { summaries } = await engine.search({
    ...filter,
    sort: "recent",
    page: 1,
    limit: FEED_SIZE,
  });
  return { category, sites: sitesOf(summaries) };
}
