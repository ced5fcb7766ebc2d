import type { Page } from "../../answer/page-types.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";
import { SEARCH_FEED } from "./reads.js";

/** The page of what changed, to which the foot of all pages leads. */
export const PAGES: readonly Page[] = [
  {
    name: "changes",
    after: "apiPage",
    path: "/changes",
    contentType: HTML,
    policy: PAGE_POLICY,
    following: "what changed",
    searchFeed: SEARCH_FEED.path.slice(1),
    isInSitemap: true,
    isNumbered: true,
    load: async () => (await import("./publication-changes.js")).CHANGES_PAGE,
  },
];
