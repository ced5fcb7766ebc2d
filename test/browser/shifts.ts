import type { Page } from "./browsers.js";

/** The window of a small phone. */
export const PHONE = { width: 360, height: 740 };

/** How far the contents of a page have moved: the sums of its layout shifts. */
export interface Shifts {
  /** Without those in the half second after a key or a press, which browsers leave out (CLS). */
  readonly unexpected: number;
  readonly all: number;
  /** The elements that have moved most in each shift. */
  readonly moved: readonly string[];
}

/* Rows of placeholders do not count: `#found` is on the page, and `data-sought` has gone. */
const RECORDER = `globalThis.forgetShifts = () => {
  globalThis.shifts = { from: performance.now(), unexpected: 0, all: 0, moved: [] };
};
forgetShifts();
globalThis.firstRows = null;
globalThis.largest = null;
globalThis.slowest = 0;
const nameOf = ({ node }) => node instanceof Element
  ? node.localName + (node.id && "#" + node.id) + (node.className && "." + node.className)
  : String(node?.nodeName);
new PerformanceObserver((list) => {
  for (const { startTime, value, hadRecentInput, sources } of list.getEntries()) {
    if (startTime < shifts.from) continue;
    shifts.all += value;
    if (!hadRecentInput) shifts.unexpected += value;
    shifts.moved.push(value.toFixed(3) + (hadRecentInput ? " after input: " : ": ") + sources.map(nameOf).join(", "));
  }
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  largest = list.getEntries().at(-1).startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries()) if (interactionId) slowest = Math.max(slowest, duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
new MutationObserver((_, observer) => {
  if (document.querySelector(".site, .nothing") === null) return;
  if ("sought" in document.documentElement.dataset) return;
  firstRows = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true });`;

/** Records how far the contents of the pages that are opened in it move, and when their first rows are there. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(RECORDER);
}

export function shiftsOf(page: Page): Promise<Shifts> {
  return page.evaluate<Shifts>("shifts");
}

/** Forgets the shifts so far, once the page shows what it has. */
export async function forgetShifts(page: Page): Promise<void> {
  await drawn(page);
  await page.evaluate("forgetShifts()");
}

/** Waits until the page shows what it has. */
export async function drawn(page: Page): Promise<void> {
  const frame = "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))";
  await page.evaluate(`${frame}.then(() => ${frame})`);
}

/** Milliseconds from the start of the page to its first rows; null if there are none yet. */
export function firstRowsAt(page: Page): Promise<number | null> {
  return page.evaluate<number | null>("firstRows");
}

/** Milliseconds to the largest text or picture (LCP), and of the slowest answer to a key or a press (INP). */
export function paintsOf(
  page: Page,
): Promise<{ readonly largest: number; readonly slowest: number }> {
  return page.evaluate("({ largest, slowest })");
}

/** Slows a page's processor down, but not those of its workers. @param slowdown how many times slower it is */
export async function slowDown(page: Page, slowdown: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
}
