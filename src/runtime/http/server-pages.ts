import { readBrowserModules } from "../../files/browser-modules.js";
import * as assets from "../../pages/kit/asset-texts.js";
import { modulesOf } from "../../pages/kit/modules.js";
import * as directory from "../answer/directory-pages.js";
import * as lists from "../answer/list-pages.js";
import { type Pages, pagesOf } from "../answer/pages.js";
import * as reports from "../answer/report-pages.js";

const PARTS = {
  directory: () => directory,
  lists: () => lists,
  reports: () => reports,
  assets: () => assets,
};

let pages: Pages | undefined;

/**
 * Returns all pages, with the browser modules as they were at the first call. A newer version on disk must not mix with
 * this one.
 */
export function serverPages(): Pages {
  pages ??= pagesOf(PARTS, modulesOf(readBrowserModules()));
  return pages;
}
