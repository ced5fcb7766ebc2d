import { elements } from "./page-elements.js";

/** Called with the range of scores that a reader has chosen. */
type OnRange = (from: number, to: number) => void;

/**
 * Lets readers choose several bars of the histogram: by dragging from one to another, or by arrow keys with Shift and
 * then Enter. Arrow keys alone move from bar to bar. A single bar is a link.
 */
export class Chart {
  readonly #onRange: OnRange;
  /** The bar at which a choice begins. */
  #first: Element | null = null;
  /** Whether the next click only ends a choice of several bars. */
  #isDragged = false;

  constructor(onRange: OnRange) {
    this.#onRange = onRange;
    const { overview } = elements;
    overview.addEventListener("keydown", (event) => this.#onKey(event));
    overview.addEventListener("dragstart", (event) => event.preventDefault());
    overview.addEventListener("pointerdown", ({ target, button }) => {
      this.#isDragged = false;
      this.#first = button === 0 ? barAt(target) : null;
    });
    overview.addEventListener("pointermove", ({ buttons, clientX, clientY }) => {
      const last = barAt(document.elementFromPoint(clientX, clientY));
      if ((buttons & 1) === 0 || this.#first === null || last === null) return;
      this.#isDragged ||= last !== this.#first;
      if (this.#isDragged) markBars(this.#first, last);
    });
    addEventListener("pointerup", ({ clientX, clientY }) => {
      const last = barAt(document.elementFromPoint(clientX, clientY));
      if (this.#isDragged && this.#first !== null && last !== null) this.#choose(this.#first, last);
      markBars(null, null);
      this.#first = null;
    });
    overview.addEventListener("click", (event) => {
      if (this.#isDragged) event.preventDefault();
      if (this.#isDragged) event.stopImmediatePropagation();
      this.#isDragged = false;
    });
  }

  #onKey(event: KeyboardEvent): void {
    const here = barAt(event.target);
    if (here === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const all = bars();
    const at = all.indexOf(here);
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: all.length - 1,
    };
    const place = places[key];
    if (place !== undefined) {
      event.preventDefault();
      const next = all[place] ?? here;
      if (!shiftKey) this.#first = null;
      else this.#first ??= here;
      markBars(this.#first, next);
      for (const bar of all) bar.tabIndex = bar === next ? 0 : -1;
      next.focus();
    } else if (key === "Enter" && this.#first !== null && this.#first !== here) {
      event.preventDefault();
      this.#choose(this.#first, here);
      this.#first = null;
      markBars(null, null);
    }
  }

  #choose(one: Element, other: Element): void {
    const scores = [one, other].flatMap((bar) => [
      bar.getAttribute("data-from"),
      bar.getAttribute("data-to"),
    ]);
    const numbers = scores.map(Number);
    this.#onRange(Math.min(...numbers), Math.max(...numbers));
  }
}

function bars(): HTMLElement[] {
  return [...elements.overview.querySelectorAll<HTMLElement>(".bin")];
}

function barAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".bin") : null;
}

/** Marks the bars from one to another; null for none. */
function markBars(one: Element | null, other: Element | null): void {
  const all: readonly Element[] = bars();
  const places = [one, other].map((bar) => (bar === null ? -1 : all.indexOf(bar)));
  const least = Math.min(...places);
  const most = Math.max(...places);
  for (const [place, bar] of all.entries()) {
    bar.toggleAttribute("data-picked", least >= 0 && place >= least && place <= most);
  }
}
