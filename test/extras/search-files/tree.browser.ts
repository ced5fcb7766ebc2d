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

/** Opens the explorer with a text. @returns the bytes of the tree's data that were sent */
async function searched(page: Page, text: string): Promise<number> {
  tree.asked.length = 0;
  tree.sent.clear();
  await page.goto(`${root}?q=${text}`);
  await expect.poll(() => page.locator("#found").textContent()).toMatch(/^[1-9]\d* sites?$/);
  await expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBeNull();
  const data = [...tree.sent].filter(([path]) => path.startsWith("data/segments/"));
  return data.reduce((sum, [, bytes]) => sum + bytes, 0);
}

describe.skipIf(!HAS_BROWSER)("a search in a tree", () => {
  it("reads parts of few files and no table, and reads nothing again at the next visit", async () => {
    tree.hasRanges = true;
    await withPage(browser, "about:blank", async (page) => {
      const bytes = await searched(page, "clinic");
      expect(searchFiles().filter((path) => !path.endsWith(".bin"))).toEqual([]);
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes).toBeLessThan(100_000);
      const cached = await cachedFiles(page);
      expect(cached.filter((path) => /\.maps\.bin\?/.test(path)).length).toBeGreaterThan(0);
      expect(await searched(page, "clinic")).toBe(0);
      expect(searchFiles()).toEqual([]);
    });
  });

  it("reads each file once from a server that ignores ranges", async () => {
    tree.hasRanges = false;
    await withPage(browser, "about:blank", async (page) => {
      await searched(page, "clinic");
      const asked = searchFiles();
      // Parts that are asked for at the same time are: the first reply then tells that the server ignores ranges.
      const sent = [...tree.sent].filter(([path]) => path.endsWith(".maps.bin"));
      expect(sent).toHaveLength(1);
      expect(asked.length).toBeGreaterThan(0);
    });
  });
});
