import { once } from "node:events";
import fs from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { exportSite } from "../../src/export/export.js";
import { fileHeaders } from "../../src/export/headers.js";
import { type Preview, previewSite } from "../../src/export/preview.js";
import { SiteRefusedError } from "../../src/export/record.js";
import { send } from "../server/http.js";
import { treeOf } from "../store/trees.js";
import { brokenLinks } from "./crawl.js";
import { aSite, type Site, variedListings } from "./sites.js";

const cleanUps: (() => Promise<void>)[] = [];
const DIRECTORY = "public, max-age=0, s-maxage=60, must-revalidate";
const SITE = "https://directory.example";
let site: Site;
/** A tree whose links name files, and one whose links have no endings. */
let plain: Preview;
let clean: Preview;
let cleanTree: string;

beforeAll(async () => {
  site = await aSite(variedListings(), {}, (cleanUp) => cleanUps.unshift(cleanUp));
  await site.export({ for: "plain" });
  cleanTree = join(site.folder, "clean");
  await exportSite(cleanTree, { store: site.store, for: "netlify" });
  plain = await previewSite(site.site, 0);
  clean = await previewSite(cleanTree, 0);
  cleanUps.unshift(plain.close, clean.close);
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const ask = (server: Preview, path: string, sent?: Parameters<typeof send>[2]) =>
  send({ host: "127.0.0.1", port: server.port }, path, sent);

describe("every link and every canonical address of a tree answers 200", () => {
  it("in a preview, with the names of files and without their endings", async () => {
    for (const [tree, { url }] of [
      [site.site, plain],
      [cleanTree, clean],
    ] as const) {
      const { broken, count } = await brokenLinks(tree, url, SITE);
      expect([tree, broken]).toEqual([tree, []]);
      expect(count).toBeGreaterThan(110);
    }
  });

  it("names the page of a host that ends in .html, not that of another host", async () => {
    const canonical = async (tree: string, path: string) =>
      /rel="canonical" href="([^"]*)"/.exec(await readFile(join(tree, path), "utf8"))?.[1];
    expect(await canonical(site.site, "sites/x.json.html_.html")).toBe(
      `${SITE}/sites/x.json.html_.html`,
    );
    expect(await canonical(site.site, "sites/x.json.html.html").catch(() => null)).toBeNull();
    expect(await canonical(cleanTree, "sites/x.json.html_.html")).toBe(
      `${SITE}/sites/x.json.html_`,
    );
    expect(await canonical(cleanTree, "sites/x.json.html")).toBe(`${SITE}/sites/x.json`);
    expect(await canonical(site.site, "sites/open.example/scans/old.html")).toBe(
      `${SITE}/sites/open.example.html`,
    );
  });
});

