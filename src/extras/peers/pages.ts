import type { Page } from "../../answer/page-types.js";
import { isCategorySlug } from "../../pages/kit/page-names.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";

/**
 * Who passes each check, a page for each category. It is apart from the reports that lead to it: the file of a report
 * stays as it is when another site changes.
 */
export const PAGES: readonly Page[] = [
  {
    name: "peers",
    after: "category",
    path: "/peers/{category}",
    contentType: HTML,
    policy: PAGE_POLICY,
    fits: isCategorySlug,
    term: "category",
    isInSitemap: true,
    // The changes of each publication are on it.
    isNumbered: true,
    ofFailedCheck: (category) => `Who passes this in ${category}`,
    load: async () => (await import("./peers.js")).PEERS_DRAWING,
  },
];
