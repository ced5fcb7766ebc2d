import type { Page } from "../../answer/page-types.js";
import { isCategorySlug } from "../../pages/kit/page-names.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";
import { TRENDS_PAGE, trendFileNamed } from "./names.js";

/* Loaded with the first of these pages: the script of an edge worker stays small. */
const drawings = () => import("./drawings.js");

const PAGE = {
  contentType: HTML,
  policy: PAGE_POLICY,
  isInSitemap: true,
  isNumbered: true,
} as const;

/** The pages of trends, and the charts of the directory as files. */
export const PAGES: readonly Page[] = [
  {
    ...PAGE,
    name: "trendsPage",
    after: "categoriesPage",
    path: `/${TRENDS_PAGE}`,
    navigation: "Trends",
    files: [`${TRENDS_PAGE}.html`, `${TRENDS_PAGE}/index.html`],
    load: async () => (await drawings()).TRENDS_DRAWING,
    earlier: async () => (await import("./trends.js")).earlierShares,
  },
  {
    ...PAGE,
    name: "categoryTrends",
    after: "matrix",
    path: `/${TRENDS_PAGE}/{category}`,
    fits: isCategorySlug,
    term: "category",
    ofCategory: { link: "Trends", rowLink: "Trends", isOfAll: true },
    load: async () => (await drawings()).CATEGORY_DRAWING,
  },
  {
    // A chart as a picture, or its numbers, depending on the name's ending.
    name: "trendFile",
    after: "figures",
    path: "/charts/{name}",
    contentType: "image/svg+xml",
    fits: (name) => trendFileNamed(name) !== null,
    isNumbered: true,
    files: ["charts/{chart}.svg", "charts/{chart}.csv"],
    load: async () => (await drawings()).TREND_FILE_DRAWING,
  },
];
