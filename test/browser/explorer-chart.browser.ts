import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { type Browser, type Page, withPage } from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

let browser: Browser;
let server: RunningServer;

visiting({ listings: 900, seed: 5 }, (visit) => {
  ({ browser, server } = visit);
});

const TYPED = "sola";
const query = (page: Page) => new URL(page.url()).search;
const isIdle = (page: Page) =>
  expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBeNull();

describe.skipIf(!HAS_BROWSER)("the explorer's suggestions and histogram", () => {
  it("opens a report from a suggestion, or searches for the text with the last one", async () => {
    await withPage(browser, server.url, async (page) => {
      await page.locator("#q").pressSequentially(TYPED);
      const options = page.locator("#suggestions li");
      // Those of the first letters may come before those of all.
      await expect.poll(() => options.last().textContent()).toBe(`Search for “${TYPED}”`);
      expect(await options.count()).toBeGreaterThan(1);
      await options.last().click();
      await expect.poll(() => query(page)).toBe(`?q=${TYPED}`);
      await isIdle(page);
      await expect.poll(() => options.count()).toBe(0);
      await page.locator("#q").pressSequentially("r");
      await expect.poll(() => options.count()).toBeGreaterThan(1);
      const host = await options.nth(1).locator(".address").textContent();
      await options.nth(1).click();
      await page.waitForURL(`**/sites/${host}`);
    });
  });

  it("sends two requests for a search", async () => {
    await withPage(browser, server.url, async (page) => {
      const reads: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/api/sites")) reads.push(new URL(request.url()).pathname);
      });
      await page.locator("#facet-category input[type=checkbox]").first().check();
      await expect.poll(() => query(page)).toContain("category=");
      await isIdle(page);
      expect(reads.sort()).toEqual(["/api/sites", "/api/sites/facets"]);
    });
  });

  it("filters by the bars of the histogram: one by a click, several by the pointer or by arrow keys", async () => {
    await withPage(browser, server.url, async (page) => {
      const bars = page.locator(".bin");
      const numbers = (at: number) =>
        bars
          .nth(at)
          .evaluate((bar) => [bar.getAttribute("data-from"), bar.getAttribute("data-to")]);
      const [from, to] = await numbers(12);
      await bars.nth(12).click();
      await expect.poll(() => query(page)).toBe(`?minScore=${from}&maxScore=${to}`);
      await isIdle(page);
      await expect.poll(() => page.locator("[name=minScore]").inputValue()).toBe(from);
      await expect.poll(() => bars.nth(12).getAttribute("aria-current")).toBe("true");
      await bars.nth(12).click();
      await expect.poll(() => query(page)).toBe("");
      await isIdle(page);

      const [start, end] = await Promise.all([2, 5].map((at) => bars.nth(at).boundingBox()));
      const middle = (bar: typeof start) => [bar!.x + bar!.width / 2, bar!.y + 40] as const;
      await page.mouse.move(...middle(end));
      await page.mouse.down();
      await page.mouse.move(...middle(start), { steps: 4 });
      await expect.poll(() => page.locator(".bin[data-picked]").count()).toBe(4);
      await page.mouse.up();
      const range = `?minScore=${(await numbers(2))[0]}&maxScore=${(await numbers(5))[1]}`;
      await expect.poll(() => query(page)).toBe(range);
      await isIdle(page);

      await bars.nth(2).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Enter");
      const keyed = `?minScore=${(await numbers(3))[0]}&maxScore=${(await numbers(4))[1]}`;
      await expect.poll(() => query(page)).toBe(keyed);
      await isIdle(page);
      await expect.poll(() => page.locator(".bin[data-picked]").count()).toBe(0);
    });
  });
});
