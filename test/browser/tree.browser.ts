import { describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/server/server.js";
import { currentId } from "../../src/store/reader.js";
import { answersIn } from "../store/answers.js";
import { type Browser, expectAccessible, type Page, watched, withPage } from "./browsers.js";
import { aTree, type TreeServer } from "./trees.js";
import { HAS_BROWSER, visiting } from "./visits.js";

const BASE = "/directory/";

let browser: Browser;
let server: RunningServer;
let tree: TreeServer;
let origin: string;
let hosts: string[];

visiting({ listings: 300, seed: 6 }, async (visit) => {
  ({ browser, server } = visit);
  hosts = Object.keys(await answersIn(visit.store, (await currentId(visit.store)) ?? ""));
  ({ tree } = await aTree(visit.store, { isPacked: false, base: BASE }, visit.finished));
  origin = `http://127.0.0.1:${tree.port}`;
});

/** The hosts that the server finds, in their order. The API does not have that of a text. */
async function hostsFound(query: string): Promise<string[]> {
  if (query.includes("q=") && !query.includes("sort=")) {
    const page = await (await fetch(`${server.url}/${query}`)).text();
    return Array.from(page.matchAll(/<h3><a href="sites\/([^"]+)/g), ([, host = ""]) => host);
  }
  const reply = await fetch(`${server.url}/api/sites${query || "?sort=recent&limit=8"}`);
  const { data } = (await reply.json()) as { data: { host: string }[] };
  return data.map(({ host }) => host);
}

