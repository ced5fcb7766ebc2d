import * as assets from "../../pages/kit/asset-texts.js";
import * as directory from "../answer/directory-pages.js";
import * as guides from "../answer/guide-pages.js";
import * as lists from "../answer/list-pages.js";
import { type Pages, pagesOf } from "../answer/pages.js";
import * as reports from "../answer/report-pages.js";

/** All pages, and the files that they load. */
export const SERVER_PAGES: Pages = pagesOf({
  directory: () => directory,
  guides: () => guides,
  lists: () => lists,
  reports: () => reports,
  assets: () => assets,
});
