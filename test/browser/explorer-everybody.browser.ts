import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/runtime/http/server.js";
import {
  type Browser,
  expectAccessible,
  expectForEverybody,
  type Page,
  watched,
  withPage,
} from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

let browser: Browser;
let server: RunningServer;
/** The address of the same directory in plain files. */
let files: string;

visiting({ listings: 400, seed: 4 }, async (visit) => {
  ({ browser, server } = visit);
  files = await visit.files();
});

const text = (page: Page, selector: string) => page.locator(selector).textContent();
const hosts = (page: Page) => page.locator(".site h3 a").allTextContents();

describe.skipIf(!HAS_BROWSER)("the explorer and the methodology for everybody", () => {
  it("have no axe-core violations in either colour scheme, and nothing wider than the window", async () => {
    const paths = [
      "/",
      "/?q=a&minScore=10&status=unclaimed&page=2",
      "/?q=zzzzzz&band=x",
      "/standards",
    ];
    await withPage(browser, "about:blank", async (page) => {
      const complaints = watched(page, server.url);
      for (const path of paths) {
        await page.goto(server.url + path);
        await expectForEverybody(page);
      }
      expect(complaints).toEqual([]);
    });
  });

  it("have no violations with the list of suggestions open either", async () => {
    await withPage(browser, server.url, async (page) => {
      await page.locator("#q").pressSequentially("co");
      await expect.poll(() => page.locator("#suggestions li").count()).toBeGreaterThan(1);
      await page.keyboard.press("ArrowDown");
      await expectAccessible(page);
      expect(await page.locator("#suggestions li").count()).toBeGreaterThan(1);
    });
  });

  it("fold the filters in a narrow window, and open them by keyboard", async () => {
    await withPage(
      browser,
      server.url,
      async (page) => {
        expect(await page.locator("#filters").isVisible()).toBe(false);
        await page.getByRole("button", { name: "Filters" }).press("Enter");
        await expect.poll(() => page.locator("#filters").isVisible()).toBe(true);
        await page.locator("#filters input[type=checkbox]").first().check();
        await expect.poll(() => text(page, "#filters-toggle")).toBe("Filters: 1 choice");
        const found = () => text(page, "#found").then((shown) => shown?.replace(/,.*/, ""));
        const done = page.locator("#sheet-done");
        await expect
          .poll(async () => (await done.textContent()) === `Show ${await found()}`)
          .toBe(true);
        await expectAccessible(page);
        await page.keyboard.press("Escape");
        await expect.poll(() => page.locator("#filters").isVisible()).toBe(false);
        await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("filters-toggle");
        await page.keyboard.press("Enter");
        await done.click();
        await expect.poll(() => page.locator("#sheet").isVisible()).toBe(false);
        expect(new URL(page.url()).search).toContain("?band=");
      },
      { viewport: { width: 360, height: 800 } },
    );
  });

  it("can be searched, paged through and read without a script", async () => {
    await withPage(
      browser,
      server.url,
      async (page) => {
        await page.locator("#q").fill("a");
        await page.locator("input[name=category]").nth(2).check();
        const value = await page.locator("input[name=category]").nth(2).getAttribute("value");
        await page.getByRole("button", { name: "Search with these filters" }).click();
        await page.waitForURL(/q=a&/);
        const { searchParams } = new URL(page.url());
        expect([searchParams.get("q"), searchParams.getAll("category")]).toEqual(["a", [value]]);
        const reply = await fetch(`${server.url}/api/sites?q=a&category=${value}`);
        const { data } = (await reply.json()) as { data: { name: string; host: string }[] };
        const named = data.map(({ name, host }) => name ?? host).sort();
        // The page has the best match first.
        await expect.poll(async () => (await hosts(page)).sort()).toEqual(named);
        const folded = page.locator("#facet-category details");
        await folded.locator("summary").click();
        await expect.poll(() => folded.locator(".choice").first().isVisible()).toBe(true);
        await page.goto(`${server.url}/?q=a`);
        await page.getByRole("link", { name: "Next" }).click();
        expect(new URL(page.url()).search).toBe("?q=a&page=2");
        await expect.poll(() => page.locator(".sites").getAttribute("start")).toBe("25");
        await page.goto(`${files}/`);
        expect(await text(page, "p.no-script")).toContain("needs JavaScript");
      },
      { javaScriptEnabled: false },
    );
  });

  it("search the methodology by words, which its address contains, and scroll to its anchors", async () => {
    await withPage(browser, `${server.url}/standards`, async (page) => {
      const complaints = watched(page, server.url);
      const all = await page.locator(".check:visible").count();
      expect(all).toBeGreaterThan(10);
      await page.getByLabel("Search checks and crawlers").fill("GPTBot openai");
      await expect.poll(() => page.locator(".check:visible").count()).toBeLessThan(all);
      const found = await page.locator(".check:visible").allTextContents();
      expect(found.length).toBeGreaterThan(0);
      for (const one of found) expect(one.toLowerCase()).toMatch(/gptbot.*openai|openai.*gptbot/s);
      await expect
        .poll(() => text(page, "#told"))
        .toBe(`${found.length} of ${all} checks and crawlers`);
      await expect.poll(() => new URL(page.url()).search).toBe("?q=GPTBot+openai");
      await page.reload();
      await expect.poll(() => page.locator(".check:visible").count()).toBe(found.length);
      await expectAccessible(page);
      // A check that the words leave out is shown all the same where an address points to it.
      const anchor = await page.locator("#block-1 .check").first().getAttribute("id");
      await page.evaluate(`location.hash = ${JSON.stringify(anchor)}`);
      await expect.poll(() => page.locator(`#${anchor} .judged[open]`).count()).toBe(1);
      await expect.poll(() => page.locator(".check:visible").count()).toBe(all);
      expect(new URL(page.url()).search).toBe("");
      // Every check has the names of the categories, so they are not searched.
      const category = await page.locator(".by-category li span").first().textContent();
      await page.getByLabel("Search checks and crawlers").fill(category ?? "");
      await expect.poll(() => page.locator(".check:visible").count()).toBeLessThan(3);
      await page.evaluate("location.hash = '%'");
      await page.getByLabel("Search checks and crawlers").fill("zzzz");
      await expect.poll(() => text(page, "#told")).toBe(`0 of ${all} checks and crawlers`);
      expect(complaints).toEqual([]);
    });
  });
});
