import { LIST_FILTER_NAMES } from "../contract/filters.js";

/*
 * Runs before the first paint of the explorer in a tree of files. The page was made without a search: if its address has
 * one, styles show rows to come in place of results that the reader has not asked for.
 */

const NAMES = ["q", "status", "minScore", "maxScore", "sort", "page", ...LIST_FILTER_NAMES];
const isSought = new RegExp(`[?&](?:${NAMES.join("|")})=[^&]`).test(location.search);
if (isSought) document.documentElement.dataset.sought = "";
