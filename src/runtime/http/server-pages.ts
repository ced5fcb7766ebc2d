import * as assets from "../../pages/kit/asset-texts.js";
import * as directory from "../answer/directory-pages.js";
import * as guides from "../answer/guide-pages.js";
import * as lists from "../answer/list-pages.js";
import type { DrawCard } from "../answer/page-bodies.js";
import { type Pages, pagesOf } from "../answer/pages.js";
import * as reports from "../answer/report-pages.js";

const PARTS = {
  directory: () => directory,
  guides: () => guides,
  lists: () => lists,
  reports: () => reports,
  assets: () => assets,
};

/** All pages, and the files that they load, without cards. */
export const SERVER_PAGES: Pages = pagesOf(PARTS);

/** The same pages, with cards. */
export function pagesWithCards(draw: DrawCard): Pages {
  return pagesOf(PARTS, draw);
}
