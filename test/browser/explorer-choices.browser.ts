import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/server/server.js";
import { type Browser, type Page, withPage } from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

let browser: Browser;
let server: RunningServer;

visiting({ listings: 900, seed: 5 }, (visit) => {
  ({ browser, server } = visit);
});

const SEARCHES = "**/api/sites?*";
const query = (page: Page) => new URL(page.url()).search;
const focused = (page: Page) => page.evaluate<string>("document.activeElement.value");
const entries = (page: Page) => page.evaluate<number>("history.length");
const isIdle = (page: Page) =>
  expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBeNull();

/** Has no search of a page answered before the function that it gives is called. */
async function held(page: Page, searches: string): Promise<() => void> {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(searches, async (route) => {
    await until;
    await route.continue();
  });
  return release;
}

describe.skipIf(!HAS_BROWSER)("a choice in the explorer", () => {
  it("leaves the focus where it is, even if no more can be chosen", async () => {
    await withPage(browser, server.url, async (page) => {
      const boxes = page.locator("#facet-band input");
      const count = await boxes.count();
      for (let at = 0; at < count; at += 1) {
        const value = await boxes.nth(at).getAttribute("value");
        await boxes.nth(at).press("Space");
        await expect.poll(() => query(page)).toContain(`band=${value}`);
        await isIdle(page);
        await expect.poll(() => focused(page)).toBe(value);
      }
      await expect
        .poll(() => page.locator("#facet-band").getByText("You cannot choose").isVisible())
        .toBe(false);
    });
  });

  it(
    "keeps the focus in its group if the chosen entry disappears, or moves it to the first entry if " +
      "the group disappears too",
    async () => {
      await withPage(browser, server.url, async (page) => {
        const focusedIn = () =>
          page.evaluate<string>(
            "document.activeElement.localName + ' of ' + document.activeElement.parentElement.id",
          );
        for (const [name, expected] of [
          ["category", "facet-category"],
          ["platform", "facet-band"],
        ] as const) {
          await page.route("**/api/sites/facets*", async (route) => {
            const reply = await route.fetch();
            const { data, ...rest } = (await reply.json()) as { data: object };
            await route.fulfill({ json: { ...rest, data: { ...data, platforms: [] } } });
          });
          await page.goto(`${server.url}/?${name}=nothing-here`);
          const box = page.locator(`#facet-${name} input[value="nothing-here"]`);
          await box.press("Space");
          await expect.poll(() => box.count()).toBe(0);
          await expect
            .poll(async () => [query(page), await focusedIn()])
            .toEqual(["", `summary of ${expected}`]);
        }
      });
    },
  );

  it("of a score range is what its boxes show", async () => {
    await withPage(browser, server.url, async (page) => {
      const from = page.locator("[name=minScore]");
      const to = page.locator("[name=maxScore]");
      await to.fill("50");
      await from.fill("90");
      await page.keyboard.press("Tab");
      await expect.poll(() => query(page)).toBe("?minScore=90&maxScore=50");
      expect([await from.inputValue(), await to.inputValue()]).toEqual(["90", "50"]);
      await to.fill("90");
      await from.fill("50");
      await page.keyboard.press("Tab");
      await expect.poll(() => query(page)).toBe("?minScore=50&maxScore=90");
      await from.fill("150");
      await page.keyboard.press("Tab");
      await expect.poll(() => query(page)).toBe("?maxScore=90");
      await expect.poll(() => from.inputValue()).toBe("");
      // What was not looked at again keeps nobody from searching.
      await from.evaluate("(box) => { box.value = '150'; }");
      await page.locator("#q").fill("a");
      await page.locator(".seek .button").click();
      await expect.poll(() => query(page)).toBe("?q=a&maxScore=90");
    });
  });

  it("in a reversed range of scores is refused beside the boxes, and no request is sent", async () => {
    await withPage(browser, server.url, async (page) => {
      const from = page.locator("[name=minScore]");
      const to = page.locator("[name=maxScore]");
      const wrong = page.locator("#range-wrong");
      await to.fill("50");
      await page.keyboard.press("Tab");
      await isIdle(page);
      const before = await page.locator("#found").textContent();
      const reads: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/api/")) reads.push(request.url());
      });
      await from.fill("90");
      await page.keyboard.press("Tab");
      await expect.poll(() => wrong.isVisible()).toBe(true);
      await expect.poll(() => from.getAttribute("aria-invalid")).toBe("true");
      await page.waitForTimeout(600);
      expect(reads).toEqual([]);
      expect(await page.locator("#found").textContent()).toBe(before);
      await from.fill("20");
      await page.keyboard.press("Tab");
      await expect.poll(() => wrong.isVisible()).toBe(false);
      await expect.poll(() => reads.length).toBeGreaterThan(0);
    });
  });

  it("made by stepping through scores causes one search and one history entry", async () => {
    await withPage(browser, server.url, async (page) => {
      const before = await entries(page);
      const reads: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/api/sites")) reads.push(new URL(request.url()).pathname);
      });
      await page.locator("[name=minScore]").fill("20");
      for (let step = 0; step < 5; step += 1) {
        await page.keyboard.press("ArrowUp");
        await page.waitForTimeout(30);
      }
      await expect.poll(() => query(page)).toBe("?minScore=25");
      await isIdle(page);
      expect(reads.sort()).toEqual(["/api/sites", "/api/sites/facets"]);
      await page.keyboard.press("ArrowUp");
      await expect.poll(() => query(page)).toBe("?minScore=26");
      await expect.poll(() => entries(page)).toBe(before + 1);
    });
  });

  it("takes effect whether or not the previous one was answered", async () => {
    await withPage(browser, server.url, async (page) => {
      await page.route(SEARCHES, (route) => route.fulfill({ status: 500, json: { error: "x" } }));
      const boxes = page.locator("#facet-band input");
      await boxes.nth(0).check();
      await expect.poll(() => query(page)).toContain("?band=");
      await page.goBack();
      await expect.poll(() => query(page)).toBe("");
      await expect.poll(() => boxes.nth(0).isChecked()).toBe(false);
      await boxes.nth(1).check();
      const other = `?band=${await boxes.nth(1).getAttribute("value")}`;
      await expect.poll(() => query(page)).toBe(other);
      await page.unroute(SEARCHES);
      await page.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => page.locator(".chip").count()).toBe(2);
      await held(page, SEARCHES);
      await page.locator(".chip").first().click();
      await boxes.nth(2).check();
      await expect
        .poll(() => query(page))
        .toBe(`?band=${await boxes.nth(2).getAttribute("value")}`);
    });
  });

  it("is the typed text, not a suggestion for an older text", async () => {
    await withPage(browser, server.url, async (page) => {
      await page.locator("#q").pressSequentially("co");
      await expect.poll(() => page.locator("#suggestions li").count()).toBeGreaterThan(1);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("x");
      await page.keyboard.press("Enter");
      await expect.poll(() => query(page)).toBe("?q=cox");
    });
  });

  it("does not take the focus back from where the reader has moved", async () => {
    await withPage(browser, `${server.url}/?sort=score`, async (page) => {
      const release = await held(page, SEARCHES);
      await page.getByRole("link", { name: "Next" }).click();
      await page.locator("#q").focus();
      release();
      await expect.poll(() => page.locator(".sites").getAttribute("start")).toBe("25");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("q");
    });
  });

  it("includes a text that was typed before the script loaded", async () => {
    await withPage(browser, "about:blank", async (page) => {
      const release = await held(page, "**/assets/explorer-*.js");
      await page.goto(server.url, { waitUntil: "commit" });
      await page.locator("#q").fill("coast");
      release();
      await expect.poll(() => query(page)).toBe("?q=coast");
      await expect.poll(() => page.locator("#q").inputValue()).toBe("coast");
    });
  });

  it("sets the window's title and the link to the JSON, as the server does", async () => {
    await withPage(browser, server.url, async (page, context) => {
      const named = async (one: Page) => [
        await one.title(),
        await one.locator('link[rel=alternate][type="application/json"]').getAttribute("href"),
        await one.getByRole("link", { name: "data as JSON" }).getAttribute("href"),
      ];
      const first = await named(page);
      await page.locator("#facet-band input").nth(1).check();
      await expect.poll(() => named(page)).not.toEqual(first);
      const other = await context.newPage();
      await other.goto(page.url());
      expect(await named(page)).toEqual(await named(other));
      await page.goBack();
      await expect.poll(() => named(page)).toEqual(first);
    });
  });

  it("that is repeated adds no history entry", async () => {
    await withPage(browser, `${server.url}/?sort=score`, async (page) => {
      const before = await entries(page);
      await page.locator(".pages [aria-current]").click();
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("found");
      expect(await entries(page)).toBe(before);
    });
  });
});

