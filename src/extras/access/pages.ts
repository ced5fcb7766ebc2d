import type { Page } from "../../answer/page-types.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";

const PAGE = { contentType: HTML, policy: PAGE_POLICY } as const;

/** What sites declare to each crawler beside what their servers do, and the sites of one crawler. */
export const PAGES: readonly Page[] = [
  {
    ...PAGE,
    name: "accessPage",
    path: "/access",
    ofStandards: "What sites declare to each crawler, and what their servers do",
    isInSitemap: true,
    files: ["access.html", "access/index.html"],
    load: async () => (await import("./access-page.js")).ACCESS_DRAWING,
  },
  {
    ...PAGE,
    name: "crawlerPage",
    path: "/access/{crawler}",
    load: async () => (await import("./crawler-page.js")).CRAWLER_DRAWING,
  },
];
