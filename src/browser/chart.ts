import { elements } from "./explorer-controls.js";

/**
 * Lets readers choose several bars of the histogram: by dragging from one to another, or by arrow keys with Shift and
 * then Enter. Arrow keys alone move from bar to bar. A single bar is a link.
 * @param onRange called with the range of scores that a reader has chosen
 */
export function chooseRanges(onRange: (from: number, to: number) => void): void {
  const { overview } = elements;
  /** The bar at which a choice begins. */
  let first: Element | null = null;
  /** Whether the next click only ends a choice of several bars. */
  let isDragged = false;
  const choose = (one: Element, other: Element) => {
    const ends = [one, other].flatMap((bar) => [
      Number(bar.getAttribute("data-from")),
      Number(bar.getAttribute("data-to")),
    ]);
    onRange(Math.min(...ends), Math.max(...ends));
  };
  const end = () => {
    markBars(null, null);
    first = null;
  };
  overview.addEventListener("keydown", (event) => {
    const bar = barAt(event.target);
    if (bar === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextBar(bar, event.key);
    if (next !== null) {
      event.preventDefault();
      first = event.shiftKey ? (first ?? bar) : null;
      markBars(first, next);
      for (const one of bars()) one.tabIndex = one === next ? 0 : -1;
      next.focus();
    } else if (event.key === "Enter" && first !== null && first !== bar) {
      event.preventDefault();
      choose(first, bar);
      end();
    }
  });
  overview.addEventListener("dragstart", (event) => event.preventDefault());
  overview.addEventListener("pointerdown", ({ target, button }) => {
    isDragged = false;
    first = button === 0 ? barAt(target) : null;
  });
  overview.addEventListener("pointermove", ({ buttons, clientX, clientY }) => {
    const last = barAt(document.elementFromPoint(clientX, clientY));
    if ((buttons & 1) === 0 || first === null || last === null) return;
    isDragged ||= last !== first;
    if (isDragged) markBars(first, last);
  });
  addEventListener("pointerup", ({ clientX, clientY }) => {
    const last = barAt(document.elementFromPoint(clientX, clientY));
    if (isDragged && first !== null && last !== null) choose(first, last);
    end();
  });
  overview.addEventListener("click", (event) => {
    if (isDragged) event.preventDefault();
    if (isDragged) event.stopImmediatePropagation();
    isDragged = false;
  });
}

/** The bar that a key leads to, or the bar itself at either end; null for other keys. */
function nextBar(bar: HTMLElement, key: string): HTMLElement | null {
  const all = bars();
  const index = all.indexOf(bar);
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: all.length - 1,
  };
  const target = targets[key];
  return target === undefined ? null : (all[target] ?? bar);
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
  const ends = [one, other].map((bar) => (bar === null ? -1 : all.indexOf(bar)));
  const least = Math.min(...ends);
  const most = Math.max(...ends);
  for (const [index, bar] of all.entries()) {
    bar.toggleAttribute("data-picked", least >= 0 && index >= least && index <= most);
  }
}
