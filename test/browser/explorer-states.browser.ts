import { describe, expect, it } from "vitest";
import { PROBLEM_TEXTS } from "../../src/pages/explorer/overview.js";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { HOSTILE } from "../pages/hostile.js";
import { type Browser, expectAccessible, type Page, watched, withPage } from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

let browser: Browser;
let server: RunningServer;
/** The address of the same directory in plain files. */
let files: string;

visiting({ listings: 400, seed: 4 }, async (visit) => {
  ({ browser, server } = visit);
  files = await visit.files();
});

const SEARCHES = "**/api/sites?*";
const text = (page: Page, selector: string) => page.locator(selector).textContent();
const type = (page: Page, q: string) => page.locator("#q").fill(q);
const hosts = (page: Page) => page.locator(".site h3 a").allTextContents();

/** An answer of a search that finds one site. */
function oneSite(name: string, changes: object = {}): object {
  const site = {
    ...{ host: "example.com", url: "https://example.com/", name, tagline: name },
    ...{ status: "unclaimed", latestScore: 5, latestBand: name, latestScoreVersion: "x" },
    ...{ latestScannedAt: null, platforms: [], hosting: null, linkRel: "", category: null },
    ...{ tags: [], capabilities: [], logoUrl: null, ogImageUrl: null, highlighted: false },
    ...changes,
  };
  return { data: [site], pagination: { page: 1, limit: 24, total: 1, totalPages: 1 } };
}

describe.skipIf(!HAS_BROWSER)("the explorer when something goes wrong", () => {
  it("says that the network is lost, keeps the choices, and resumes when it is back", async () => {
    await withPage(browser, server.url, async (page, context) => {
      const before = await hosts(page);
      await context.setOffline(true);
      await expect.poll(() => text(page, "#problem")).toContain(PROBLEM_TEXTS.offline);
      await expect.poll(() => text(page, "#told")).toBe(PROBLEM_TEXTS.offline);
      await type(page, "k");
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).search).toBe("?q=k");
      expect(await hosts(page)).toEqual(before);
      await expectAccessible(page);
      await context.setOffline(false);
      await expect.poll(() => text(page, "#problem")).toBe("");
      await expect.poll(() => hosts(page)).not.toEqual(before);
      await expect
        .poll(async () => (await text(page, "#told")) === (await text(page, "#found")))
        .toBe(true);
    });
  });

  it.each([
    ["failed", { status: 500, json: { error: "x" } }],
    ["got an answer that is no API's", { status: 404, body: "<h1>Not found" }],
  ])("says that a search %s, and tries again on request", async (_, answer) => {
    await withPage(browser, server.url, async (page) => {
      await page.route(SEARCHES, (route) => route.fulfill(answer));
      await type(page, "a");
      await expect.poll(() => text(page, "#problem")).toContain(PROBLEM_TEXTS.failed);
      await expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBeNull();
      await expectAccessible(page);
      await page.unroute(SEARCHES);
      await page.getByRole("button", { name: "Try again" }).press("Enter");
      await expect.poll(() => text(page, "#problem")).toBe("");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("found");
    });
  });

  it("announces a slow search, and never shows an older result over a newer one", async () => {
    await withPage(browser, server.url, async (page) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let answered = 0;
      await page.route("**/api/sites?*q=old*", async (route) => {
        await held;
        answered += 1;
        await route.fulfill({ json: oneSite("Old") }).catch(() => {});
      });
      await page.route("**/api/sites?*q=new*", (route) => route.fulfill({ json: oneSite("New") }));
      await type(page, "old");
      await page.keyboard.press("Enter");
      await expect.poll(() => text(page, "#told")).toBe("Searching…");
      await expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBe("true");
      await type(page, "new");
      await page.keyboard.press("Enter");
      await expect.poll(() => hosts(page)).toEqual(["New"]);
      release();
      await expect.poll(() => answered).toBeGreaterThan(0);
      await page.waitForTimeout(300);
      expect(await hosts(page)).toEqual(["New"]);
      await expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBeNull();
    });
  });

  it("shows hostile texts as text, and a missing score as missing", async () => {
    await withPage(browser, server.url, async (page) => {
      const complaints = watched(page, server.url);
      for (const [place, hostile] of HOSTILE.entries()) {
        await page.route("**/api/sites/suggestions?*", (route) =>
          route.fulfill({
            json: { data: [{ host: "x.example", name: hostile, logoUrl: hostile }] },
          }),
        );
        const entry = { slug: "x", name: hostile, group: hostile, order: 0 };
        const site = { category: entry, tags: [entry], latestScore: place === 0 ? null : place };
        await page.route(SEARCHES, (route) => route.fulfill({ json: oneSite(hostile, site) }));
        await page.locator("#q").pressSequentially(`a${place}`);
        // The site, and the row that searches for the text.
        await expect.poll(() => page.locator("#suggestions li").count()).toBe(2);
        await page.keyboard.press("Enter");
        // Each has a score of its own: what is looked at is not what was found before.
        const scored = place === 0 ? /^Not scored$/ : new RegExp(`^${place} of 100`);
        await expect
          .poll(() => page.locator(".site-score").allTextContents())
          .toEqual([expect.stringMatching(scored)]);
        const skeleton = await page.evaluate(
          "Array.from(document.querySelectorAll('.site :not(mark)'), (one) => one.localName).join()",
        );
        expect([hostile, skeleton]).toEqual([hostile, expect.stringMatching(SITE_SKELETON)]);
        await page.unrouteAll();
        await page.locator("#q").fill("");
      }
      expect(complaints).toEqual([]);
    });
  });

  it("adds a choice to those in its address, in a tree of files", async () => {
    await withPage(browser, `${files}/`, async (page) => {
      const category = await page
        .locator("#facet-category [name=category]")
        .first()
        .getAttribute("value");
      await page.goto(`${files}/?category=${category}`);
      await page.locator(`[value="${category}"]:checked`).waitFor({ state: "attached" });
      const band = page.locator("#facet-band input").first();
      await band.check();
      const value = await band.getAttribute("value");
      await expect
        .poll(() => new URL(page.url()).search)
        .toBe(`?category=${category}&band=${value}`);
    });
  });
});

/** The elements of a found site, in their order, whatever its texts are. What was typed may be marked in them. */
const SITE_SKELETON =
  /^p,span,(?:span,span,)?div,h3,a,bdi,(?:span,)?p,p,(?:p,svg,path,path,)?ul,li,label,input,li,a,bdi,li,bdi(?:,li,time)?$/;