const query = (page: Page) => new URL(page.url()).search;
const links = (page: Page) =>
  page.locator(".site h3 a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
const searchFiles = () => tree.asked.filter((path) => /^(?:data|assets\/search-)/.test(path));

/** Expects the page to show what the server finds for its address. */
async function expectFound(page: Page): Promise<void> {
  const found = await hostsFound(query(page));
  await expect.poll(() => links(page)).toEqual(found.map((host) => `sites/${host}.html`));
}

/** Lets a page use a tree from the start. */
async function withTree(
  path: string,
  use: (page: Page, complaints: string[]) => Promise<void>,
): Promise<void> {
  tree.gate = () => true;
  tree.asked.length = 0;
  await withPage(browser, "about:blank", async (page) => {
    const complaints = watched(page, origin);
    await page.goto(origin + BASE + path);
    await use(page, complaints);
  });
}

/** Holds files back until the function that it gives is called. */
function heldBack(pattern: RegExp): () => void {
  let release = () => {};
  const until = new Promise<boolean>((resolve) => {
    release = () => resolve(true);
  });
  tree.gate = (path) => !pattern.test(path) || until;
  return release;
}

describe.skipIf(!HAS_BROWSER)("the explorer in a tree of files", () => {
  it("loads nothing for searches before it is used, and then finds what the server finds", async () => {
    await withTree("", async (page, complaints) => {
      await page.waitForLoadState("networkidle");
      expect(await page.locator(".site").count()).toBe(8);
      expect(searchFiles()).toEqual([]);
      await page.locator("#q").focus();
      await expect
        .poll(() => tree.asked.some((path) => path.startsWith("data/segments/")))
        .toBe(true);
      await expect.poll(() => page.locator(".site").count()).toBe(8);
      await expectAccessible(page);
      await page.keyboard.type(hosts[3]?.slice(0, 4) ?? "");
      await expect.poll(() => page.locator("#suggestions li").count()).toBeGreaterThan(0);
      await page.keyboard.press("Enter");
      await expectFound(page);
      expect(await page.locator("#problem").textContent()).toBe("");
      await page.locator("#facet-band input").first().check();
      await expect.poll(() => query(page)).toContain("band=");
      await expectFound(page);
      await page.goBack();
      await expectFound(page);
      expect(complaints).toEqual([]);
    });
  });

  it("has its policy without a header: no script in a page runs, and only pages with listings load logos", async () => {
    const refused: Record<string, string[]> = {};
    for (const path of ["", "standards.html", `sites/${hosts[0]}.html`]) {
      await withTree(path, async (page) => {
        refused[path] = await page.evaluate<string[]>(`(async () => {
          const refused = [];
          addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
          const script = document.createElement("script");
          script.textContent = "window.hasRun = true";
          const logo = document.createElement("img");
          const loaded = new Promise((done) => { logo.onload = logo.onerror = done; });
          logo.src = "https://127.0.0.1:1/logo.png";
          document.body.append(script, logo);
          await loaded;
          if (window.hasRun) throw new Error("the script has run");
          return refused;
        })()`);
      });
    }
    expect(refused).toEqual({
      "": ["script-src-elem"],
      "standards.html": ["script-src-elem", "img-src"],
      [`sites/${hosts[0]}.html`]: ["script-src-elem", "img-src"],
    });
  });

  it("searches at once for a query in its address, with all filters that it names", async () => {
    await withTree("?category=nothing-here&q=a", async (page) => {
      await expect.poll(() => page.locator("#found").textContent()).toBe("0 sites");
      await expect.poll(() => page.locator("#q").inputValue()).toBe("a");
      await expect.poll(() => page.locator('[value="nothing-here"]').isChecked()).toBe(true);
    });
    await withTree("?sort=host&page=2", async (page) => {
      await expectFound(page);
      await page.locator(".site h3 a").first().click();
      await page.waitForURL(/\.html$/);
      await expect
        .poll(() => page.locator("h1").textContent())
        .toBe((await hostsFound("?sort=host&page=2"))[0]);
    });
  });

  it("shows rows to come from its first paint, if its address has a query, and moves nothing", async () => {
    const release = heldBack(/^assets\/explorer-.*\.js$/);
    await withPage(browser, "about:blank", async (page) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.addInitScript(`globalThis.moved = 0; new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.moved += value;
      }).observe({ type: "layout-shift", buffered: true });`);
      await page.goto(`${origin}${BASE}?q=example`, { waitUntil: "commit" });
      await page.locator("#results").waitFor();
      await expect
        .poll(() => page.evaluate("performance.getEntriesByType('paint').length"))
        .toBe(2);
      expect(await page.locator("#overview h1, #found, #filters, .key-figures").count()).toBe(4);
      for (const hidden of ["#overview h1", "#found", "#filters", ".key-figures"]) {
        expect([hidden, await page.locator(hidden).isVisible()]).toEqual([hidden, false]);
      }
      release();
      await expectFound(page);
      await page.locator("#found").waitFor();
      expect(await page.evaluate("globalThis.moved")).toBeLessThan(0.005);
      await page.goto(`${origin}${BASE}?utm_source=x&page=1`);
      await page.locator("#found").waitFor();
    });
  });

  it("leads from another spelling of a host to its report, and says of no site that it is lost", async () => {
    const host = hosts.find((one) => !one.endsWith(".html")) ?? "";
    await withPage(browser, `${origin}${BASE}sites/www.${host.toUpperCase()}`, async (page) => {
      await page.waitForURL(`${origin}${BASE}sites/${host}.html`);
      for (const path of ["sites/nowhere.example", "sites/https://www.nowhere.example/a?b"]) {
        await page.goto(`${origin}${BASE}${path}`);
        await page.getByRole("heading", { name: "Not listed yet" }).waitFor();
        await expect.poll(() => page.locator("#q").inputValue()).toBe("nowhere.example");
        const lead = page.getByText("No report is published for this host.");
        await lead.waitFor();
        const way = page.getByRole("link", { name: "write to the publisher" });
        await expect.poll(() => way.getAttribute("href")).toContain("nowhere.example");
        await expectAccessible(page);
      }
      await page.goto(`${origin}${BASE}nowhere`);
      await expect.poll(() => page.locator("h1").textContent()).toBe("No such page");
    });
  });

  it("says that it failed, keeps the results, and searches again on request", async () => {
    for (const missing of [
      /^data\/current/,
      /manifest\.json$/,
      /^data\/segments/,
      /^assets\/search-/,
    ]) {
      await withTree("", async (page) => {
        tree.gate = (path) => !missing.test(path);
        await page.locator("#facet-band input").first().check();
        const retry = page.getByRole("button", { name: "Try again" });
        await retry.waitFor();
        await expectAccessible(page);
        expect([String(missing), await page.locator(".site").count()]).toEqual([
          String(missing),
          8,
        ]);
        tree.gate = () => true;
        await retry.click();
        await expectFound(page);
        await expect.poll(() => retry.count()).toBe(0);
      });
    }
  });

  it("on the API's page, answers searches by itself and reads the other answers from files", async () => {
    await withTree("api.html", async (page, complaints) => {
      const sent = async (id: string) => {
        await page.locator(`#${id} .send .strong`).click();
        await expect
          .poll(() => page.locator(`#${id} [data-told]`).textContent())
          .toMatch(/^Answer: /);
        return (await page.locator(`#${id} [data-reply]`).textContent()) ?? "";
      };
      for (const id of ["searchSites", "suggestSites", "listTags"]) {
        expect(await sent(id)).toContain("200");
      }
      expect(await page.locator("#searchSites [data-reply] a").count()).toBe(0);
      await page.locator("#searchSites-limit").fill("0");
      expect(await sent("searchSites")).toContain("400");
      expect(complaints).toEqual([]);
    });
  });
});
