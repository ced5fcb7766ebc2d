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
import { temporaryFolder, theStandards, writePublished } from "../../fixtures.js";
import { directoryOf, type Row } from "../../store/rows.js";

let browser: Browser;
/** The addresses of stores with so many publications, without a slash at their ends. */
const servers = new Map<number, string>();
let tree: string;
const cleanUps: (() => Promise<void>)[] = [];

/** Publishes so often, on days of their own; another methodology gives the scores of the last two. */
async function aServer(publications: number, finished: (cleanUp: () => Promise<void>) => void) {
  const folder = await temporaryFolder(finished);
  const store = join(folder, "store");
  for (let number = 1; number <= publications; number += 1) {
    const rows = Array.from({ length: 6 + number }, (_, at): [string, Row] => [
      `site-${at}`,
      [20 + 5 * at + number, number % 2 === 0 ? "+-" : "++", {}, number],
    ]);
    const files = directoryOf(Object.fromEntries(rows));
    const version = number > publications - 2 && publications > 3 ? "2026.2" : "2026.1";
    const standards = theStandards();
    vi.stubEnv("SOURCE_DATE_EPOCH", `${Date.UTC(2026, 9, 5 * number) / 1_000}`);
    const input = await writePublished(join(folder, "published"), {
      ...files,
      scans: files.scans.map((scan) => ({ ...scan, scoreVersion: version })),
      standards: { ...standards, rubric: { ...standards.rubric, version } },
    });
    await build(input, { store, jobs: 1, maxRemoved: "100%" });
  }
  vi.unstubAllEnvs();
  servers.set(publications, (await served(store, finished)).url);
  return store;
}

beforeAll(async () => {
  const path = chromiumPath();
  if (path === null) return;
  const finished = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
  for (const publications of [1, 2]) await aServer(publications, finished);
  const store = await aServer(6, finished);
  tree = (await aTree(store, { isPacked: false, base: "/" }, finished)).root.replace(/\/$/, "");
  browser = await launch(path);
});

afterAll(async () => {
  await browser?.close();
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

describe.skipIf(!HAS_BROWSER)("the page of trends", () => {
  it("is accessible in either colour scheme and fits every window, with any number of publications", async () => {
    await withPage(browser, "about:blank", async (page) => {
      for (const root of servers.values()) {
        const complaints = watched(page, root);
        await page.goto(`${root}/trends`);
        await expectForEverybody(page);
        expect(complaints).toEqual([]);
        page.removeAllListeners();
      }
    });
  });

  it("says in words what each chart shows, on a server and in a tree, without a script", async () => {
    for (const address of [`${servers.get(6)}/trends`, `${tree}/trends.html`]) {
      await withPage(
        browser,
        address,
        async (page) => {
          const texts = await page
            .getByRole("img")
            .evaluateAll((charts) => charts.map((chart) => chart.ariaLabel));
          expect([texts.length, texts[2]]).toEqual([
            3,
            "Sites: 8 on 10 October 2026, 12 on 30 October 2026. Lowest 8, highest 12, in 5 publications. " +
              "Version 2026.2 of the methodology counts on 25 October 2026.",
          ]);
          // The methodology is marked where it changes, and its name fits.
          expect(await page.locator(".boundary").count()).toBe(3);
          await page.getByText("All numbers of these charts").click();
          const table = page.getByRole("region", { name: "Table: The numbers of the charts" });
          expect(await table.getByRole("row").count()).toBe(6);
        },
        { javaScriptEnabled: false },
      );
    }
  });

  it("draws nothing outside of its charts", async () => {
    for (const width of [360, 768, 1_440]) {
      await withPage(
        browser,
        `${servers.get(6)}/trends`,
        async (page) => {
          const beyond = await page.locator(".trend").evaluateAll((cards) =>
            cards.flatMap((card) => {
              const box = card.getBoundingClientRect();
              return [...card.querySelectorAll("text, circle, path")].filter((one) => {
                const { left, right, top, bottom } = one.getBoundingClientRect();
                return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
              });
            }),
          );
          expect([width, beyond.length]).toEqual([width, 0]);
        },
        { viewport: { width, height: 900 } },
      );
    }
  });
});
