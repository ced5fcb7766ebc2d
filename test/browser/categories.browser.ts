import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/server/server.js";
import { type Browser, expectForEverybody, type Page, watched, withPage } from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

let browser: Browser;
let server: RunningServer;
/** The address of the same directory in plain files. */
let files: string;

visiting({ listings: 400, seed: 4 }, async (visit) => {
  ({ browser, server } = visit);
  files = await visit.files();
});

const names = (page: Page) => page.locator("tbody:not(.all) tr:first-child th").allTextContents();
const sites = async (page: Page) =>
  (await page.locator("tbody:not(.all) td.by-sites").allTextContents()).map((text) =>
    Number.parseInt(text, 10),
  );
const sorted = (page: Page) =>
  page
    .locator("th[aria-sort]")
    .evaluateAll((all) => all.map((one) => `${one.textContent?.trim()} ${one.ariaSort}`));
const isRising = (numbers: readonly number[]) =>
  numbers.length > 10 && numbers.every((one, at) => at === 0 || numbers[at - 1]! <= one);

describe.skipIf(!HAS_BROWSER)("the list of categories in a browser", () => {
  it("is sorted by keyboard, keeps the order in the address, and goes back", async () => {
    for (const address of [`${server.url}/categories`, `${files}/categories.html`]) {
      await withPage(browser, address, async (page) => {
        const usual = await names(page);
        const requests: string[] = [];
        await page.locator("th a", { hasText: "Sites" }).focus();
        page.on("request", (request) => {
          // Chromium asks for the icon again when the address changes.
          if (!request.url().includes("/assets/icon")) requests.push(request.url());
        });
        await page.keyboard.press("Enter");
        expect(await sorted(page)).toEqual(["Sites descending"]);
        await page.keyboard.press("Enter");
        expect(await sorted(page)).toEqual(["Sites ascending"]);
        expect(isRising(await sites(page))).toBe(true);
        expect(await page.evaluate("document.activeElement.textContent")).toBe("Sites");
        expect(new URL(page.url()).search).toBe("?sort=sites-asc");
        expect(requests).toEqual([]);
        const rising = await names(page);
        await page.reload();
        expect(await names(page)).toEqual(rising);
        await page.goBack();
        await expect.poll(() => sorted(page)).toEqual(["Sites descending"]);
        await page.goBack();
        await expect.poll(() => names(page)).toEqual(usual);
        expect(new URL(page.url()).search).toBe("");
      });
    }
  });

  it("is sorted by a server without JavaScript, as the script sorts it", async () => {
    const values = ["name", "name-desc", "sites", "share", "share-asc", "median-asc", "failed"];
    await withPage(
      browser,
      "about:blank",
      async (still) => {
        for (const value of values) {
          await still.goto(`${server.url}/categories?sort=${value}`);
          const served = await names(still);
          await withPage(browser, `${files}/categories.html?sort=${value}`, async (page) => {
            expect([value, await names(page)]).toEqual([value, served]);
            expect(await sorted(page)).toEqual(await sorted(still));
          });
        }
        await still.locator("th a", { hasText: "Sites" }).click();
        expect(still.url()).toBe(`${server.url}/categories?sort=sites`);
      },
      { javaScriptEnabled: false },
    );
  });

  it("opens a row by keyboard, which stays open when the list is sorted", async () => {
    await withPage(browser, `${server.url}/categories`, async (page) => {
      const row = page.locator("tbody:not(.all)").nth(3);
      const name = (await row.locator("th").first().textContent()) ?? "";
      expect(await row.locator(".opened").isVisible()).toBe(false);
      await row.locator("summary").first().focus();
      await page.keyboard.press("Enter");
      expect(await row.locator(".opened").isVisible()).toBe(true);
      await page.locator("th a", { hasText: "Sites" }).click();
      const opened = page.locator("tbody:not(.all)", { has: page.locator("details[open]") });
      expect(await opened.locator("th").first().textContent()).toBe(name);
      const link = page
        .locator(".opened:visible")
        .getByRole("link", { name: "All sites and ranks" });
      await link.click();
      await expect.poll(() => page.locator("h1").textContent()).toBe(name);
    });
  });

  it("has no axe-core violations with its rows open, nor has a category or a check", async () => {
    await withPage(browser, "about:blank", async (page) => {
      const complaints = watched(page, server.url);
      for (const path of ["/categories?sort=name", "/categories/education", "/checks/https"]) {
        await page.goto(server.url + path);
        await expectForEverybody(page);
      }
      expect(complaints).toEqual([]);
    });
  });
});
