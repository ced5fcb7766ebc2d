import type { Page } from "../../answer/page-types.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";
import { ADDRESS } from "./comparison.js";

/** The page of what changed between two methodologies, to which the page of the methodology leads. */
export const PAGES: readonly Page[] = [
  {
    name: "methodologyChanges",
    after: "standardsPage",
    path: `/${ADDRESS}`,
    contentType: HTML,
    policy: PAGE_POLICY,
    ofStandards: "What changed since the former version",
    isInSitemap: true,
    isNumbered: true,
    load: async () => (await import("./methodology-page.js")).METHODOLOGY_PAGE,
  },
];
