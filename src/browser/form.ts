import {
  CHOICES,
  type Choice,
  readState,
  type SearchState,
} from "../pages/explorer/search-state.js";

/** The state that a form says; it is on its first page. */
export function stateOf(form: HTMLFormElement): SearchState {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) given.append(name, String(value));
  return readState(given);
}

/** Has the controls of a form say what a state says; its text may be in the middle of being typed, and is left. */
export function writeState(form: HTMLFormElement, state: SearchState): void {
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) control.value = state.sort;
    else if (isScoreBox(control)) control.value = String(state[control.name] ?? "");
    else if (control instanceof HTMLInputElement) {
      const { name, value } = control;
      if (isChoice(name)) control.checked = state[name].includes(value);
      else if (name === "status") control.checked = value === (state.status ?? "");
    }
  }
}

function isChoice(name: string): name is Choice {
  return CHOICES.some((choice) => choice === name);
}

/** A box for an end of the range of scores. */
type ScoreBox = HTMLInputElement & { readonly name: "minScore" | "maxScore" };

export function isScoreBox(target: EventTarget | null): target is ScoreBox {
  return target instanceof HTMLInputElement && target.type === "number";
}
