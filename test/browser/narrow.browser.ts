import { expect, it } from "vitest";
import { pageKinds } from "../../.build/pages/kinds.js";
import { type Browser, type Page, withPage } from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

let browser: Browser;
let url: string;
let store: string;

visiting({ listings: 120, seed: 4 }, ({ browser: started, server, store: served }) => {
  browser = started;
  ({ url } = server);
  store = served;
});

/** The width of the window in pixels, and the reader's size of letters in percent. */
const WINDOWS = [
  [320, 100],
  [360, 200],
  [320, 200],
] as const;

async function useLetters(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const fontSizes = { standard: (16 * percent) / 100, fixed: (13 * percent) / 100 };
  await session.send("Page.setFontSizes", { fontSizes });
}

it.skipIf(!HAS_BROWSER)("no kind of page is wider than a narrow window, at any size", async () => {
  const kinds = await pageKinds(store, url);
  expect(kinds.length).toBeGreaterThan(15);
  await withPage(browser, "about:blank", async (page) => {
    for (const [width, percent] of WINDOWS) {
      await page.setViewportSize({ width, height: 740 });
      await useLetters(page, percent);
      for (const { name, path } of kinds) {
        await page.goto(url + path);
        await page.evaluate(
          "for (const one of document.querySelectorAll('details')) one.open = true",
        );
        const beyond = await page.evaluate<number>(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect([name, width, percent, beyond]).toEqual([name, width, percent, 0]);
      }
    }
  });
});

/** The two ways in which readers get larger letters: of the browser, and of a style sheet of their own. */
const LARGE_LETTERS: Record<string, (page: Page) => Promise<unknown>> = {
  browser: (page) => useLetters(page, 200),
  sheet: (page) => page.evaluate("document.documentElement.style.fontSize = '200%'"),
};

it.skipIf(!HAS_BROWSER).each(Object.entries(LARGE_LETTERS))(
  "a phone with large letters of the %s keeps words whole, in a header of half its height",
  async (_, enlarge) => {
    await withPage(
      browser,
      `${url}/categories`,
      async (page) => {
        await enlarge(page);
        await page.evaluate(
          "document.querySelector('.brand a').textContent = 'Public APIs by readiness'",
        );
        const linesOf = (word: string, selector: string) =>
          page.evaluate<number>(`(() => {
            const [text] = document.querySelector("${selector}").childNodes;
            const range = document.createRange();
            range.setStart(text, text.data.indexOf("${word}"));
            range.setEnd(text, text.data.indexOf("${word}") + "${word}".length);
            return new Set([...range.getClientRects()].map(({ y }) => y)).size;
          })()`);
        for (const word of ["Public", "APIs", "readiness"])
          expect([word, await linesOf(word, ".brand a")]).toEqual([word, 1]);
        expect(await linesOf("Categories", "h1")).toBe(1);
        const header = await page.locator("header.top").boundingBox();
        expect(header?.height).toBeLessThan(400);
        const brand = await page.locator(".brand").boundingBox();
        const search = await page.locator("#q").boundingBox();
        expect(search?.y).toBeGreaterThanOrEqual((brand?.y ?? 0) + (brand?.height ?? 0));
        const bottomOfSkip = () =>
          page.locator(".skip").evaluate((one) => one.getBoundingClientRect().bottom);
        expect(await bottomOfSkip()).toBeLessThanOrEqual(0);
        await page.keyboard.press("Tab");
        expect(await bottomOfSkip()).toBeGreaterThan(40);
      },
      { viewport: { width: 360, height: 740 } },
    );
  },
);

it.skipIf(!HAS_BROWSER)(
  "a phone shows two rows of header, a site on its first screen, six lines of a tagline, and wide suggestions",
  async () => {
    await withPage(
      browser,
      url,
      async (page) => {
        const header = await page.locator("header.top").boundingBox();
        expect(header?.height).toBeLessThan(110);
        const site = await page.locator(".site h3").first().boundingBox();
        // Two lines of it are the directory's description.
        expect(site?.y).toBeLessThan(660);
        const tagline = page.locator(".site .tagline").first();
        await page.evaluate(
          "document.querySelector('.site .tagline').textContent = 'word '.repeat(400)",
        );
        expect((await tagline.boundingBox())?.height).toBeLessThan(190);
        await page.locator("#q").pressSequentially("example");
        await page.getByRole("option").first().waitFor();
        const suggestions = await page.getByRole("listbox").boundingBox();
        expect([suggestions?.x, suggestions?.width]).toEqual([16, 328]);
      },
      { viewport: { width: 360, height: 740 } },
    );
  },
);

it.skipIf(!HAS_BROWSER)("the first link of the explorer skips to its results", async () => {
  await withPage(browser, url, async (page) => {
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate("document.activeElement.textContent"))
      .toBe("Skip to the results");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('.site') !== null"))
      .toBe(true);
  });
});

it.skipIf(!HAS_BROWSER)("a tablet shows the header in one row, with all pages", async () => {
  await withPage(
    browser,
    `${url}/standards`,
    async (page) => {
      const boxes = await page
        .locator("header.top :is(.brand, #q, .nav a)")
        .evaluateAll((parts) => parts.map((one) => one.getBoundingClientRect()));
      expect(boxes.length).toBeGreaterThanOrEqual(6);
      const middles = boxes.map(({ y, height }) => Math.round(y + height / 2));
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3);
      expect(Math.min(...boxes.map(({ width }) => width))).toBeGreaterThan(24);
    },
    { viewport: { width: 768, height: 900 } },
  );
});

it.skipIf(!HAS_BROWSER)(
  "the key / moves the focus to the search on every kind of page",
  async () => {
    const reply = await fetch(`${url}/api/sites?limit=1`);
    const { data } = (await reply.json()) as { data: { host: string }[] };
    const pages = ["/", `/sites/${data[0]!.host}`, "/standards", "/categories", "/feeds", "/api"];
    await withPage(browser, "about:blank", async (page) => {
      for (const path of pages) {
        await page.goto(url + path);
        await page.keyboard.press("/");
        const search = page.locator("#q");
        expect([path, await page.evaluate<boolean>("document.activeElement.id === 'q'")]).toEqual([
          path,
          true,
        ]);
        await page.keyboard.press("/");
        expect([path, await search.inputValue()]).toEqual([path, "/"]);
      }
    });
  },
);

it.skipIf(!HAS_BROWSER)(
  "the filters do not stand between the keyboard and the first site",
  async () => {
    const stopsTo = async (path: string, skips: boolean) => {
      let stops = 0;
      await withPage(
        browser,
        url + path,
        async (page) => {
          const isThere = () =>
            page.evaluate<boolean>("document.activeElement.closest('.site h3') !== null");
          while (!(await isThere()) && stops < 40) {
            await page.keyboard.press("Tab");
            stops += 1;
            if (skips && stops === 1) await page.keyboard.press("Enter");
          }
        },
        { viewport: { width: 1_280, height: 900 } },
      );
      return stops;
    };
    for (const path of ["/", "/?q=example"]) {
      expect([path, await stopsTo(path, true)]).toEqual([
        path,
        expect.toSatisfy((n: number) => n <= 4),
      ]);
      expect(await stopsTo(path, false)).toBeLessThanOrEqual(12);
    }
  },
);
