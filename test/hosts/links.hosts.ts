import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, chromiumPath, launch, watched, withPage } from "../browser/browsers.js";
import { send } from "../runtime/http.js";
import { crawl } from "./crawl.js";
import { aDirectory, type Directory } from "./directory.js";
import {
  belowDirectory,
  type HostCase,
  needed,
  PLAIN_HOSTS,
  RULED_HOSTS,
  type Started,
  startHost,
} from "./hosts.js";
import { filesOfTree, treeFor } from "./trees.js";

/* What readers meet on each host: links, styles, types, and what the browser's console says. */

let directory: Directory;
let browser: Browser | null = null;
beforeAll(async () => {
  directory = await aDirectory();
  const path = chromiumPath();
  if (path === null) process.stderr.write("SKIPPED, all tests with a browser: there is none\n");
  else browser = await launch(path);
});
afterAll(async () => {
  await browser?.close();
  await directory.close();
});

const places: readonly { readonly host: HostCase; readonly base: string; readonly name: string }[] =
  [
    ...PLAIN_HOSTS.flatMap((host) => [
      { host, base: "/", name: host.name },
      { host, base: "/directory/", name: `${host.name}, below a path` },
    ]),
    ...RULED_HOSTS.map((host) => ({ host, base: "/", name: `${host.name} with its rules` })),
  ];

/** Types that a browser needs, or a program expects, of a file under its own name. */
const TYPES: Readonly<Record<string, RegExp>> = {
  ".html": /^text\/html/,
  ".css": /^text\/css/,
  ".js": /^(?:text|application)\/javascript/,
  ".svg": /^image\/svg\+xml/,
  ".json": /^application\/json/,
  ".xml": /^(?:text|application)\/xml/,
  ".txt": /^text\/plain/,
};

describe.each(places)("$name", ({ host, base }) => {
  let started: Started | undefined;
  let tree = "";
  beforeAll(async () => {
    tree = await treeFor(host.for, directory.site.store, directory.site.folder, base);
    const folder = base === "/" ? tree : await belowDirectory(tree);
    started = await startHost(host, folder, base);
    if (!("missing" in started)) directory.finally(started.stop);
  });

  it("every link leads somewhere, and every page has its style", async (context) => {
    const { pages, broken, unstyled } = await crawl(needed(context, started), base);
    expect([broken, unstyled]).toEqual([[], []]);
    // The explorer, the standards, the page about the API, and the reports that they lead to.
    expect(pages.length).toBeGreaterThan(2);
  });

  it.runIf(host.for === "plain")("every file is there under its own name", async (context) => {
    const server = needed(context, started);
    // Only GitHub Pages looks for ".nojekyll", and not every server shows such a file.
    for (const path of (await filesOfTree(tree)).filter((one) => one !== ".nojekyll")) {
      const { status, bytes, headers } = await send(server, base + path);
      if (status === 301 || status === 302) continue;
      expect([path, status]).toEqual([path, 200]);
      expect([path, bytes.equals(await readFile(join(tree, path)))]).toEqual([path, true]);
      const type = TYPES[extname(path)];
      if (type !== undefined)
        expect([path, headers["content-type"]]).toEqual([path, expect.stringMatching(type)]);
    }
  });

  it("an unknown address is a 404", async (context) => {
    for (const path of ["nowhere", "sites/nowhere.example", "api/nowhere", "nowhere/at/all"]) {
      expect([path, (await send(needed(context, started), base + path)).status]).toEqual([
        path,
        404,
      ]);
    }
  });

  it("browsers open its pages, and have nothing to complain of", async (context) => {
    const server = needed(context, started);
    if (browser === null) return context.skip("there is no browser");
    const origin = `http://${server.host}:${server.port}`;
    const found: string[] = [];
    const end = host.for === "plain" ? ".html" : "";
    const names = ["", `sites/open.example${end}`, `standards${end}`, `api${end}`];
    // Not every server has a page for errors.
    for (const name of host.for === "plain" ? names : [...names, "nowhere"]) {
      await withPage(browser, "about:blank", async (page) => {
        const complaints = watched(page, origin);
        await page.goto(`${origin}${base}${name}`, {
          waitUntil: name === "" ? "networkidle" : "load",
        });
        // Until scripts search by themselves, the explorer asks for an answer that no file has.
        const isAllowed = (text: string) => ["", "nowhere"].includes(name) && /40[34]/.test(text);
        found.push(
          ...complaints.filter((text) => !isAllowed(text)).map((text) => `${name}: ${text}`),
        );
      });
    }
    expect(found).toEqual([]);
  });
});
