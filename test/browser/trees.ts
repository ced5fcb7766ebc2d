import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import sirv from "sirv";
import { SCRIPTS } from "#scripts/names";
import { SERVICE_WORKER } from "#scripts/worker";
import { ASSETS } from "../../src/pages/kit/asset-texts.js";
import { fileOf } from "../../src/pages/kit/tree-addresses.js";
import { type Manifest, Manifest as ManifestSchema } from "../../src/store/format.js";
import { layout } from "../../src/store/layout.js";
import { packedFiles } from "../../src/store/packed-files.js";
import { currentId } from "../../src/store/reader.js";

type Finished = (cleanUp: () => Promise<void>) => void;

/** The kinds of trees: plain files, or with the reports in packs. */
export interface TreeKind {
  readonly isPacked: boolean;
  /** The path of the tree on its server, with slashes at both ends. */
  readonly base: string;
}

/**
 * Puts together a tree of the current snapshot, as an export for a server without a configuration does.
 * @param hosts of the reports that become pages, if the tree is not packed
 * @param server serves the same snapshot
 */
export async function writeTree(
  folder: string,
  store: string,
  server: string,
  { isPacked, base }: TreeKind,
  hosts: readonly string[] = [],
): Promise<Manifest> {
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  const marks = `data-links="files" data-search="${SCRIPTS.search.name}"${isPacked ? " data-packed" : ""}`;
  const page = async (address: string) => {
    const reply = await fetch(`${server}/${address}`, { headers: { Accept: "text/html" } });
    const text = (await reply.text()).replace("<html ", `<html ${marks} `);
    const links = /(?<= href=")((?:\.\.\/)?)((?:sites|standards|api)(?:\/[^"]*)?)(?=")/g;
    return text.replace(links, (link, up: string, to: string) =>
      isPacked && to.startsWith("sites/") ? link : up + (fileOf(to) ?? to),
    );
  };
  const pages = ["", "standards", "api", ...(isPacked ? [] : hosts.map((host) => `sites/${host}`))];
  for (const address of pages) await write(fileOf(address) ?? "", await page(address));
  await write("404.html", lostPage(base, marks));
  for (const { name, text } of ASSETS) await write(`assets/${name}`, text);
  if (isPacked) await write("worker.js", SERVICE_WORKER);
  return writeData(folder, store, isPacked, write);
}

/** The page for addresses without a file. Its links begin with the base, because it is shown at any depth. */
function lostPage(base: string, marks: string): string {
  return `<!doctype html><html lang="en" data-lost ${marks}><head><title>Not found</title>
<link rel="icon" href="data:,"><script type="module" src="${base}assets/${SCRIPTS.register.name}"></script></head>
<body><main><h1>There is no such page</h1><p data-no-worker hidden>This browser shows no reports here.</p>
<noscript>Reports need JavaScript here. <a href="${base}">To the directory</a></noscript></main></body></html>`;
}

async function writeData(
  folder: string,
  store: string,
  isPacked: boolean,
  write: (path: string, content: string | Uint8Array) => Promise<void>,
): Promise<Manifest> {
  const id = (await currentId(store)) ?? "";
  const bytes = await readFile(layout.manifest(store, id));
  const manifest = ManifestSchema.parse(JSON.parse(bytes.toString("utf8")));
  const { search, buckets } = manifest;
  for (const { file } of [...search, ...buckets.map(({ details }) => details)]) {
    await write(`data/${file}`, await readFile(join(store, file)));
  }
  for (const { file, packs } of isPacked ? packedFiles(buckets) : []) {
    const parts = await Promise.all(packs.map((pack) => readFile(join(store, pack.file))));
    await write(`data/${file}`, deflateRawSync(Buffer.concat(parts)));
  }
  await cp(layout.publicFolder(store, id), folder, { recursive: true });
  await write(`data/${id}/manifest.json`, bytes);
  await write("data/current.json", await readFile(layout.current(store)));
  return manifest;
}

/** Deletes the data files of a snapshot that the next one does not have. */
export async function deleteOld(folder: string, old: Manifest, next: Manifest): Promise<void> {
  const filesOf = ({ search, buckets }: Manifest) => [
    ...search.map(({ file }) => file),
    ...buckets.map(({ details }) => details.file),
    ...packedFiles(buckets).map(({ file }) => file),
  ];
  const kept = new Set(filesOf(next));
  for (const file of filesOf(old)) {
    if (!kept.has(file)) await rm(join(folder, "data", file), { force: true });
  }
}

/** A web server without a configuration. */
export interface TreeServer {
  readonly port: number;
  /** The paths that were asked for, relative to the tree. */
  readonly asked: string[];
  /** Decides what happens to a request. It may wait, or return false: then the file seems to be missing. */
  gate: (path: string) => Promise<boolean> | boolean;
}

/** Serves a tree as Python's `http.server` does, without ranges, but with the tree's page for what is not there. */
export async function serveTree(
  folder: string,
  base: string,
  finished: Finished,
): Promise<TreeServer> {
  const files = sirv(folder, { dev: true });
  const asked: string[] = [];
  const gate: TreeServer["gate"] = () => true;
  const tree = { port: 0, asked, gate };
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
    delete request.headers.range;
    // Without this, sirv would find `x.html` for `x`.
    if (!/(?:^|\.[a-z]+)$/.test(own) && !own.startsWith(".well-known/")) return lost();
    return files(request, response, lost);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  finished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(tree, { port: (server.address() as AddressInfo).port });
}
