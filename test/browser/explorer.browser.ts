import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/server/server.js";
import { type Browser, type BrowserContext, type Page, watched } from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

/** Compressed bytes that the first load may have in all, its answers from the API among them. */
const FIRST_LOAD_MAX = 64_000;

/** A word of the real directory, the beginning of it, and the word with an error in it. */
const WORDS = { q: "weather", part: "weath", wrong: "wether", right: "weather" };

let browser: Browser;
let server: RunningServer;

visiting(null, (visit) => {
  ({ browser, server } = visit);
});

/** A page in a context of its own, which is closed after `use`; it may complain of nothing. */
async function withPage(
  use: (page: Page, context: BrowserContext) => Promise<void>,
  path = "/",
): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = watched(page, server.url);
  await page.goto(server.url + path);
  await use(page, context);
  expect(complaints).toEqual([]);
  await context.close();
}

const box = (page: Page) => page.getByRole("combobox", { name: /^Search sites/ });
const count = (page: Page) => page.locator("#found").textContent();
const hosts = (page: Page) =>
  page.locator(".site h3 a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
const query = (page: Page) => new URL(page.url()).search;

/**
 * Waits until what is found is what a search of the API for the address finds. The best matches of a text are those of
 * the server's page: the API does not have their order.
 */
async function expectFound(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const asked = query(page) || "?sort=recent&limit=8";
      const isOwn = asked.includes("q=") && !asked.includes("sort=");
      const reply = await fetch(`${server.url}${isOwn ? "/" : "/api/sites"}${asked}`);
      const found = (await reply.text()).matchAll(
        isOwn ? /<h3><a href="sites\/([^"]+)/g : /\{"host":"([^"]+)","url"/g,
      );
      const expected = Array.from(found, ([, host]) => `sites/${host}`);
      return JSON.stringify(await hosts(page)) === JSON.stringify(expected);
    })
    .toBe(true);
}

