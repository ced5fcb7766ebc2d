import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, type Page, watched, withPage } from "../browser/browsers.js";
import { send } from "../runtime/http.js";
import { aDirectory, type Directory, startBrowser, treeFor } from "./directory.js";
import { needed, PLAIN_HOSTS, placed, RULED_HOSTS, type Started, startHost } from "./hosts.js";

/* Trees whose reports are no files, on real servers: a service worker answers. */

const SITE = "sites/open.example";
/** A server's own page for what it lacks cannot start the worker. */
const HAS_LOST_PAGE = ["GitHub Pages (emulated)", ...RULED_HOSTS.map(({ name }) => name)];

let directory: Directory;
let browser: Browser | null = null;
beforeAll(async () => {
  directory = await aDirectory();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await directory.close();
});

/** Waits until the service worker answers for a page. */
async function controlled(page: Page): Promise<void> {
  const state = () => page.evaluate("navigator.serviceWorker.controller?.state");
  await expect.poll(state).toBe("activated");
}

const heading = (page: Page) => page.locator("h1").textContent();

describe.each([...PLAIN_HOSTS, ...RULED_HOSTS])("a packed tree on $name, for $for", (host) => {
  let started: Started | undefined;
  beforeAll(async () => {
    const { store, folder } = directory.site;
    const tree = await treeFor(host.for, store, folder, true);
    started = await startHost(host, await placed(tree, "/"));
    if (!("missing" in started)) directory.finally(started.stop);
  });

  it("opens reports from results and by their addresses", async (context) => {
    const server = needed(context, started);
    if (browser === null) return context.skip("there is no browser");
    const origin = `http://${server.host}:${server.port}`;
    await withPage(browser, "about:blank", async (page) => {
      const complaints = watched(page, origin);
      await page.goto(`${origin}/`);
      await controlled(page);
      await page.locator("#q").fill("locked");
      await expect.poll(() => page.locator(".site h3 a").count()).toBe(1);
      await page.locator(".site h3 a").click();
      await expect.poll(() => heading(page)).toBe("locked.example");
      await page.goto(`${origin}/${SITE}`);
      expect(await heading(page)).toBe("open.example");
      const address = `/api/${SITE}/report`;
      const text = await page.evaluate(`fetch("${address}").then((reply) => reply.text())`);
      expect(text).toBe((await send(directory.runtime, address)).text);
      expect(complaints).toEqual([]);
    });
  });

  it.runIf(HAS_LOST_PAGE.includes(host.name))(
    "opens a report by its address on the first visit",
    async (context) => {
      const server = needed(context, started);
      if (browser === null) return context.skip("there is no browser");
      const address = `http://${server.host}:${server.port}/${SITE}`;
      await withPage(browser, address, async (page) => {
        await expect.poll(() => heading(page)).toBe("open.example");
        await expect.poll(() => page.evaluate("document.styleSheets.length")).toBe(2);
      });
    },
  );

  it.runIf(host.for !== "plain")("says to programs that there are no files", async (context) => {
    const server = needed(context, started);
    for (const path of [`/api/${SITE}/report`, `/${SITE}/report.md`, `/${SITE}`]) {
      const { status, text } = await send(server, path);
      expect([path, status]).toEqual([path, 404]);
      // It is not said of a listing that has a report.
      expect([path, /no report/i.test(text)]).toEqual([path, false]);
    }
  });
});
