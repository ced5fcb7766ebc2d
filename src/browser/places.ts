/** The places of the explorer's page that its script fills. */
export const places = {
  form: byId("search", HTMLFormElement),
  input: byId("q", HTMLInputElement),
  list: byId("suggestions", HTMLElement),
  filters: byId("filters", HTMLElement),
  toggle: byId("filters-toggle", HTMLButtonElement),
  problem: byId("problem", HTMLElement),
  results: byId("results", HTMLElement),
  told: byId("told", HTMLElement),
};

/** Whether a runtime has made the page: then what it has found stands there, and there is an API. */
export const IS_MADE = places.results.dataset.made === "true";

/** Says a text to those who hear the page. */
export function tell(text: string): void {
  places.told.textContent = text;
}

/**
 * Has reading go on where what is found begins, unless its reader has gone elsewhere meanwhile.
 * @param left what was pressed
 * @returns whether it does
 */
export function focusFound(left: Element): boolean {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== left && activeElement !== body) return false;
  places.results.querySelector<HTMLElement>("#found")?.focus({ preventScroll: true });
  return true;
}

export function byId<T extends Element>(id: string, type: { new (): T; readonly prototype: T }): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${id}.`);
}
