import type { Facets, SiteSummary } from "../../contract/listing.js";
import type { Engine } from "../../engine/engine.js";
import type { CategoryShown } from "../../pages/categories/category-page.js";
import {
  CATEGORY_PAGE_SIZE,
  categoryAddress,
  categoryPageNamed,
  categoryPagesOf,
} from "../../pages/kit/page-names.js";

/** The categories that have listings, in the order of the directory. */
export function filledCategories(engine: Engine): Facets["categories"]["items"] {
  const { data }: { readonly data: Facets } = JSON.parse(decoder.decode(engine.facets({})));
  return data.categories.items.filter(({ count }) => count > 0);
}

/** The addresses of all pages of categories, relative to `/`. */
export function categoryAddresses(engine: Engine): string[] {
  return filledCategories(engine).flatMap(({ slug, count }) =>
    Array.from({ length: categoryPagesOf(count) }, (_, place) => categoryAddress(slug, place + 1)),
  );
}

/** What a category's page shows, by its name; null if there is no such page. */
export async function categoryAt(name: string, engine: Engine): Promise<CategoryShown | null> {
  const named = categoryPageNamed(name);
  const category = filledCategories(engine).find(({ slug }) => slug === named?.slug);
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
