import { describe, expect, it } from "vitest";
import { PROBLEM_TEXTS } from "../../src/pages/explorer/overview.js";
import type { RunningServer } from "../../src/server/server.js";
import { HOSTILE } from "../pages/hostile.js";
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
      await page.evaluate("location.hash = '%'");
      await page.getByLabel("Search checks and crawlers").fill("zzzz");
      await expect.poll(() => text(page, "#told")).toBe(`0 of ${all} checks and crawlers`);
      expect(complaints).toEqual([]);
    });
  });
});

const SEARCHES = "**/api/sites?*";
const type = (page: Page, q: string) => page.locator("#q").fill(q);

/** An answer of a search that finds one site. */
function oneSite(name: string, changes: object = {}): object {
  const site = {
    host: "example.com",
    url: "https://example.com/",
    name,
    tagline: name,
    status: "unclaimed",
    latestScore: 5,
    latestBand: name,
    latestScoreVersion: "x",
    latestScannedAt: null,
    platforms: [],
    hosting: null,
    linkRel: "",
    category: null,
    tags: [],
    capabilities: [],
    logoUrl: null,
    ogImageUrl: null,
    highlighted: false,
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
