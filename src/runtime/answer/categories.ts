import type { Facets, SiteSummary } from "../../contract/listing.js";
import type { Engine } from "../../engine/answering.js";
import type { CategoryShown } from "../../pages/categories/category-page.js";
import type { FeedShown } from "../../pages/feeds/feed.js";
import {
  CATEGORY_PAGE_SIZE,
  categoryAddress,
  categoryPageNamed,
  categoryPagesOf,
} from "../../pages/kit/page-names.js";

/** The categories that have listings, in the order of the directory. */
export async function filledCategories(engine: Engine): Promise<Facets["categories"]["items"]> {
  const { data }: { readonly data: Facets } = JSON.parse(decoder.decode(await engine.facets({})));
  return data.categories.items.filter(({ count }) => count > 0);
}

/** The addresses of all pages of categories, relative to `/`. */
export async function categoryAddresses(engine: Engine): Promise<string[]> {
  return (await filledCategories(engine)).flatMap(({ slug, count }) =>
    Array.from({ length: categoryPagesOf(count) }, (_, index) => categoryAddress(slug, index + 1)),
  );
}

/** What a category's page shows, by its name; null if there is no such page. */
export async function categoryAt(name: string, engine: Engine): Promise<CategoryShown | null> {
  const named = categoryPageNamed(name);
  const category = (await filledCategories(engine)).find(({ slug }) => slug === named?.slug);
  if (named === null || category === undefined) return null;
  const { slug, count: total } = category;
  const { page } = named;
  if (page > categoryPagesOf(total)) return null;
  const limit = CATEGORY_PAGE_SIZE;
  const body = await engine.search({ category: [slug], sort: "score", page, limit });
  const { data }: { readonly data: SiteSummary[] } = JSON.parse(decoder.decode(body));
  return { category, page, total, sites: data };
}

const decoder = new TextDecoder();

/** The most scans that a feed has. */
const FEED_SIZE = 50;

/** What a feed shows; null if there is no such category, or if it has no listings. */
export async function feedAt(slug: string | null, engine: Engine): Promise<FeedShown | null> {
  const category = (await filledCategories(engine)).find((one) => one.slug === slug) ?? null;
  if (slug !== null && category === null) return null;
  const filter = slug === null ? {} : { category: [slug] };
  const body = await engine.search({ ...filter, sort: "recent", page: 1, limit: FEED_SIZE });
  const { data }: { readonly data: SiteSummary[] } = JSON.parse(decoder.decode(body));
  return { category, sites: data };
}
