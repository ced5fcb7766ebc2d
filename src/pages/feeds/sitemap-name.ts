/** The sitemap file of the categories' pages. */
export const CATEGORY_SITEMAP = "categories.xml";

/** Parses a sitemap's file name into the sitemap's number and the file's index from 0; null for any other name. */
export function sitemapNamed(name: string): { sitemap: number; file: number } | null {
  const [, sitemap = "", file] = /^(0|[1-9]\d{0,8})(?:-([1-9]\d{0,8}))?\.xml$/.exec(name) ?? [];
  if (sitemap === "" || file === "1") return null;
  return { sitemap: Number(sitemap), file: Number(file ?? "1") - 1 };
}