describe("a preview", () => {
  it("sends each file of the tree with the type and the headers of the table", async () => {
    const names = Object.keys(await treeOf(site.site)).filter((name) => name !== ".nojekyll");
    for (const name of names) {
      const { status, bytes, headers } = await ask(plain, `/${name}`);
      expect([name, status, bytes.equals(await readFile(join(site.site, name)))]).toEqual([
        name,
        200,
        true,
      ]);
      const sent = Object.keys(fileHeaders(name)).map((key) => [key, headers[key.toLowerCase()]]);
      expect([name, Object.fromEntries(sent)]).toEqual([name, fileHeaders(name)]);
    }
  });

  it("finds pages, and answers of the API, without their endings", async () => {
    for (const [address, file] of [
      ["/", "index.html"],
      ["/standards?x=1", "standards.html"],
      ["/api", "api.html"],
      ["/sites/open.example", "sites/open.example.html"],
      ["/sites/x.json", "sites/x.json.html"],
      ["/sites/%6fpen.example", "sites/open.example.html"],
      ["/api/sites/open.example/report", "api/sites/open.example/report.json"],
    ] as const) {
      const { status, text, headers } = await ask(clean, address);
      expect([address, status, text]).toEqual([
        address,
        200,
        await readFile(join(cleanTree, file), "utf8"),
      ]);
      expect(headers["content-type"]).toBe(fileHeaders(file)["Content-Type"]);
    }
  });

  it.each([
    ..."/nowhere /sites/nowhere.example /assets/ /../clean.crawldex.json".split(" "),
    ..."/%2e%2e/clean.crawldex.json /%zz /.crawldex.lock /_headers/..%2f /sites/.x".split(" "),
  ])("answers %s with the tree's own page and 404", async (path) => {
    const { status, text, headers } = await ask(clean, path);
    expect([status, text]).toEqual([404, await readFile(join(cleanTree, "404.html"), "utf8")]);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-security-policy"]).toBe(
      fileHeaders("404.html")["Content-Security-Policy"],
    );
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])("answers %s with 405", async (method) => {
    const { status, headers } = await ask(plain, "/", { method });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  it("answers HEAD without a body, a conditional read with 304, and a range with 206", async () => {
    const full = await ask(plain, "/standards.html");
    const head = await ask(plain, "/standards.html", { method: "HEAD" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([
      200,
      "",
      String(full.bytes.length),
    ]);
    const same = await ask(plain, "/standards.html", {
      headers: { "if-none-match": String(full.headers.etag) },
    });
    expect([same.status, same.text, same.headers["cache-control"]]).toEqual([304, "", DIRECTORY]);
    const other = await ask(plain, "/standards.html", { headers: { "if-none-match": 'W/"1-1"' } });
    expect(other.status).toBe(200);
    const range = await ask(plain, "/standards.html", { headers: { range: "bytes=2-5" } });
    expect([range.status, range.text]).toEqual([206, full.text.slice(2, 6)]);
    for (const value of ["bytes=5-2", "bytes=-5", "lines=1-2", "bytes=0-1,4-5"]) {
      const whole = await ask(plain, "/standards.html", { headers: { range: value } });
      expect([value, whole.status, whole.text]).toEqual([value, 200, full.text]);
    }
    const beyond = await ask(plain, "/standards.html", { headers: { range: "bytes=9999999-" } });
    expect(beyond.status).toBe(416);
  });

  it("shows no file whose name begins with a dot, except in .well-known", async () => {
    await writeFile(join(cleanTree, ".new-file"), "unfinished");
    for (const path of ["/.new-file", "/%2enew-file"]) {
      const { status, text } = await ask(clean, path);
      expect([path, status, text.includes("unfinished")]).toEqual([path, 404, false]);
    }
    expect((await ask(clean, "/.well-known/api-catalog")).status).toBe(200);
    await rm(join(cleanTree, ".new-file"));
  });

  it("sees files that are added, rewritten and deleted, and goes on", async () => {
    const path = join(site.site, "robots.txt");
    const before = await readFile(path);
    await writeFile(path, "changed, and longer than before".repeat(100));
    expect((await ask(plain, "/robots.txt")).text).toMatch(/^changed/);
    await rm(path);
    expect((await ask(plain, "/robots.txt")).status).toBe(404);
    await writeFile(path, before);
    expect((await ask(plain, "/robots.txt")).text).toBe(before.toString());
  });

  it("outlives a file that is deleted or cut off between two calls of the system", async () => {
    const path = join(site.site, "llms.txt");
    const before = await readFile(path);
    const stat = fs.statSync;
    const damages = [
      () => fs.rmSync(path),
      () => fs.truncateSync(path, 10),
      () => fs.appendFileSync(path, "more"),
    ];
    for (const damage of damages) {
      const spy = vi.spyOn(fs, "statSync").mockImplementationOnce(((
        ...args: Parameters<typeof stat>
      ) => {
        const found = stat(...args);
        damage();
        return found;
      }) as typeof stat);
      syncBuiltinESMExports();
      const reply = await ask(plain, "/llms.txt").catch((error: Error) => error);
      spy.mockRestore();
      syncBuiltinESMExports();
      // A client sees that the answer is not whole, or gets as much as was announced.
      if (!(reply instanceof Error)) expect(reply.text).toBe(before.toString());
      await writeFile(path, before);
      expect((await ask(plain, "/llms.txt")).text).toBe(before.toString());
    }
  });

  it("refuses what is no folder, and a port that is in use", async () => {
    await expect(previewSite(join(site.folder, "none"), 0)).rejects.toThrow(SiteRefusedError);
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(previewSite(site.site, port)).rejects.toThrow("EADDRINUSE");
    taken.close();
  });
});
