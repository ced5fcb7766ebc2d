import type { TaxonomyEntry } from "../../contract/listing.js";
import type { ChartFile } from "../../pages/kit/routes.js";

/* The addresses of the pages, and of the charts as files, relative to `/`. */

export const TRENDS_PAGE = "trends";

/** The address of a page. @param category null for the whole directory */
export function trendsAddress(category: Pick<TaxonomyEntry, "slug"> | null): string {
  return category === null ? TRENDS_PAGE : `${TRENDS_PAGE}/${category.slug}`;
}

/** What a chart shows over the publications. */
export const TREND_NAMES = ["median", "top-band", "sites"] as const;
export type TrendName = (typeof TREND_NAMES)[number];

const FORMS = ["svg", "csv"] as const;
type TrendForm = (typeof FORMS)[number];

/** The files of a chart. */
export function trendFiles(name: TrendName): ChartFile[] {
  return FORMS.map((form) => ({ address: `charts/${name}.${form}`, format: form.toUpperCase() }));
}

/** Parses the name of a file; null for any other text. */
export function trendFileNamed(text: string): { name: TrendName; form: TrendForm } | null {
  for (const name of TREND_NAMES) {
    for (const form of FORMS) {
      if (text === `${name}.${form}`) return { name, form };
    }
  }
  return null;
}
