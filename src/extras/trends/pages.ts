import type { Page } from "../../answer/page-types.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";
import { TRENDS_PAGE, trendFileNamed } from "./names.js";

/* Loaded with the first of these pages: the script of an edge worker stays small. */
const drawings = () => import("./drawings.js");

/** The page of trends, and its charts as files. */
export const PAGES: readonly Page[] = [
  {
    name: "trendsPage",
    after: "categoriesPage",
    path: `/${TRENDS_PAGE}`,
    contentType: HTML,
    policy: PAGE_POLICY,
    navigation: "Trends",
    isInSitemap: true,
    isNumbered: true,
    load: async () => (await drawings()).TRENDS_DRAWING,
    earlier: async () => (await import("./trends.js")).earlierShares,
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
