import { isListFilterName } from "../contract/filters.js";
import type { Counts, Directory } from "../pages/explorer/facet-groups.js";
import { facetsView, filtersText, sheetText } from "../pages/explorer/facets-view.js";
import { isReversed, readState, type SearchState } from "../pages/explorer/search-state.js";
import { fill } from "./dom.js";
import { elements } from "./page-elements.js";

/** The explorer's filters, and the reader's changes to their display, which are not part of the address. */
export class FilterPanel {
  readonly #unfolded = new Set<string>();
  readonly #narrowed = new Map<string, string>();
  readonly #kept = new Set<string>();
  /** The id of the group that `#kept` applies to. */
  #keptIn: string | null = null;

  /** @param onUse called after the reader folds or narrows a group; the filters then need a redraw */
  constructor(onUse: () => void) {
    elements.filters.addEventListener("input", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.dataset.narrow === undefined) return;
      this.#narrowed.set(target.dataset.narrow, target.value);
      this.#kept.clear();
      onUse();
    });
    elements.filters.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("[data-unfold]") : null;
      const name = button?.getAttribute("data-unfold");
      if (name === null || name === undefined) return;
      if (!this.#unfolded.delete(name)) this.#unfolded.add(name);
      this.#kept.clear();
      onUse();
    });
  }

  /** @param counts null if there are no counts */
  draw(state: SearchState, directory: Directory, counts: Counts | null): void {
    this.#keep();
    const use = { unfolded: this.#unfolded, narrowed: this.#narrowed, kept: this.#kept };
    const { activeElement } = document;
    fill(elements.filters, facetsView(state, directory, counts, use));
    if (activeElement?.isConnected === false) this.#refocus();
    elements.toggle.textContent = filtersText(state);
    if (counts !== null) elements.sheetDone.textContent = sheetText(counts.facets.total);
  }

  /**
   * Restores the focus if its item has disappeared: an item that the directory does not know goes when it is
   * deselected. The focus moves to the title of the item's group, or else of the first group.
   */
  #refocus(): void {
    const title = (group: string) =>
      elements.filters.querySelector<HTMLElement>(`${group} summary`);
    (title(`#${this.#keptIn}`) ?? title(""))?.focus();
  }

  /** Keeps items visible that have or had the focus, until the focus leaves their group. */
  #keep(): void {
    const { activeElement } = document;
    const group = elements.filters.contains(activeElement)
      ? activeElement?.closest("details")
      : null;
    const id = group?.id ?? null;
    if (id !== this.#keptIn) this.#kept.clear();
    this.#keptIn = id;
    if (activeElement instanceof HTMLInputElement && activeElement.type === "checkbox") {
      this.#kept.add(`${activeElement.name}=${activeElement.value}`);
    }
  }
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
