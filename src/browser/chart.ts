import { elements } from "./explorer-controls.js";

/**
 * Lets readers choose several bars of the histogram: by dragging from one to another, or by arrow keys with Shift and
 * then Enter. Arrow keys alone move from bar to bar, down to the bar's band, from band to band, and up again. A single
 * bar and a band are links.
 * @param onRange called with the range of scores that a reader has chosen
 */
export function chooseRanges(onRange: (from: number, to: number) => void): void {
  const { overview } = elements;
  /** The bar at which a choice begins. */
  let first: HTMLElement | null = null;
  /** Whether the next click only ends a choice of several bars. */
  let isDragged = false;
  const choose = (one: HTMLElement, other: HTMLElement) => {
    const ends = [one, other].flatMap(rangeOf);
    onRange(Math.min(...ends), Math.max(...ends));
  };
  const end = () => {
    markBars(null, null);
    first = null;
  };
  overview.addEventListener("keydown", (event) => {
    const bar = barAt(event.target);
    if (bar === null || isCombined(event)) return;
    const next = nextOf(bars(), bar, event.key);
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
  overview.addEventListener("keydown", moveByBands);
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

/** Moves the focus between bands, and between a bar and its band. */
function moveByBands(event: KeyboardEvent): void {
  const { target, key } = event;
  if (isCombined(event)) return;
  const bar = barAt(target);
  const band = partAt(target, BAND);
  let next: HTMLElement | undefined | null = null;
  if (bar !== null && key === "ArrowDown") next = parts(BAND).find((one) => isWithin(bar, one));
  else if (band !== null && key === "ArrowUp") next = bars().find((one) => isWithin(one, band));
  else if (band !== null) next = nextOf(parts(BAND), band, key);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function isCombined({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}

/** Whether all scores of a bar are in a band. */
function isWithin(bar: HTMLElement, band: HTMLElement): boolean {
  const [least, greatest] = rangeOf(band);
  return rangeOf(bar).every((score) => least <= score && score <= greatest);
}

function rangeOf({ dataset }: HTMLElement): [from: number, to: number] {
  return [Number(dataset.from), Number(dataset.to)];
}

/** The element that a key leads to, or the element itself at either end; null for other keys. */
function nextOf(all: readonly HTMLElement[], one: HTMLElement, key: string): HTMLElement | null {
  const index = all.indexOf(one);
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: all.length - 1,
  };
  const target = targets[key];
  return target === undefined ? null : (all[target] ?? one);
}

const BAR = ".bin";
const BAND = ".legend-band";

function parts(selector: string): HTMLElement[] {
  return [...elements.overview.querySelectorAll<HTMLElement>(selector)];
}

function bars(): HTMLElement[] {
  return parts(BAR);
}

function partAt(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

function barAt(target: EventTarget | null): HTMLElement | null {
  return partAt(target, BAR);
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