describe.skipIf(!HAS_BROWSER)("the explorer in a browser", () => {
  it("can be used by keyboard: a suggestion, facets, a shared address, back, a report and its Markdown", async () => {
    await withPage(async (page, context) => {
      expect(await page.locator(".site").count()).toBe(8);
      await page.keyboard.press("/");
      expect(await page.evaluate("document.activeElement.id")).toBe("q");
      await page.keyboard.type(WORDS.part);
      const options = page.locator("#suggestions li");
      await expect.poll(() => options.count()).toBeGreaterThan(1);
      await expect.poll(() => box(page).getAttribute("aria-expanded")).toBe("true");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      const chosen = options.first();
      await expect.poll(() => chosen.getAttribute("aria-selected")).toBe("true");
      await expect
        .poll(() => box(page).getAttribute("aria-activedescendant"))
        .toBe(await chosen.getAttribute("id"));
      expect(await chosen.locator("mark").first().textContent()).toMatch(/^weath$/i);
      expect(await chosen.locator(".score-tag").textContent()).toMatch(/^score \d+$/);
      const host = await chosen.locator(".address").textContent();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/sites/${host}`);
      await page.goBack();
      await expect.poll(() => query(page)).toBe(`?q=${WORDS.part}`);
      await expectFound(page);

      await box(page).fill(WORDS.q);
      await page.keyboard.press("Enter");
      await expectFound(page);
      const before = await count(page);
      const facet = page.locator("#facet-category .choice:not(.empty) input").first();
      await facet.focus();
      await page.keyboard.press("Space");
      await expect.poll(() => query(page)).toContain("&category=");
      await expectFound(page);
      // The focus stays where it was, though the list was made anew.
      const category = await facet.getAttribute("value");
      expect(await page.evaluate("document.activeElement.value")).toBe(category);
      await page.locator("#facet-capability .choice:not(.empty) input").first().press("Space");
      await expect.poll(() => query(page)).toContain("&capability=");
      await expectFound(page);
      const both = query(page);

      const other = await context.newPage();
      await other.goto(page.url());
      await expect.poll(() => hosts(other)).toEqual(await hosts(page));
      await expect.poll(() => other.locator(".facet input:checked[type=checkbox]").count()).toBe(2);
      await other.close();

      await page.goBack();
      await expect.poll(() => query(page)).not.toContain("capability");
      await expectFound(page);
      await page.goBack();
      await expectFound(page);
      await expect.poll(() => count(page)).toBe(before);
      await expect.poll(() => page.locator(".facet input:checked[type=checkbox]").count()).toBe(0);
      await page.goForward();
      await page.goForward();
      await expectFound(page);
      expect(query(page)).toBe(both);

      await page.locator(".site h3 a").first().press("Enter");
      await page.waitForURL("**/sites/*");
      const title = await page.locator("h1").textContent();
      await page.getByRole("link", { name: "Markdown" }).press("Enter");
      await page.waitForURL("**/report.md");
      await expect.poll(() => page.content()).toContain(`# ${title}: `);
      await page.goBack();
      await page.goBack();
      await page.waitForURL(`**/${both}`);
      await expectFound(page);
    });
  });

  it("finds the typed text, with one history entry that each key replaces", async () => {
    await withPage(async (page) => {
      const entries = () => page.evaluate<number>("history.length");
      const before = await entries();
      await box(page).pressSequentially(WORDS.q, { delay: 320 });
      await expect.poll(() => query(page)).toBe(`?q=${WORDS.q}`);
      await expectFound(page);
      expect(await entries()).toBe(before + 1);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Enter");
      expect(await entries()).toBe(before + 1);
      await page.goBack();
      await expect.poll(() => query(page)).toBe("");
      await expectFound(page);
      await expect.poll(() => box(page).inputValue()).toBe("");
    });
  });

  it("finds the site of a pasted address, and says how one that is unknown gets listed", async () => {
    await withPage(async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const reply = await fetch(`${server.url}/api/sites?limit=1`);
      const [{ host }] = ((await reply.json()) as { data: [{ host: string }] }).data;
      for (const one of [host, "nowhere.example"]) {
        const address = `https://www.${one}/docs?x#y`;
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(address)})`);
        await box(page).fill("");
        await box(page).press("Control+V");
        expect(await box(page).inputValue()).toBe(one);
        await expect.poll(() => query(page)).toBe(`?q=${one}`);
        await expect.poll(() => page.locator(`#results a[href="sites/${one}"]`).count()).toBe(1);
      }
    });
  });

  it("proposes corrections, in the list and when nothing is found", async () => {
    await withPage(async (page) => {
      await box(page).pressSequentially(WORDS.wrong);
      await expect
        .poll(() => page.locator("#suggestions li").locator("bdi").allTextContents())
        .toContain(WORDS.right);
      await page.keyboard.press("Escape");
      expect(await page.locator("#suggestions li").count()).toBe(0);
      expect(await box(page).inputValue()).toBe(WORDS.wrong);
      await expect.poll(() => count(page)).toBe("0 sites");
      await page.locator(".did-you-mean a", { hasText: WORDS.right }).first().press("Enter");
      await expect.poll(() => query(page)).toBe(`?q=${WORDS.right}`);
      await expectFound(page);
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("found");
      await expect
        .poll(async () => (await page.locator("#told").textContent()) === (await count(page)))
        .toBe(true);
    });
  });

  it("sorts, pages, limits the score and removes filters", async () => {
    await withPage(async (page) => {
      await page.getByRole("link", { name: /^All [\d,]+ sites/ }).click();
      await expect.poll(() => query(page)).toBe("?sort=score");
      await expectFound(page);
      await page.getByRole("combobox", { name: "Order" }).selectOption("host");
      await expect.poll(() => query(page)).toBe("?sort=host");
      await expectFound(page);
      await page.getByRole("link", { name: "Next" }).click();
      await expect.poll(() => query(page)).toBe("?sort=host&page=2");
      await expectFound(page);
      await expect.poll(() => page.locator(".sites").getAttribute("start")).toBe("25");
      await page.locator("input[name=minScore]").fill("20");
      await page.locator("input[name=maxScore]").fill("90");
      await page.keyboard.press("Tab");
      await expect.poll(() => query(page)).toBe("?minScore=20&maxScore=90&sort=host");
      await expectFound(page);
      await page.getByRole("link", { name: "Without Score 20 to 90" }).click();
      await expect.poll(() => query(page)).toBe("?sort=host");
      await expectFound(page);
      await expect.poll(() => page.locator("input[name=minScore]").inputValue()).toBe("");
      await page.goto(`${server.url}/?page=9999`);
      await page.getByRole("link", { name: "Go to the last page" }).click();
      await expectFound(page);
      await expect
        .poll(() => page.locator("nav.pages [aria-current]").textContent())
        .toMatch(/^Page \d+$/);
      await expect.poll(() => page.getByRole("link", { name: "Next" }).count()).toBe(0);
    });
  });

  it("folds long lists, and keeps open what a reader has unfolded", async () => {
    await withPage(async (page) => {
      const group = page.locator("#facet-category");
      const shown = () => group.locator(".choice:visible").count();
      expect(await shown()).toBe(8);
      const last = group.locator(".choice input").last();
      const value = await last.getAttribute("value");
      await group.getByText(/^\d+ more$/).press("Enter");
      await expect.poll(shown).toBeGreaterThan(20);
      await last.press("Space");
      await expect.poll(() => query(page)).toBe(`?category=${value}`);
      await expectFound(page);
      expect(await page.evaluate("document.activeElement.value")).toBe(value);
      await expect.poll(shown).toBeGreaterThan(20);
      await page.reload();
      await expect
        .poll(() => page.locator("#facet-category input:checked").getAttribute("value"))
        .toBe(value);
    });
  });

  it(`loads less than ${FIRST_LOAD_MAX} compressed bytes at first`, async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const sizes: Promise<[string, number]>[] = [];
    page.on("requestfinished", (request) => {
      sizes.push(
        request
          .sizes()
          .then(({ responseBodySize, responseHeadersSize }) => [
            new URL(request.url()).pathname,
            responseBodySize + responseHeadersSize,
          ]),
      );
    });
    await page.goto(server.url, { waitUntil: "networkidle" });
    const all = await Promise.all(sizes);
    const total = all.reduce((sum, [, size]) => sum + size, 0);
    process.stderr.write(`first load of the explorer: ${total} bytes in ${all.length} answers\n`);
    expect(all.map(([path]) => path)).toEqual(
      expect.arrayContaining(["/", expect.stringMatching(/assets\/explorer-\w{8}\.js$/)]),
    );
    expect(total).toBeGreaterThan(5_000);
    expect(total).toBeLessThan(FIRST_LOAD_MAX);
    await context.close();
  });
});
