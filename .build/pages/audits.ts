/** Measures a page in a browser. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1440, height: 900 };

/** The number of elements that axe-core finds fault with, on a phone in light colours and on a desktop in dark ones. */
export async function axeViolations(browser: Browser, address: string): Promise<number> {
  let count = 0;
  for (const [viewport, colorScheme] of [
    [PHONE, "light"],
    [DESKTOP, "dark"],
  ] as const) {
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(address, { waitUntil: "networkidle" });
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await page.evaluate(AXE);
    count += await page.evaluate<number>(
      `axe.run(${JSON.stringify({ runOnly: RULES })}).then(({ violations }) => violations.flatMap(({ ` +
        "nodes }) => nodes).length)",
    );
    await page.close();
  }
  return count;
}

/** What a first visit fetches. */
export interface Visited {
  /** Null if the answer is no HTML. */
  readonly html: string | null;
  readonly requests: number;
  /** Of all answers as they are sent: compressed, with their headers. */
  readonly bytes: number;
}

/** Visits a page without a cache. */
export async function firstVisit(browser: Browser, address: string): Promise<Visited> {
  const page = await browser.newPage({ viewport: DESKTOP });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let requests = 0;
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    requests += 1;
    bytes += encodedDataLength;
  });
  const reply = await page.goto(address, { waitUntil: "networkidle" });
  const isHtml = reply?.headers()["content-type"]?.startsWith("text/html") ?? false;
  const html = isHtml ? ((await reply?.text()) ?? null) : null;
  await page.close();
  return { html, requests, bytes };
}

/** How fast a page shows and how long its scripts block it, in milliseconds, and how far it jumps. */
export interface SlowVisit {
  /** Largest Contentful Paint. */
  readonly lcp: number;
  /** Total Blocking Time: what tasks take beyond 50 ms each. */
  readonly tbt: number;
  /** Cumulative Layout Shift. */
  readonly cls: number;
}

/** Latency in milliseconds and bytes a second: a slow phone's network of 1.6 Mbit/s, as Lighthouse throttles it. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};
const CPU_SLOWDOWN = 4;
/** Milliseconds in which long tasks still count, after half a second without requests. */
const WATCHED_MS = 500;

const OBSERVERS = `globalThis.seen = { lcp: 0, tbt: 0, cls: 0 };
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) seen.lcp = startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) seen.tbt += duration - 50;
}).observe({ type: "longtask", buffered: true });
// Nobody types or taps here, so the shifts of a short visit are one session.
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) seen.cls += value;
}).observe({ type: "layout-shift", buffered: true });`;

/** Visits a page on a slow phone so many times, each with an empty cache. @returns the medians */
export async function slowVisit(
  browser: Browser,
  address: string,
  rounds: number,
): Promise<SlowVisit> {
  const visits: SlowVisit[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage({ viewport: PHONE, isMobile: true, deviceScaleFactor: 2 });
    visits.push(await slowlyVisited(page, address));
    await page.close();
  }
  const median = (pick: (visit: SlowVisit) => number) =>
    visits.map(pick).sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
  return {
    lcp: median(({ lcp }) => lcp),
    tbt: median(({ tbt }) => tbt),
    cls: median(({ cls }) => cls),
  };
}

async function slowlyVisited(page: Page, address: string): Promise<SlowVisit> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.addInitScript(OBSERVERS);
  await page.goto(address, { waitUntil: "networkidle" });
  await page.waitForTimeout(WATCHED_MS);
  return page.evaluate<SlowVisit>("seen");
}
