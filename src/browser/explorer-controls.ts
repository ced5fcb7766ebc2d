import { isListFilterName, type ListFilterName } from "../contract/filters.js";
import {
  type Choices,
  type Counts,
  type Directory,
  facetsView,
  filtersText,
  sheetText,
} from "../pages/explorer/facets.js";
import type { Listed } from "../pages/explorer/results-view.js";
import {
  isReversed,
  readState,
  type SearchState,
  searchJson,
  searchTitle,
  textOf,
} from "../pages/explorer/search-state.js";
import type { Html } from "../pages/kit/html.js";
import { listed } from "../pages/kit/words.js";
import { COMPARED_MAX } from "../pages/report/comparison.js";
import { fill } from "./dom.js";
import { IN_TREE, linkTo } from "./tree.js";

/** The elements of the explorer page that its script uses. */
export const elements = {
  form: byId("search", HTMLFormElement),
  input: byId("q", HTMLInputElement),
  list: byId("suggestions", HTMLElement),
  overview: byId("overview", HTMLElement),
  filters: byId("filters", HTMLElement),
  sheet: byId("sheet", HTMLDialogElement),
  sheetBody: byId("sheet-body", HTMLElement),
  sheetClose: byId("sheet-close", HTMLButtonElement),
  sheetDone: byId("sheet-done", HTMLButtonElement),
  toggle: byId("filters-toggle", HTMLButtonElement),
  outcome: byId("outcome", HTMLElement),
  problem: byId("problem", HTMLElement),
  results: byId("results", HTMLElement),
  told: byId("told", HTMLElement),
  /** The form of ticked sites; null if no page takes them. */
  ticks: document.querySelector<HTMLFormElement>("form.ticks"),
};

/** Shows that a search is running. Until its counts are shown, styles hide those of an earlier search. */
export function beginSearch(): void {
  const { form, results, overview, filters, sheetDone } = elements;
  for (const one of [results, overview, filters]) one.setAttribute("aria-busy", "true");
  form.dataset.uncounted = "";
  sheetDone.textContent = sheetText(null);
}

/** Shows that the search has found its sites: the page lists those for its address. */
export function endListing(): void {
  elements.results.removeAttribute("aria-busy");
  delete document.documentElement.dataset.sought;
}

/** Shows that no search is running. @param isCounted whether the page has the counts for its address */
export function endSearch(isCounted: boolean): void {
  const { form, overview, filters } = elements;
  endListing();
  for (const one of [overview, filters]) one.removeAttribute("aria-busy");
  if (isCounted) delete form.dataset.uncounted;
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  elements.told.textContent = text;
}

/**
 * Moves the focus to the heading of the results, unless the reader has moved it elsewhere in the meantime.
 * @param left the element that the reader pressed
 * @returns whether the focus moves
 */
export function focusFound(left: Element): boolean {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== left && activeElement !== body) return false;
  elements.results.querySelector<HTMLElement>("#found")?.focus({ preventScroll: true });
  return true;
}

