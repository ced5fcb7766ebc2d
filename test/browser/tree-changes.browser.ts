import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/publish/build.js";
import { addedFiles, type Manifest } from "../../src/store/format.js";
import { dataName } from "../../src/store/segments/directory.js";
import { temporaryFolder } from "../fixtures.js";
import { writeSample } from "../sample/larger.js";
import { chromiumPath, launch, type Page, withPage } from "./browsers.js";
import { cachedFiles, serveTree, writeTree } from "./trees.js";
import { type Finished, HAS_BROWSER, visiting } from "./visits.js";

const KIND = { isPacked: false, base: "/" };
const NAME = "A name that no other listing has";
const BUCKET_LISTINGS = 1_500;

let finished: Finished;
visiting({ listings: 3, seed: 1 }, (visit) => {
  ({ finished } = visit);
});

/** A tree whose directory can change. */
async function aChangingTree() {
  const folder = await temporaryFolder(finished);
  const [published, store, site] = ["published", "store", "site"].map((name) => join(folder, name));
  if (published === undefined || store === undefined || site === undefined) throw new Error();
  await writeSample(published, { listings: BUCKET_LISTINGS, seed: 8 });
  const write = async () => {
    await build(published, { store, jobs: 1, keep: 1, maxRemoved: "100%" });
    return writeTree(site, store, KIND);
  };
  const manifest = await write();
  const tree = await serveTree(site, "/", finished);
  return { published, manifest, tree, write };
}

/** Gives a listing another name. @returns its host */
async function rename(published: string): Promise<string> {
  const [file = ""] = (await readdir(join(published, "listings"))).sort();
  const path = join(published, "listings", file);
  const [first = "", ...others] = (await readFile(path, "utf8")).split("\n");
  const listing: { host: string } = JSON.parse(first);
  await writeFile(path, [JSON.stringify({ ...listing, name: NAME }), ...others].join("\n"));
  return listing.host;
}

/** The tables and the files of extras that a manifest names, by their paths in a tree. */
function filesOf(manifest: Manifest): Set<string> {
  const tables = manifest.segments.map(({ table }) => table);
  return new Set([...tables, ...addedFiles(manifest)].map(({ file }) => `data/${dataName(file)}`));
}

/** The path of a cached file, or of the file of which a part is cached. */
function nameOf(cached: string): string {
  return cached.replace(/\?.*/, "");
}

async function search(page: Page, text: string): Promise<void> {
  await page.locator("#q").fill(text);
  await page.locator("#q").press("Enter");
  await expect.poll(() => page.locator("#results").getAttribute("aria-busy")).toBeNull();
}

describe.skipIf(!HAS_BROWSER)("a tree of files that changes while it is read", () => {
  it("goes over to the new snapshot when it looks again, and fetches only what is new", async () => {
    const chromium = chromiumPath();
    if (chromium === null) return;
    const browser = await launch(chromium);
    finished(() => browser.close());
    const { published, manifest, tree, write } = await aChangingTree();
    await withPage(browser, `http://127.0.0.1:${tree.port}/?q=nothing-has-this`, async (page) => {
      await expect.poll(() => page.locator("#found").textContent()).toBe("0 sites");
      const before = await cachedFiles(page);
      expect(before).not.toEqual([]);
      expect(before.filter((file) => !filesOf(manifest).has(nameOf(file)))).toEqual([]);
      // The worker gets the manifest from the page's first script, and does not read it again.
      const isManifest = (path: string) => path.endsWith("/manifest.json");
      expect(tree.asked.filter(isManifest).length).toBe(1);
      // Nor what the page has named: all of it was read before the first part of a file.
      const whole = tree.asked.filter((path) => !path.endsWith(".maps.bin"));
      expect(whole.filter((path, at) => whole.indexOf(path) < at)).toEqual([]);
      const host = await rename(published);
      const next = await write();
      tree.asked.length = 0;
      const found = async () => {
        await search(page, "nothing-has-this");
        await search(page, host);
        return (await page.locator(".site h3").allTextContents()).join();
      };
      await expect.poll(found, { timeout: 90_000, interval: 2_000 }).toContain(NAME);
      await search(page, NAME);
      await expect.poll(() => page.locator("#found").textContent()).toBe("1 site");
      expect(await page.locator("#problem").textContent()).toBe("");
      const lost = async () =>
        (await cachedFiles(page)).filter((file) => !filesOf(next).has(nameOf(file)));
      await expect.poll(lost).toEqual([]);
      const again = before.filter((file) => filesOf(next).has(file) && tree.asked.includes(file));
      expect(again).toEqual([]);
    });
  });

  it("can be searched over plain http from elsewhere, where browsers have no cache and no digests", async () => {
    const chromium = chromiumPath();
    if (chromium === null) return;
    const { tree } = await aChangingTree();
    const browser = await launch(chromium, ["--host-resolver-rules=MAP tree.example 127.0.0.1"]);
    finished(() => browser.close());
    await withPage(browser, `http://tree.example:${tree.port}/?q=a`, async (page) => {
      expect(await page.evaluate("isSecureContext || 'caches' in window")).toBe(false);
      await expect.poll(() => page.locator(".site").count()).toBe(24);
      await search(page, "shop");
      await expect.poll(() => new URL(page.url()).search).toBe("?q=shop");
      expect(await page.locator("#problem").textContent()).toBe("");
    });
  });
});
