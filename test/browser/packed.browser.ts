import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunningServer } from "../../src/server/server.js";
import { withoutFollowing } from "../export/sites.js";
import { NO_PICTURES } from "../pictures.js";
import { type Browser, type Page, withPage } from "./browsers.js";
import { aTree } from "./trees.js";
import { HAS_BROWSER, served, visiting } from "./visits.js";

const BASES = ["/", "/directory/"];

let browser: Browser;
let server: RunningServer;
let host: string;
let store: string;
const trees = new Map<string, Awaited<ReturnType<typeof aTree>>>();

visiting({ listings: 300, seed: 6 }, async (visit) => {
  ({ browser, server, store } = visit);
  host = server.exampleHost() ?? "";
  // No worker makes pictures.
  server = await served(visit.store, visit.finished, NO_PICTURES);
  for (const base of BASES) {
    trees.set(base, await aTree(visit.store, { isPacked: true, base }, visit.finished));
  }
});

function treeAt(base: string) {
  const found = trees.get(base);
  if (found === undefined) throw new Error(`no tree is at ${base}`);
  return found;
}

/** Waits until the worker answers for a page. */
async function controlled(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate("navigator.serviceWorker.controller?.state"))
    .toBe("activated");
}

/** The addresses that a page has been at, from now on. */
function loadsOf(page: Page): string[] {
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads.push(request.url());
  });
  return loads;
}

/** What the page gets for an address: status, type and text. */
function read(page: Page, address: string, accept = "*/*") {
  return page.evaluate<[number, string, string]>(
    `fetch(${JSON.stringify(address)}, { headers: { Accept: ${JSON.stringify(accept)} } }).then(
      async (reply) => [reply.status, reply.headers.get("content-type"), await reply.text()])`,
  );
}

async function fromServer(address: string, accept: string) {
  const reply = await fetch(`${server.url}/${address}`, { headers: { Accept: accept } });
  return [reply.status, reply.headers.get("content-type"), withoutFollowing(await reply.text())];
}

