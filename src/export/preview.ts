import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import sirv from "sirv";
import { fileHeaders } from "./headers.js";
import { SiteRefusedError } from "./record.js";

/** A server that shows an exported tree before it is uploaded. */
export interface Preview {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** The address of all previews: other machines cannot reach it. */
export const LOOPBACK = "127.0.0.1";
/** Names that exports use for themselves, and files that only some hosts read. */
const HIDDEN = /\/\.(?!well-known\/)/;
const RANGE = /^bytes=([0-9]+)-([0-9]*)$/;

/**
 * Serves a tree on the loopback address as a static host does: pages with and without `.html`, the types and headers of
 * the table (`treeFiles`), and the page 404.html. Each request sees the files as they are then.
 * @param site the tree's folder
 * @param port 0 takes a free one
 * @throws SiteRefusedError if it is not a folder; an error of the system if the port is not available
 */
export async function previewSite(site: string, port: number): Promise<Preview> {
  const root = resolve(site);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SiteRefusedError(
      `${site} is not a folder; write a tree with: crawldex export ${site}`,
    );
  }
  const lost = (_: IncomingMessage, res: ServerResponse) => sendLost(root, res);
  // In its other mode, sirv would know only the files that exist at the start.
  const files = sirv(root, {
    dev: true,
    etag: true,
    extensions: ["html", "json"],
    onNoMatch: lost,
  });
  const server = createServer((req, res) => serveFile(req, res, files, root)).listen(
    port,
    LOOPBACK,
  );
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { url: `http://${LOOPBACK}:${bound}`, port: bound, close };
}

function serveFile(
  req: IncomingMessage,
  res: ServerResponse,
  files: ReturnType<typeof sirv>,
  root: string,
): void {
  // If an export rewrites the file meanwhile, its length may differ from the one that sirv announced: the end of the
  // connection then ends the answer.
  res.shouldKeepAlive = false;
  res.on("pipe", (file) => file.on("error", () => res.destroy()));
  if (req.method !== "GET" && req.method !== "HEAD") {
    res.writeHead(405, { Allow: "GET, HEAD", "Content-Type": "text/plain; charset=utf-8" });
    res.end("Only GET and HEAD requests are answered.\n");
    return;
  }
  const path = requestPath(req.url ?? "/");
  if (path === null || HIDDEN.test(path)) {
    sendLost(root, res);
    return;
  }
  // sirv fails on a range that ends before it begins.
  const [, first, last] = RANGE.exec(req.headers.range ?? "") ?? [];
  if (first === undefined || (last !== "" && Number(last) < Number(first)))
    delete req.headers.range;
  // sirv sends these headers instead of its own, also in a 304.
  for (const [name, value] of Object.entries(fileHeaders(path.slice(1))))
    res.setHeader(name, value);
  try {
    files(req, res);
  } catch {
    // The file was deleted after sirv had found it.
    sendLost(root, res);
  }
}

/** The decoded path of a request; null if it cannot be decoded. */
function requestPath(target: string): string | null {
  try {
    return decodeURI(target.split("?", 1)[0] ?? "");
  } catch {
    return null;
  }
}

/** Sends the tree's 404 page. */
function sendLost(root: string, res: ServerResponse): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  let page = Buffer.from("");
  try {
    page = readFileSync(join(root, "404.html"));
  } catch {
    // A tree that has only the API has no such page.
  }
  const headers = { ...fileHeaders("404.html"), "Content-Length": page.length };
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  res.writeHead(404, headers).end(page);
}
