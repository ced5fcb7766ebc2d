import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sirv from "sirv";
import { exportSite } from "../../src/export/export.js";
import { type Manifest, Manifest as ManifestSchema } from "../../src/store/format.js";
import { layout } from "../../src/store/layout.js";
import { temporaryFolder } from "../fixtures.js";
import type { Page } from "./browsers.js";
import type { Finished } from "./visits.js";

/** The kinds of trees: plain files, or with the reports in packs. */
export interface TreeKind {
  readonly isPacked: boolean;
  /** Whether reports have pages for previews of links. */
  readonly previews?: boolean;
  /** The path of the tree on its server, with slashes at both ends. */
  readonly base: string;
}

/** Exports a tree of the current snapshot for a server without a configuration. @returns the snapshot's manifest */
export async function writeTree(
  folder: string,
  store: string,
  { isPacked, previews = false, base }: TreeKind,
): Promise<Manifest> {
  const { id } = await exportSite(folder, { store, packed: isPacked, previews });
  // As for a directory whose siteUrl has this path.
  const lost = join(folder, "404.html");
  const text = await readFile(lost, "utf8");
  await writeFile(lost, text.replaceAll(/(?<= (?:href|src)=")\/(?=[^"]*")/g, base));
  return ManifestSchema.parse(JSON.parse(await readFile(layout.manifest(store, id), "utf8")));
}

/** A web server without a configuration. */
export interface TreeServer {
  readonly port: number;
  /** The paths that were asked for, relative to the tree. */
  readonly asked: string[];
  /** Decides what happens to a request. It may wait, or return false: then the file seems to be missing. */
  gate: (path: string) => Promise<boolean> | boolean;
  /** Whether it answers ranges. Python's `http.server` does not. */
  hasRanges: boolean;
  /** The paths of which parts were asked for. */
  readonly parts: string[];
}

/**
 * Serves a tree as Python's `http.server` does, at first without ranges, but with the tree's page for what is not
 * there.
 */
export async function serveTree(
  folder: string,
  base: string,
  finished: Finished,
): Promise<TreeServer> {
  const files = sirv(folder, { dev: true });
  const asked: string[] = [];
  const gate: TreeServer["gate"] = () => true;
  const parts: string[] = [];
  const tree = { port: 0, asked, gate, hasRanges: false, parts };
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "");
    const lost = async () => {
      const text = await readFile(join(folder, "404.html"));
      response.writeHead(404, { "Content-Type": "text/html; charset=utf-8" }).end(text);
    };
    if (!path.startsWith(base)) return lost();
    const own = path.slice(base.length);
    asked.push(own);
    if (!(await tree.gate(own))) return lost();
    request.url = `/${own}`;
    if (request.headers.range !== undefined) parts.push(own);
    if (!tree.hasRanges) delete request.headers.range;
    // Without this, sirv would find `x.html` for `x`.
    if (!/(?:^|\/|\.[a-z0-9]+)$/.test(own) && !own.startsWith(".well-known/")) return lost();
    return files(request, response, lost);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  finished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(tree, { port: (server.address() as AddressInfo).port });
}

/** Writes and serves a tree of a store's current snapshot. */
export async function aTree(store: string, kind: TreeKind, finished: Finished) {
  const folder = join(await temporaryFolder(finished), "tree");
  await writeTree(folder, store, kind);
  const tree = await serveTree(folder, kind.base, finished);
  return { folder, tree, root: `http://127.0.0.1:${tree.port}${kind.base}` };
}

/** The files of a tree that a page's browser keeps. */
export async function cachedFiles(page: Page): Promise<string[]> {
  const urls = await page.evaluate<string[]>(`(async () => {
    const urls = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
    }
    return urls;
  })()`);
  return urls.map((url) => url.replace(/^.*\/(?=data\/)/, "")).sort();
}
