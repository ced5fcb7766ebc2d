import { type Pages, pagesOf } from "../runtime/answer/pages.js";

/** All pages. Their code and the texts of their files are loaded in parts, once a request needs them. */
export const PAGES: Pages = pagesOf({
  assets: () => import("../pages/kit/asset-texts.js"),
  lists: () => import("../runtime/answer/list-pages.js"),
  directory: () => import("../runtime/answer/directory-pages.js"),
  guides: () => import("../runtime/answer/guide-pages.js"),
  reports: () => import("../runtime/answer/report-pages.js"),
});
