import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../../src/server/server.js";
import {
  type Browser,
  expectAccessible,
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

visiting({ listings: 60, seed: 4 }, async (visit) => {
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
        await page.locator(".tick input").first().check();
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

describe.skipIf(!HAS_BROWSER)("the matrix of a category", () => {
  it("is ordered and filtered in place, and its address can be shared", async () => {
    const reply = await fetch(`${server.url}/api/sites/facets`);
    const { data } = (await reply.json()) as {
      data: { categories: { items: { slug: string; count: number }[] } };
    };
    const [largest] = data.categories.items.toSorted((a, b) => b.count - a.count);
    const slug = largest?.slug ?? "";
    const rows = (page: Page) => textsOf(page, ".matrix tbody tr:not([hidden]) th");
    const found = await everywhere(
      (end) => `matrix/${slug}${end}`,
      async (page) => {
        await page.locator("[name=fails]").selectOption({ index: 3 });
        const filtered = await rows(page);
        await page.locator("th[data-check] a").nth(5).click();
        const { search } = new URL(page.url());
        const ordered = await rows(page);
        await page.reload();
        await expect.poll(() => rows(page)).toEqual(ordered);
        await expect.poll(() => page.locator("th[aria-sort]").count()).toBe(1);
        return [search, filtered, ordered];
      },
    );
    expect(found[0]?.[0]).toMatch(/^\?fails=[^&]+&sort=/);
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });
});
