/** Listings of a category's page. Longer categories continue on further pages. */
export const CATEGORY_PAGE_SIZE = 500;

/** The folder of the categories' pages, in addresses and in an exported tree. */
export const CATEGORY_FOLDER = "categories";

/** The pages that a category with so many listings has. A category without listings has none. */
export function categoryPagesOf(count: number): number {
  return Math.ceil(count / CATEGORY_PAGE_SIZE);
}

/**
 * The name of a category's page: `science`, then `science--2` and so on. No slug has two hyphens in a row, so page 2 of
 * `science` is never page 1 of a category called `science-2`.
 * @param page from 1
 */
export function categoryPageName(slug: string, page: number): string {
  return page === 1 ? slug : `${slug}--${page}`;
}

/** The address of a category's page, relative to `/`. */
export function categoryAddress(slug: string, page = 1): string {
  return `${CATEGORY_FOLDER}/${categoryPageName(slug, page)}`;
}

/** A slug (contract section 4, shared listing filters), and the number of any page but the first. */
const CATEGORY_NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:--((?!1$)[1-9]\d{0,8}))?$/;

/** Parses the name of a category's page; null for any other text. */
export function categoryPageNamed(name: string): { slug: string; page: number } | null {
  const [, slug, page = "1"] = CATEGORY_NAME.exec(name) ?? [];
  return slug === undefined ? null : { slug, page: Number(page) };
}
