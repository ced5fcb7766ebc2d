import type { DrawCard } from "../runtime/answer/page-bodies.js";
import type { PageParts } from "../runtime/answer/page-contents.js";
import { type Pages, pagesOf } from "../runtime/answer/pages.js";

/** The code of all pages. It and the texts of their files are loaded in parts, once a request needs them. */
const PARTS: PageParts = {
  assets: () => import("../pages/kit/asset-texts.js"),
  lists: () => import("../runtime/answer/list-pages.js"),
  directory: () => import("../runtime/answer/directory-pages.js"),
  guides: () => import("../runtime/answer/guide-pages.js"),
  reports: () => import("../runtime/answer/report-pages.js"),
};

/** All pages, without cards. */
export const PAGES: Pages = pagesOf(PARTS);

/** All pages. @param cards makes the images of cards; undefined for none */
export function fetchPages(cards: DrawCard | undefined): Pages {
  return cards === undefined ? PAGES : pagesOf(PARTS, cards);
}
