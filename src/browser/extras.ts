import type { Found } from "../pages/explorer/results-view.js";
import type { SearchState } from "../pages/explorer/search-state.js";
import { searchJson, searchTitle } from "../pages/explorer/search-title.js";
import { elements } from "./page-elements.js";
import { IN_TREE } from "./tree.js";

/** The key that moves the focus to the search. */
const SEARCH_KEY = "/";

/** Has `/` move the focus to the search, unless the reader is typing. */
export function useSearchKey(): void {
  const { input } = elements;
  input.setAttribute("aria-keyshortcuts", SEARCH_KEY);
  if (matchMedia("(hover: hover)").matches)
    input.placeholder = `Search sites (press ${SEARCH_KEY})`;
  addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.closest("input, select, textarea, dialog");
    if (key !== SEARCH_KEY || isTyping || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

/** Removes logos that cannot be loaded, so that the letter behind them is seen. */
export function dropBrokenLogos(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>(".logo img")) {
    if (image.complete && image.naturalWidth === 0) image.remove();
  }
  addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLImageElement) target.remove();
    },
    // Errors of images do not bubble.
    true,
  );
}

/** Updates the window title and the links to the JSON for a state. */
export function nameWindow(state: SearchState, { pagination }: Found): void {
  const site = document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]');
  document.title = searchTitle(state, pagination.total, site?.content ?? "");
  if (IN_TREE) return;
  const links = 'link[rel="alternate"][type="application/json"], a[data-json]';
  for (const one of document.querySelectorAll(links)) one.setAttribute("href", searchJson(state));
}
