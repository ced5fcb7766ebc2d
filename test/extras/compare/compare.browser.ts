import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../../src/server/server.js";
import {
  type Browser,
  expectAccessible,
  expectForEverybody,
  type Page,
  watched,
  withPage,
} from "../../browser/browsers.js";
import { aTree } from "../../browser/trees.js";
import { HAS_BROWSER, visiting } from "../../browser/visits.js";

let browser: Browser;
let server: RunningServer;
/** The addresses of the server and of both kinds of trees, each with a slash at its end, and what pages end in. */
const places: Record<string, { root: string; end: string }> = {};

visiting({ listings: 300, seed: 4 }, async (visit) => {
  ({ browser, server } = visit);
  places.server = { root: `${server.url}/`, end: "" };
  for (const isPacked of [false, true]) {
    const { root } = await aTree(visit.store, { isPacked, base: "/" }, visit.finished);
    places[isPacked ? "packed" : "plain"] = { root, end: ".html" };
  }
});

/** Opens a page in each place, and expects the same of all. */
async function everywhere<T>(
  addressOf: (end: string) => string,
  look: (page: Page) => Promise<T>,
  names = Object.keys(places),
): Promise<T[]> {
  const looks: T[] = [];
  for (const name of names) {
    const { root, end } = places[name]!;
    await withPage(browser, "about:blank", async (page) => {
      const complaints = watched(page, root.slice(0, -1));
      await page.goto(root + addressOf(end));
      looks.push(await look(page));
      expect(complaints).toEqual([]);
    });
  }
  return looks;
}

const textsOf = (page: Page, selector: string) => page.locator(selector).allInnerTexts();

describe.skipIf(!HAS_BROWSER)("sites that are compared", () => {
  it("are the same on a server and in trees, as a table and as CSV", async () => {
    const reply = await fetch(`${server.url}/api/sites?limit=3`);
    const { data } = (await reply.json()) as { data: { host: string }[] };
    const query = `?sites=${data.map(({ host }) => host).join(",")}`;
    const found = await everywhere(
      (end) => `compare${end}${query}`,
      async (page) => {
        await expect.poll(() => page.locator(".compare tbody").count()).toBeGreaterThan(1);
        await expectAccessible(page);
        const started = page.waitForEvent("download");
        await page.locator("#csv a").click();
        const stream = await (await started).createReadStream();
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        return [await textsOf(page, ".compare tr"), Buffer.concat(chunks).toString()];
      },
    );
    expect(found.length).toBe(3);
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });

  it("are ticked in the explorer, also over several searches", async () => {
    const compared = await everywhere(
      () => "?sort=score",
      async (page) => {
        await expect.poll(() => page.locator(".tick input").count()).toBeGreaterThan(9);
        expect(await page.locator("#compare").isVisible()).toBe(false);
        await page.locator(".tick input").nth(1).check();
        await page.locator("[name=sort]").selectOption("host");
        await expect.poll(() => new URL(page.url()).search).toContain("sort=host");
        await expect.poll(() => page.locator("#results[aria-busy]").count()).toBe(0);
        await expect.poll(() => page.locator("#compare").isVisible()).toBe(true);
        // A tick is no search: the page of the list stays.
        await page.locator(".pages a[rel*=next]").click();
        await expect.poll(() => new URL(page.url()).search).toContain("page=2");
        await expect.poll(() => page.locator("#results[aria-busy]").count()).toBe(0);
        await page.locator(".tick input").first().check();
        expect(new URL(page.url()).search).toContain("page=2");
        await page.locator("#compare button").click();
        await expect.poll(() => page.locator(".compare thead .without").count()).toBe(2);
        return (await textsOf(page, ".compare thead th")).sort();
      },
    );
    expect(compared[1]).toEqual(compared[0]);
    expect(compared[2]).toEqual(compared[0]);
  });

  it("are reached from a report", async () => {
    const host = server.exampleHost() ?? "";
    const found = await everywhere(
      (end) => `sites/${host}${end}`,
      async (page) => {
        await page.locator('.hero a[href*="compare"]').click();
        await expect.poll(() => page.locator(".compare thead .without").count()).toBe(1);
        return textsOf(page, ".compare tr");
      },
      ["server", "plain"],
    );
    expect(found[1]).toEqual(found[0]);
  });
});

