/** The code that draws the lists of listings, categories' pages and sitemaps: one of the parts that `PageParts` names. */
export { categoryPage } from "../../pages/categories/category-page.js";
export { atomFeed, jsonFeed } from "../../pages/feeds/feed.js";
export { categoryAt } from "./categories.js";
export { feedAt } from "./feeds.js";
export { Sitemaps } from "./sitemaps.js";