describe.skipIf(!HAS_BROWSER)("the service worker of a packed tree", () => {
  it.each(BASES)(
    "answers below %s what the server answers, and leaves files to the network",
    async (base) => {
      const { root, tree } = treeAt(base);
      await withPage(browser, root, async (page) => {
        await controlled(page);
        const report = `sites/${host}`;
        for (const [address, accept] of [
          [report, "text/html"],
          [report, "text/markdown"],
          [report, "*/*"],
          [`${report}?scan=none`, "text/html"],
          [`${report}/report.md`, "*/*"],
          [`${report}/fix.md`, "*/*"],
          [`${report}/badge.svg`, "*/*"],
          ["sites/nowhere.example", "text/html"],
          [`api/${report}/report`, "application/json"],
          [`api/${report}/enrichment`, "application/json"],
          ["api/sites?limit=3", "application/json"],
          ["api/sites?limit=0", "application/json"],
          ["api/standards", "application/json"],
          ["standards", "text/html"],
        ] as const) {
          const given = await read(page, root + address, accept);
          expect([address, accept, given]).toEqual([
            address,
            accept,
            await fromServer(address, accept),
          ]);
        }
        tree.asked.length = 0;
        for (const file of [
          "api/standards.json",
          "standards.html",
          "data/current.json",
          "index.html",
        ]) {
          expect([file, (await read(page, root + file))[0]]).toEqual([file, 200]);
          expect(tree.asked).toContain(file);
        }
        expect((await read(page, `${root}nowhere`))[0]).toBe(404);
      });
    },
  );

  it.each(BASES)(
    "opens a report below %s on the first visit, by loading it again once",
    async (base) => {
      const { root } = treeAt(base);
      await withPage(browser, "about:blank", async (page) => {
        const loads = loadsOf(page);
        await page.goto(`${root}sites/${host}`);
        await expect.poll(() => page.locator("h1").textContent()).toBe(host);
        expect(loads).toEqual([`${root}sites/${host}`, `${root}sites/${host}`]);
        await expect.poll(() => page.evaluate("document.styleSheets.length")).toBe(2);
        await page.getByRole("link", { name: "How it works" }).first().click();
        await page.waitForURL(/\/standards$/);
        await expect.poll(() => page.locator(".check").count()).toBeGreaterThan(10);
        loads.length = 0;
        await page.goto(`${root}nowhere/at/all`);
        await page.waitForTimeout(1_000);
        expect([loads.length, await page.locator("h1").textContent()]).toEqual([1, "No such page"]);
      });
    },
  );

  it("opens a report from its page for previews, on the first visit and on later ones", async () => {
    const kind = { isPacked: true, previews: true, base: "/" };
    const { tree, root } = await aTree(store, kind, (end) => onTestFinished(end));
    const isOpen = (page: Page) =>
      expect
        .poll(() => page.locator("h1").textContent())
        .toBe(host)
        .then(() => page.url());
    for (const address of [`sites/${host}`, `sites/${host}/`]) {
      await withPage(browser, `${root}${address}#to-do`, async (page) => {
        expect(await isOpen(page)).toBe(`${root}sites/${host}#to-do`);
        await page.goto(`${root}${address}`);
        expect(await isOpen(page)).toBe(`${root}sites/${host}`);
      });
    }
    tree.gate = (path) => path !== "worker.js";
    await withPage(browser, `${root}sites/${host}`, async (page) => {
      await page.getByText("This browser cannot show the whole report here").waitFor();
      expect(await page.locator("h1").textContent()).toContain("for crawler readiness");
      expect(await page.getByText("Opening").count()).toBe(0);
    });
  });

  it("never loads an address without a report more than twice, on a first visit either", async () => {
    const { root } = treeAt("/directory/");
    await withPage(browser, "about:blank", async (page) => {
      const loads = loadsOf(page);
      await page.goto(`${root}nowhere`);
      await controlled(page);
      await page.waitForTimeout(2_000);
      expect(loads).toEqual([`${root}nowhere`, `${root}nowhere`]);
    });
  });

  it("says that it opens a report until it does, and that it is offline", async () => {
    const { root, tree } = treeAt("/directory/");
    let release = () => {};
    const until = new Promise<boolean>((resolve) => {
      release = () => resolve(true);
    });
    tree.gate = (path) => path !== "worker.js" || until;
    await withPage(browser, `${root}sites/www.${host}`, async (page, context) => {
      await page.getByRole("heading", { name: `Opening the report of ${host}` }).waitFor();
      expect(await page.title()).toBe(`Opening the report of ${host}`);
      await expect.poll(() => page.locator(".lead").isVisible()).toBe(false);
      release();
      await expect.poll(() => page.locator("h1").textContent()).toBe(host);
      expect(page.url()).toBe(`${root}sites/${host}`);
      await context.setOffline(true);
      for (const path of ["sites/nowhere.example", "standards.html"]) {
        await page.goto(root + path);
        await expect.poll(() => page.locator("h1").textContent()).toBe("You are offline");
      }
    });
    tree.gate = () => true;
  });

  it("says that reports cannot be shown, if there is no worker", async () => {
    const { root, tree } = treeAt("/directory/");
    tree.gate = (path) => path !== "worker.js";
    await withPage(browser, `${root}sites/${host}`, async (page) => {
      await page.getByText("this browser cannot show reports here").waitFor();
      await expect.poll(() => page.locator("h1").textContent()).toBe("No such page");
    });
    tree.gate = () => true;
    await withPage(
      browser,
      `${root}sites/${host}`,
      async (page) => {
        await page.getByRole("link", { name: "All sites of the directory" }).click();
        await expect.poll(() => page.locator(".site").count()).toBe(8);
      },
      { javaScriptEnabled: false },
    );
  });

  it("leads from the explorer's results to reports, and searches in its own worker", async () => {
    const { root } = treeAt("/");
    await withPage(browser, `${root}?sort=host`, async (page) => {
      await controlled(page);
      const first = page.locator(".site h3 a").first();
      await expect.poll(() => page.locator("#sort, [name=sort]").first().inputValue()).toBe("host");
      const { data } = (await (await fetch(`${server.url}/api/sites?sort=host`)).json()) as {
        data: { host: string }[];
      };
      await expect.poll(() => first.getAttribute("href")).toBe(`sites/${data[0]?.host}`);
      await first.click();
      await expect.poll(() => page.locator("h1").textContent()).toBe(data[0]?.host);
    });
  });

  it("asks the network if the tree has no packs any more", async () => {
    const { root, folder } = treeAt("/");
    await withPage(browser, root, async (page) => {
      await controlled(page);
      await rm(join(folder, "data"), { recursive: true });
      // The network has nothing here either: the answer says so as the API does.
      expect((await read(page, `${root}api/sites/${host}/report`))[0]).toBe(503);
      expect((await read(page, `${root}standards.html`))[0]).toBe(200);
    });
  });
});