const TYPED = "sola";

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

  it("offers the category that the typed text begins, and shows its sites", async () => {
    await withPage(browser, server.url, async (page) => {
      await page.locator("#q").pressSequentially("drin");
      const option = page.locator("#suggestions .category");
      await expect.poll(() => option.allTextContents()).toEqual(["Food & drink Category"]);
      await option.click();
      await expect.poll(() => query(page)).toBe("?category=food-drink");
      await isIdle(page);
      await expect.poll(() => page.locator("#q").inputValue()).toBe("");
      await expect
        .poll(() => page.locator(".chips .chip").first().textContent())
        .toContain("Food & drink");
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

  it("moves from a bar down to its band, from band to band and up again, all of them one tab stop", async () => {
    await withPage(browser, server.url, async (page) => {
      const focused = () =>
        page.evaluate<string | undefined>(
          "document.activeElement.matches('.bin, .legend-band') ? " +
            "document.activeElement.classList[0] + ' ' + document.activeElement.dataset.from : undefined",
        );
      await page.locator(".bin").first().focus();
      const keys = ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"];
      const places = [];
      for (const key of keys) {
        await page.keyboard.press(key);
        places.push(await focused());
      }
      expect(places).toEqual([
        "legend-band 0",
        "legend-band 30",
        "legend-band 55",
        "legend-band 30",
        "bin 30",
        "legend-band 30",
      ]);
      await page.keyboard.press("Tab");
      expect(await focused()).toBeUndefined();
      await page.locator(".legend-band").first().focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => query(page)).toMatch(/^\?band=/);
    });
  });
});
