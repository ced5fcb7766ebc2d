import { LIST_FILTER_NAMES } from "../contract/filters.js";

/*
 * Runs before the first paint of the explorer in a tree of files. The page was made without a search: if its address has
 * one, styles show rows to come in place of results that the reader has not asked for.
 */

const NAMES = ["q", "status", "minScore", "maxScore", "sort", "page", ...LIST_FILTER_NAMES];
const isSought = new RegExp(`[?&](?:${NAMES.join("|")})=[^&]`).test(location.search);
const { currentScript, documentElement } = document;
if (isSought) {
  documentElement.dataset.sought = "";
  // The worker that searches starts once the page has loaded. Until then, its script comes into the browser's cache.
  const source = currentScript instanceof HTMLScriptElement ? currentScript.src : null;
  const { search } = documentElement.dataset;
  if (source !== null && search !== undefined) void fetch(new URL(search, source)).catch(() => {});
}
