import { readOf } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import { PAGES } from "./pages.js";
import { TRENDS } from "./reads.js";

/** Loaded with the first request: the script of an edge worker or a browser stays small. */
const load = () => import("./trends.js");

/** How the figures have developed over the publications. */
export function trends(): AnswerExtra {
  return {
    name: "trends",
    pages: PAGES,
    reads: {
      trends: {
        ...TRENDS,
        read: readOf(TRENDS.query, async (query, snapshot) =>
          (await load()).trendsContent(query, snapshot),
        ),
      },
    },
  };
}
