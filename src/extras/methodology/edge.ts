import type { AnswerExtra } from "../../answer/extra.js";
import { HTML, PAGE_POLICY } from "../../pages/kit/routes.js";
import { ADDRESS, METHODOLOGY_EXTRA } from "./comparison.js";

/** The page of what changed between two methodologies, to which the page of the methodology leads. */
export function methodology(): AnswerExtra {
  return {
    name: METHODOLOGY_EXTRA,
    pages: [
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
    ],
  };
}