/** The slug of the category with the most sites. */
async function largestCategory(): Promise<string> {
  const reply = await fetch(`${server.url}/api/sites/facets`);
  const { data } = (await reply.json()) as {
    data: { categories: { items: { slug: string; count: number }[] } };
  };
  const [largest] = data.categories.items.toSorted((a, b) => b.count - a.count);
  return largest?.slug ?? "";
}

const matrixRows = (page: Page) => textsOf(page, ".matrix tbody tr:not([hidden]) th");

/** Opens a page of the server in a window of this size. */
async function opened(
  address: string,
  [width, height]: readonly [number, number],
  look: (page: Page) => Promise<void>,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<void> {
  const root = `${server.url}/`;
  await withPage(browser, root + address, look, { viewport: { width, height }, ...options });
}

/** Where an element is in the box in which its table scrolls, in pixels from the upper left corner. */
function inBox(page: Page, selector: string): Promise<{ x: number; y: number }> {
  return page.locator(selector).evaluate((element) => {
    const box = element.closest(".scroll")!.getBoundingClientRect();
    const { left, top } = element.getBoundingClientRect();
    return { x: Math.round(left - box.left), y: Math.round(top - box.top) };
  });
}

/** Scrolls a table in its box. */
async function scrollTable(page: Page): Promise<void> {
  const moved = await page.locator(".scroll").evaluate((box) => {
    box.scrollTo(80, 150);
    return [box.scrollLeft, box.scrollTop];
  });
  expect(moved).toEqual([80, 150]);
}

describe.skipIf(!HAS_BROWSER)("the matrix of a category", () => {
  it("is ordered and filtered in place, and its address can be shared", async () => {
    const slug = await largestCategory();
    const found = await everywhere(
      (end) => `matrix/${slug}${end}`,
      async (page) => {
        const values = await page
          .locator("optgroup[label='Not passing'] option")
          .evaluateAll((all) => all.map((one) => one.getAttribute("value")));
        await page.locator("[name=sites]").selectOption(values[2]!);
        const filtered = await matrixRows(page);
        await page.locator("th[data-check] a").nth(5).click();
        const { search } = new URL(page.url());
        const ordered = await matrixRows(page);
        const told = await page.locator("#told").innerText();
        await page.reload();
        await expect.poll(() => matrixRows(page)).toEqual(ordered);
        await expect.poll(() => page.locator("th[aria-sort]").count()).toBe(1);
        return [search, filtered, ordered, told];
      },
    );
    expect(found[0]?.[0]).toMatch(/^\?fails=[^&]+&sort=/);
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });

  it("without room keeps its head and the names of the sites in sight", async () => {
    await opened(`matrix/${await largestCategory()}?extras=1`, [900, 560], async (page) => {
      const corner = ".matrix thead .site-name";
      const check = ".matrix th[data-check] >> nth=3";
      const name = ".matrix tbody .first >> nth=4";
      const before = [await inBox(page, corner), await inBox(page, check), await inBox(page, name)];
      await scrollTable(page);
      const after = [await inBox(page, corner), await inBox(page, check), await inBox(page, name)];
      expect(after.map(({ y }) => y)).toEqual([before[0]!.y, before[1]!.y, before[2]!.y - 150]);
      // The rank scrolls away; then the names stay.
      expect([after[0]!.x, after[1]!.x, after[2]!.x]).toEqual([1, before[1]!.x - 80, 1]);
    });
  });

  it("with room is no box: the wheel scrolls the page, and its head stays at the top of the window", async () => {
    await opened(`matrix/${await largestCategory()}`, [1280, 700], async (page) => {
      await page.locator(".matrix tbody tr").nth(2).scrollIntoViewIfNeeded();
      await page.locator(".matrix tbody tr").nth(1).hover();
      const from = await page.evaluate<number>("scrollY");
      await page.mouse.wheel(0, 300);
      await expect.poll(() => page.evaluate<number>("scrollY")).toBe(from + 300);
      const head = page.locator(".matrix thead");
      expect((await head.boundingBox())?.y).toBe(0);
      // What has the focus is not beneath the head.
      const link = page.locator(".matrix tbody a").nth(2);
      await link.focus();
      const { height } = (await head.boundingBox())!;
      const top = async () => (await link.boundingBox())!.y;
      await expect.poll(top).toBeGreaterThanOrEqual(height - 1);
    });
  });

  /** How far the table goes beyond its box, and whether the box scrolls it. */
  const roomOf = async (page: Page) => ({
    beyond: await page
      .locator(".scroll")
      .evaluate((box) => box.querySelector("table")!.offsetWidth - box.clientWidth),
    isBox: await page.evaluate(
      "getComputedStyle(document.querySelector('.scroll')).overflowX === 'auto'",
    ),
  });

  it("scrolls in a box at no width at which all of its columns fit, with texts of any size", async () => {
    const slug = await largestCategory();
    await opened(`matrix/${slug}`, [1280, 700], async (page) => {
      expect((await roomOf(page)).isBox).toBe(false);
      for (const width of [1440, 1265, 1180, 1024, 900, 768, 640]) {
        await page.setViewportSize({ width, height: 700 });
        const { beyond, isBox } = await roomOf(page);
        if (!isBox) expect([width, beyond]).toEqual([width, 0]);
      }
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      for (const width of [1280, 640]) {
        await page.setViewportSize({ width, height: 700 });
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
        expect((await roomOf(page)).isBox).toBe(true);
      }
    });
  });

  it("lets a finger on the table of a phone scroll the page", async () => {
    const query = `matrix/${await largestCategory()}?table=1`;
    await opened(query, [360, 740], async (page) => {
      const [own, table] = await page
        .locator(".scroll")
        .evaluate((box) => [box.clientHeight, box.scrollHeight]);
      expect(table).toBe(own);
      // The head stays in sight, as the browser ties it to the page's position.
      const row = page.locator(".matrix tbody tr:not([hidden])").nth(6);
      await row.evaluate((one) => one.scrollIntoView({ block: "center", behavior: "instant" }));
      const head = page.locator(".matrix thead");
      await expect.poll(async () => Math.round((await head.boundingBox())!.y)).toBe(0);
      expect((await row.boundingBox())!.y).toBeGreaterThan(0);
      await page.locator(".scroll").evaluate((box) => box.scrollTo(60, 0));
      expect(Math.round((await head.boundingBox())!.y)).toBe(0);
    });
  });

  it("is ordered by keyboard, and says so to screen readers", async () => {
    await opened(`matrix/${await largestCategory()}`, [1280, 900], async (page) => {
      const all = await matrixRows(page);
      const score = page.locator(".matrix th.number a");
      await score.focus();
      await page.keyboard.press("Enter");
      expect(await matrixRows(page)).toEqual(all.toReversed());
      expect(await page.locator("th[aria-sort=ascending]").innerText()).toContain("Score");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const told = await page.locator("#told[role=status]").innerText();
      const head = page.locator("th[data-check][aria-sort]");
      expect(told).toContain(`“${(await head.innerText()).trim()}” come first`);
      expect(await page.evaluate("document.activeElement.closest('th').ariaSort")).toBe(
        "ascending",
      );
      const id = await head.getAttribute("data-check");
      expect(new URL(page.url()).search).toBe(`?sort=${id}`);
      // The head of a sorted column leads to the other order, then back.
      await page.keyboard.press("Enter");
      expect(new URL(page.url()).search).toBe(`?sort=-${id}`);
      expect(await page.locator("#told").innerText()).toMatch(/^Sites that pass “/);
      const [first] = await textsOf(page, `.matrix tbody tr >> nth=0 >> td.pass`);
      expect(first).toBeDefined();
      expect(await head.getAttribute("aria-sort")).toBe("descending");
      await page.keyboard.press("Enter");
      expect(await matrixRows(page)).toEqual(all);
    });
  });

  it.each([true, false])(
    "shows one check at a time on a phone (with scripts: %s)",
    async (javaScriptEnabled) => {
      const slug = await largestCategory();
      const look = async (page: Page) => {
        const table = page.locator(".scroll");
        expect(await table.isVisible()).toBe(false);
        for (const name of ["passes", "fails"]) {
          const link = page.locator(`[data-sites^=${name}]`).first();
          const count = Number.parseInt(await link.innerText(), 10);
          await link.click();
          await expect.poll(() => matrixRows(page)).toHaveLength(count);
          expect(await page.locator("#told").innerText()).toMatch(
            new RegExp(`^${count} of \\d+ sites`),
          );
          expect(new URL(page.url()).search).toContain(`${name}=`);
          expect(await page.locator("[name=sites]").inputValue()).toContain(`${name}=`);
        }
        const [cells] = await page
          .locator(".matrix tbody tr:not([hidden])")
          .evaluateAll((rows) =>
            rows.map((row) => [...row.children].filter((cell) => cell.checkVisibility()).length),
          );
        expect(cells).toBe(3);
        expect(await page.locator(".matrix .address").first().isVisible()).toBe(true);
        await page.locator("[name=table]").check();
        expect(await page.locator(".matrix thead").isVisible()).toBe(true);
        const beyond = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect(beyond).toBe(0);
      };
      await opened(`matrix/${slug}`, [360, 740], look, { javaScriptEnabled });
    },
  );

  it("has all checks when it is printed, with its head on each page", async () => {
    await opened(`matrix/${await largestCategory()}`, [1280, 900], async (page) => {
      const heads = page.locator("th[data-check]");
      const shown = () =>
        heads.evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
      expect(await shown()).toBeLessThan(await heads.count());
      await page.emulateMedia({ media: "print" });
      // The width of a landscape A4 page without its margins.
      await page.setViewportSize({ width: 1_046, height: 700 });
      expect(await shown()).toBe(await heads.count());
      const last = await heads.last().evaluate((head) => head.getBoundingClientRect().right);
      expect(last).toBeLessThan(1_046);
      const display = await page.evaluate(
        "getComputedStyle(document.querySelector('.matrix thead')).display",
      );
      expect(display).toBe("table-header-group");
    });
  });

  it("is for everybody, as a table, as a list and with extras", async () => {
    const slug = await largestCategory();
    for (const query of ["", "?fails=https", "?passes=https", "?extras=1&table=1&sort=-https"])
      await opened(`matrix/${slug}${query}`, [360, 740], expectForEverybody);
  });
});

it.skipIf(!HAS_BROWSER)(
  "a comparison on a phone keeps the names of its sites in sight",
  async () => {
    const reply = await fetch(`${server.url}/api/sites?limit=4`);
    const { data } = (await reply.json()) as { data: { host: string }[] };
    const query = `compare?sites=${data.map(({ host }) => host).join(",")}`;
    await opened(query, [360, 740], async (page) => {
      const before = await inBox(page, ".compare thead th >> nth=2");
      const check = await inBox(page, ".compare tbody .first >> nth=3");
      await scrollTable(page);
      expect(await inBox(page, ".compare thead th >> nth=2")).toEqual({
        x: before.x - 80,
        y: before.y,
      });
      expect(await inBox(page, ".compare tbody .first >> nth=3")).toEqual({
        x: check.x,
        y: check.y - 150,
      });
      await expectForEverybody(page);
    });
  },
);
