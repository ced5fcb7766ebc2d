import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/server/server.js";
import { type Browser, expectForEverybody, type Page, watched, withPage } from "./browsers.js";
import { HAS_BROWSER, visiting } from "./visits.js";

let browser: Browser;
let server: RunningServer;

visiting({ listings: 60, seed: 4 }, (visit) => {
  ({ browser, server } = visit);
});

const reply = (page: Page, id: string) => page.locator(`#${id} [data-reply]`);

async function sent(page: Page, id: string): Promise<string> {
  await page.locator(`#${id} .send .strong`).click();
  await expect.poll(() => page.locator(`#${id} [data-told]`).textContent()).toMatch(/^Answer: /);
  return (await reply(page, id).textContent()) ?? "";
}

describe.skipIf(!HAS_BROWSER)("the API's page in a browser", () => {
  it("axe-core finds nothing in either scheme, and nothing is wider than the window", async () => {
    await withPage(browser, "about:blank", async (page) => {
      const complaints = watched(page, server.url);
      for (const path of ["/api", "/api/nowhere"]) {
        await page.goto(server.url + path);
        if (path === "/api") await sent(page, "searchSites");
        await expectForEverybody(page);
      }
      // The browser itself reports the 404 of the second page.
      expect(complaints.filter((one) => !one.includes("404"))).toEqual([]);
    });
  });

  it("a form sends what is filled in, and shows status, headers and body", async () => {
    await withPage(browser, `${server.url}/api`, async (page) => {
      await page.locator("#searchSites-limit").fill("3");
      await page.locator("#searchSites-minScore").fill("10");
      await page.locator("#searchSites-tag").fill("for-developers, datasets");
      const requested = page.waitForRequest(/\/api\/sites\?/);
      const shown = await sent(page, "searchSites");
      const { searchParams } = new URL((await requested).url());
      expect(searchParams.getAll("tag")).toEqual(["for-developers", "datasets"]);
      expect([searchParams.get("minScore"), searchParams.has("q")]).toEqual(["10", false]);
      for (const part of ["200 OK", "application/json", "etag", '"pagination": {']) {
        expect(shown).toContain(part);
      }
      await page.locator("#searchSites .send [type=reset]").click();
      await expect.poll(() => reply(page, "searchSites").textContent()).toBe("");
    });
  });

  it("puts a host into the path, and shows an error as the API answers it", async () => {
    await withPage(browser, `${server.url}/api`, async (page) => {
      expect(await sent(page, "getReport")).toContain("200 OK");
      await page.locator("#getReport-host").fill("WWW.Nowhere.example");
      await page.locator("#getReport .send .strong").click();
      await expect
        .poll(() => reply(page, "getReport").textContent())
        .toMatch(/400 Bad Request.*nowhere\.example\\"\?/s);
    });
  });

  it("says so if there is no answer", async () => {
    await withPage(browser, `${server.url}/api`, async (page, context) => {
      await context.setOffline(true);
      await page.locator("#listTags .send .strong").click();
      await expect.poll(() => reply(page, "listTags").textContent()).toContain("no answer");
    });
  });

  it("the lines to copy name the server that the page comes from", async () => {
    await withPage(browser, `${server.url}/api`, async (page) => {
      const lines = await page.locator("#listTags pre[data-copy]").allTextContents();
      expect(lines[0]).toBe(`curl "${server.url}/api/tags"`);
      expect(lines[1]).toContain(`baseUrl: "${server.url}"`);
    });
  });

  it("without JavaScript, a form opens the API's answer", async () => {
    for (const [id, answer] of [
      ["searchSites", '"pagination"'],
      ["getReport", '"scan"'],
    ] as const) {
      await withPage(
        browser,
        `${server.url}/api`,
        async (page) => {
          await page.locator(`#${id} .send .strong`).click();
          await page.waitForURL(/\/api\/sites/);
          await expect.poll(() => page.locator("body").textContent()).toContain(answer);
        },
        { javaScriptEnabled: false },
      );
    }
  });
});
