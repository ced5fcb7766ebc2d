import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../../src/publish/build.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  theStandards,
  writePublished,
} from "../fixtures.js";
import { type Browser, chromiumPath, launch, type Page, withPage } from "./browsers.js";
import { served } from "./visits.js";

const chromium = chromiumPath();
const ARABIC = "دليل المواقع العربية للطقس والخرائط";
const NAMES = {
  "words.example": "Long name of a site ".repeat(50),
  "word.example": "x".repeat(1_000),
  "arabic.example": ARABIC,
};
const BANDS = [
  { band: "unreadable", label: "Unreadable", min: 0, max: 24 },
  { band: "partial", label: "Partial", min: 25, max: 49 },
  { band: "readable", label: "Readable", min: 50, max: 79 },
  { band: "exemplary", label: "Exemplary", min: 80, max: 100 },
];

let browser: Browser;
let url: string;
const cleanUps: (() => Promise<void>)[] = [];
const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);

beforeAll(async () => {
  if (chromium === null) return;
  const folder = await temporaryFolder(finished);
  const { rubric, ...standards } = theStandards();
  const files = aPublishedDirectory({
    standards: { ...standards, rubric: { ...rubric, bands: BANDS } },
    listings: Object.entries(NAMES).map(([host, name]) =>
      aListing({ host, name, tagline: name, description: name, category: "news" }),
    ),
    scans: Object.entries(NAMES).map(([host, name]) => aScan({ host, summary: name })),
  });
  const store = join(folder, "store");
  await build(await writePublished(join(folder, "published"), files), { store, jobs: 1 });
  ({ url } = await served(store, finished));
  browser = await launch(chromium);
  finished(() => browser.close());
}, 300_000);

afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** The left edges of the first line of each element, in pixels. */
function leftEdges(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return Math.round(range.getClientRects()[0].left);
  })`);
}

describe.skipIf(chromium === null)("long texts, and texts from right to left,", () => {
  it.each([360, 1_280])("take few lines at %d pixels", async (width) => {
    const viewport = { width, height: 900 };
    await withPage(
      browser,
      `${url}/?sort=score`,
      async (page) => {
        for (const title of await page.locator(".site h3").all())
          expect((await title.boundingBox())?.height).toBeLessThan(90);
        for (const host of Object.keys(NAMES)) {
          await page.goto(`${url}/sites/${host}`);
          expect((await page.locator(".name").boundingBox())?.height).toBeLessThan(150);
          expect((await page.title()).length).toBeLessThan(220);
          const about = (await page.locator("#about").textContent()) ?? "";
          expect(about).toContain(NAMES[host as keyof typeof NAMES].trim());
        }
      },
      { viewport },
    );
  });

  it("begin where the texts around them do", async () => {
    await withPage(browser, `${url}/sites/arabic.example`, async (page) => {
      const [left, ...others] = await leftEdges(page, ".hero-text > :is(h1, .name, .summary)");
      expect(others).toHaveLength(2);
      for (const other of others) expect(Math.abs(other - (left ?? 0))).toBeLessThan(4);
      await page.goto(`${url}/?q=arabic`);
      const [host, ...texts] = await leftEdges(page, ".site :is(.address, h3 bdi, .tagline)");
      for (const text of texts) expect(Math.abs(text - (host ?? 0))).toBeLessThan(4);
      expect(texts).toHaveLength(2);
    });
  });
});

describe.skipIf(chromium === null)("the bands below the chart", () => {
  it.each([1_280, 1_440])("are in one row at %d pixels", async (width) => {
    await withPage(
      browser,
      url,
      async (page) => {
        const boxes = await Promise.all(
          (await page.locator(".legend-band").all()).map((band) => band.boundingBox()),
        );
        expect(boxes).toHaveLength(4);
        expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
        // Each has its name in one line, and its range and number in another one.
        for (const box of boxes) expect(box?.height).toBeLessThan(56);
      },
      { viewport: { width, height: 900 } },
    );
  });
});
