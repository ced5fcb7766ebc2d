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
  problem: byId("problem", HTMLElement),
  results: byId("results", HTMLElement),
  told: byId("told", HTMLElement),
};

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
