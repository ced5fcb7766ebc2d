import { isListFilterName } from "../contract/filters.js";
import {
  type Counts,
  type Directory,
  facetsView,
  filtersText,
  sheetText,
} from "../pages/explorer/facets.js";
import { isReversed, readState, type SearchState } from "../pages/explorer/search-state.js";
import { fill } from "./dom.js";
import { elements } from "./page-elements.js";

/** Draws the explorer's filters. @param counts null if they are not known yet */
export function drawFilters(state: SearchState, directory: Directory, counts: Counts | null): void {
  const { filters, toggle, sheetDone } = elements;
  const { activeElement } = document;
  const group = filters.contains(activeElement) ? activeElement?.closest(".facet") : null;
  fill(filters, facetsView(state, directory, counts));
  // An item that the directory does not know disappears when it is deselected.
  if (group && activeElement?.isConnected === false) {
    const summary = (group.isConnected ? group : filters).querySelector("summary");
    summary?.focus();
  }
  toggle.textContent = filtersText(state);
  if (counts !== null) sheetDone.textContent = sheetText(counts.facets.total);
}

/** Reads a form's state, on the first page. */
export function stateOf(form: HTMLFormElement): SearchState {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) given.append(name, String(value));
  return readState(given);
}

/** Writes a state into a form's controls, except the search text, which the reader may be typing. */
export function writeState(form: HTMLFormElement, state: SearchState): void {
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) {
      control.value = state.sort ?? "";
      // The list of all sites has another value for the first order.
      if (control.selectedIndex < 0) control.selectedIndex = 0;
    } else if (isScoreBox(control)) control.value = String(state[control.name] ?? "");
    else if (control instanceof HTMLInputElement) {
      const { name, value } = control;
      if (isListFilterName(name)) control.checked = state[name].includes(value);
      else if (name === "status") control.checked = value === (state.status ?? "");
    }
  }
}

/** Shows or hides the message about a reversed range of scores, and marks its fields. */
export function markRange(form: HTMLFormElement, state: SearchState): void {
  const isWrong = isReversed(state);
  for (const control of form.elements) {
    if (isScoreBox(control)) control.setAttribute("aria-invalid", String(isWrong));
  }
  const message = form.querySelector<HTMLElement>("#range-wrong");
  if (message !== null) message.hidden = !isWrong;
}

/** The box for one end of the score range. */
type ScoreBox = HTMLInputElement & { readonly name: (typeof SCORE_NAMES)[number] };
const SCORE_NAMES = ["minScore", "maxScore"] as const;

export function isScoreBox(target: EventTarget | null): target is ScoreBox {
  return target instanceof HTMLInputElement && SCORE_NAMES.some((name) => name === target.name);
}