export function byId<T extends Element>(id: string, type: { new (): T; readonly prototype: T }): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${id}.`);
}

/** Sets up the ticks of sites, the filters' dialog, the key that leads to the search, and pasted addresses. */
export function useControls(): void {
  const { ticks, results } = elements;
  if (ticks !== null) keepTicks(ticks, results);
  useSheet();
  usePastedAddress();
}

/**
 * Keeps the ticks of sites while the list is redrawn: a site that is no longer in it stays ticked, as a hidden field.
 */
function keepTicks(form: HTMLFormElement, list: Element): void {
  const hosts = new Set<string>();
  const boxes = () => list.querySelectorAll<HTMLInputElement>(".tick input");
  const draw = () => {
    const absent = new Set(hosts);
    for (const box of boxes()) {
      box.checked = absent.delete(box.value);
      box.disabled = !box.checked && hosts.size >= COMPARED_MAX;
    }
    for (const field of form.querySelectorAll("input")) field.remove();
    for (const host of absent) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "sites", value: host });
      form.append(field);
    }
    const told = form.querySelector("#ticked");
    if (told !== null && hosts.size > 0) told.textContent = `Ticked: ${listed([...hosts])}`;
  };
  list.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.form !== form) return;
    if (target.checked) hosts.add(target.value);
    else hosts.delete(target.value);
    draw();
  });
  // The browser may have kept ticks of an earlier visit.
  for (const { checked, value } of boxes()) if (checked) hosts.add(value);
  new MutationObserver(draw).observe(list, { childList: true, subtree: true });
  draw();
}

/**
 * The filters of a narrow window: a modal dialog that the filters move into, so that the browser keeps the focus in it
 * and restores it afterwards. In a wide window they are beside the results.
 */
function useSheet(): void {
  const { filters, toggle, outcome, sheet, sheetBody, sheetClose, sheetDone } = elements;
  toggle.addEventListener("click", () => {
    sheetBody.append(filters);
    sheet.showModal();
  });
  const close = () => sheet.close();
  sheetClose.addEventListener("click", close);
  sheetDone.addEventListener("click", close);
  sheet.addEventListener("click", ({ target }) => {
    // The content covers the dialog, so a click on the dialog itself is on the backdrop.
    if (target === sheet) close();
  });
  sheet.addEventListener("close", () => outcome.after(filters));
  matchMedia("(min-width: 56rem)").addEventListener("change", close);
}

/** Replaces an address that is pasted into the search box with its host. A typed one stays: it may not be finished. */
function usePastedAddress(): void {
  const { input } = elements;
  input.addEventListener("input", (event) => {
    const isPasted = event instanceof InputEvent && /^insertFrom/.test(event.inputType);
    if (isPasted) input.value = textOf(input.value);
  });
}

/** The link to another state of the explorer that is clicked; null for other clicks, and those that open windows. */
export function stateLinkAt(event: MouseEvent): HTMLAnchorElement | null {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (!(target instanceof Element) || button !== 0) return null;
  const isPlain = !ctrlKey && !metaKey && !shiftKey && !altKey;
  return isPlain ? target.closest<HTMLAnchorElement>("a[data-state]") : null;
}

/** Shows a state's address in the window. @param isSame whether no history entry is added */
export function record(address: string, isSame: boolean): void {
  try {
    history[isSame ? "replaceState" : "pushState"](null, "", location.pathname + address);
  } catch {
    // Safari accepts only 100 addresses in 30 seconds. A later address will include the text typed now.
  }
}

/** Updates the window title and the links to the JSON for a state. */
export function nameWindow(state: SearchState, { pagination }: Listed): void {
  const site = document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]');
  document.title = searchTitle(state, pagination.total, site?.content ?? "");
  if (IN_TREE) return;
  const links = 'link[rel="alternate"][type="application/json"], a[data-json]';
  for (const one of document.querySelectorAll(links)) one.setAttribute("href", searchJson(state));
}

/** Draws the explorer's filters. @param counts null if they are not known yet */
export function drawFilters(state: SearchState, directory: Directory, counts: Counts | null): void {
  const { filters, toggle } = elements;
  const { activeElement } = document;
  const group = filters.contains(activeElement) ? activeElement?.closest(".facet") : null;
  fill(filters, facetsView(state, directory, counts));
  // An item that the directory does not know disappears when it is deselected.
  if (group && activeElement?.isConnected === false) {
    const summary = (group.isConnected ? group : filters).querySelector("summary");
    summary?.focus();
  }
  toggle.textContent = filtersText(state);
}

/** The choices that the page's filters show. */
export function choicesShown(): Choices {
  const choices: Partial<Record<ListFilterName, { value: string; label: string }[]>> = {};
  for (const { name, value, labels } of elements.filters.querySelectorAll("input")) {
    const label = labels?.[0]?.querySelector(".choice-name")?.textContent ?? value;
    if (isListFilterName(name)) choices[name] = [...(choices[name] ?? []), { value, label }];
  }
  return choices;
}

/** Shows the sites of a list, and the number of all that were found, in the place of other ones. */
export function drawListed(view: Html, { sites, pagination }: Listed): void {
  const { results, sheetDone } = elements;
  const shown = Array.from(results.querySelectorAll(".site h3 a"), (link) =>
    link.getAttribute("href"),
  );
  const isSame = shown.every((link, at) => {
    const host = sites[at]?.host;
    return host !== undefined && link === linkTo(`sites/${encodeURIComponent(host)}`);
  });
  // Other sites are other elements: they replace those of an earlier search, which do not move.
  if (!isSame) results.querySelector(".sites")?.remove();
  fill(results, view);
  sheetDone.textContent = sheetText(pagination.total);
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
