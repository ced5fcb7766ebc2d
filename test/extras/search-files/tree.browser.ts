import { describe, expect, it } from "vitest";
import { type Browser, type Page, withPage } from "../../browser/browsers.js";
import { aTree, cachedFiles, type TreeServer } from "../../browser/trees.js";
import { HAS_BROWSER, visiting } from "../../browser/visits.js";

let browser: Browser;
let tree: TreeServer;
let root: string;

visiting({ listings: 400, seed: 9 }, async (visit) => {
  ({ browser } = visit);
  const kind = { isPacked: false, base: "/" };
  ({ tree, root } = await aTree(visit.store, kind, visit.finished));
});

const searchFiles = () => tree.asked.filter((path) => path.startsWith("data/segments/"));

/** Opens the explorer with a text, and waits for all that it finds. */
async function search(page: Page, text: string): Promise<void> {
  tree.asked.length = 0;
  tree.parts.length = 0;
  await page.goto(`${root}?q=${text}`);
  await expect.poll(() => page.locator("#found").textContent()).toMatch(/^[1-9]\d* sites?$/);
  await expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBeNull();
}

describe.skipIf(!HAS_BROWSER)("a search in a tree", () => {
  it("reads parts of maps and rows and no table, and reads nothing again at the next visit", async () => {
    tree.hasRanges = true;
    await withPage(browser, "about:blank", async (page) => {
      await search(page, "clinic");
      const packs = searchFiles().filter((path) => /\.(?:maps|rows)\.bin$/.test(path));
      expect(packs.length).toBeGreaterThan(1);
      expect(tree.parts).toEqual(packs);
      expect(searchFiles().filter((path) => !path.endsWith(".bin"))).toEqual([]);
      await expect
        .poll(async () => (await cachedFiles(page)).filter((file) => file.includes(".bin?")).length)
        .toBe(packs.length);
      await search(page, "clinic");
      expect(searchFiles()).toEqual([]);
    });
  });

  it("finds the same from a server that ignores ranges", async () => {
    tree.hasRanges = false;
    await withPage(browser, "about:blank", async (page) => {
      await search(page, "clinic");
      expect(tree.parts.length).toBeGreaterThan(1);
      expect(await page.locator("#problem").textContent()).toBe("");
    });
  });
});
