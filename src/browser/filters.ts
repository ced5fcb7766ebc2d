import type { Counts, Directory } from "../pages/explorer/facet-groups.js";
import { facetsView, filtersText, sheetText } from "../pages/explorer/facets-view.js";
import type { SearchState } from "../pages/explorer/search-state.js";
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
