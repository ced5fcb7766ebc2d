import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { build } from "../../../src/publish/build.js";
import {
  type Browser,
  chromiumPath,
  expectForEverybody,
  launch,
  watched,
  withPage,
} from "../../browser/browsers.js";
import { aTree } from "../../browser/trees.js";
import { HAS_BROWSER, served } from "../../browser/visits.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { HOSTILE } from "../../pages/hostile.js";
import { directoryOf, type Row } from "../../store/rows.js";

let browser: Browser;
/** The addresses of the server and of both kinds of trees, without a slash at their ends, and what pages end in. */
const places: { readonly root: string; readonly end: string }[] = [];
const cleanUps: (() => Promise<void>)[] = [];

const SITES = 240;
const LONG = "Name ".repeat(200);

/** All scores rise by ten; one site leaves, and one enters. Names are long, empty or hostile. */
function publication(number: number) {
  const rows = Array.from({ length: SITES }, (_, at): [string, Row] => [
    `site-${at}`,
    [at < 40 ? 90 - 10 * number : 30 + 10 * number, number === 1 ? "+-" : "-+", {}, number],
  ]);
  const other: [string, Row] = [number === 1 ? "leaves" : "enters", [50, "++", {}, number]];
  const files = directoryOf(Object.fromEntries([...rows, other]));
  const names = [LONG, ...HOSTILE];
  const listings = files.listings.map((listing, at) => ({
    ...listing,
    name: names[at % names.length]!,
  }));
  return { ...files, listings };
}

beforeAll(async () => {
  const path = chromiumPath();
  if (path === null) return;
  const finished = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
  const folder = await temporaryFolder(finished);
  const store = join(folder, "store");
  for (const number of [1, 2]) {
    vi.stubEnv("SOURCE_DATE_EPOCH", `${Math.floor(Date.now() / 1_000) - 86_400 * (3 - number)}`);
    const input = await writePublished(join(folder, "published"), publication(number));
    await build(input, { store, jobs: 1, maxRemoved: "100%" });
  }
  vi.unstubAllEnvs();
  places.push({ root: (await served(store, finished)).url, end: "" });
  for (const isPacked of [false, true]) {
    const { root } = await aTree(store, { isPacked, base: "/" }, finished);
    places.push({ root: root.replace(/\/$/, ""), end: ".html" });
  }
  browser = await launch(path);
});

afterAll(async () => {
  await browser?.close();
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

describe.skipIf(!HAS_BROWSER)("the pages of changes", () => {
  it("are accessible in either colour scheme and fit every window, whatever sites are called", async () => {
    const { root } = places[0]!;
    await withPage(browser, "about:blank", async (page) => {
      const complaints = watched(page, root);
      const hosts = [0, 1, 2, 3, 45, 46].map((at) => `site-${at}.example`);
      const watch = `/watch?host=${[...hosts, "leaves.example"].join("&host=")}`;
      for (const path of ["/changes", "/changed/last-risen", "/changed/last-gone", watch]) {
        await page.goto(root + path);
        await expectForEverybody(page);
      }
      expect(complaints).toEqual([]);
    });
  });

  it("have tables that a phone shows without scrolling aside, with numbers below their headings", async () => {
    const { root } = places[0]!;
    const watch = "/watch?host=site-1.example&host=site-45.example&host=leaves.example";
    await withPage(
      browser,
      "about:blank",
      async (page) => {
        for (const [path, table] of [
          ["/changes", ".numbers"],
          [watch, ".watched"],
        ] as const) {
          await page.goto(root + path);
          const beyond = await page
            .locator(`.scroll:has(${table})`)
            .evaluate((box) => box.scrollWidth - box.clientWidth);
          expect([path, beyond]).toEqual([path, 0]);
        }
        await page.goto(`${root}/changes`);
        const ends = await page
          .locator(".numbers :is(th, td):last-child")
          .evaluateAll((cells) =>
            cells.map((cell) => cell.lastElementChild?.getBoundingClientRect().right),
          );
        expect([ends.length, new Set(ends).size]).toEqual([8, 1]);
      },
      { viewport: { width: 320, height: 900 } },
    );
  });

  it("lead from each number to exactly that many sites, without a script and in trees", async () => {
    for (const { root, end } of places) {
      const counts = async (path: string) => {
        let found: number[] = [];
        await withPage(
          browser,
          root + path,
          async (page) => {
            const links = await page.locator(".numbers .count a").all();
            for (const link of links) {
              const count = Number(await link.innerText());
              const address = new URL((await link.getAttribute("href")) ?? "", page.url()).href;
              let listed = 0;
              await withPage(
                browser,
                address,
                async (list) => {
                  for (;;) {
                    listed += await list.locator(".moves li").count();
                    const next = list.getByRole("link", { name: "Next" });
                    if ((await next.count()) === 0) return;
                    await next.click();
                  }
                },
                { javaScriptEnabled: false },
              );
              found = [...found, count];
              expect([address, listed]).toEqual([address, count]);
            }
          },
          { javaScriptEnabled: false },
        );
        return found;
      };
      expect([root, await counts(`/changes${end}`)]).toEqual([root, [SITES - 40, 40, 1, 1]]);
    }
  });

  it("keep long names on one line beside the scores, which stay in their columns", async () => {
    const { root } = places[0]!;
    for (const width of [360, 1_280]) {
      await withPage(
        browser,
        `${root}/changes`,
        async (page) => {
          const boxes = await page
            .locator(".moves")
            .first()
            .locator("li")
            .evaluateAll((items) =>
              items.map((item) => [
                item.getBoundingClientRect().height,
                item.querySelector(".moved")?.getBoundingClientRect().right,
              ]),
            );
          expect(boxes).toHaveLength(25);
          expect(new Set(boxes.map(([, right]) => right)).size).toBe(1);
          expect(Math.max(...boxes.map(([height]) => height!))).toBeLessThan(60);
        },
        { viewport: { width, height: 900 } },
      );
    }
  });
});
