import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { runInNewContext } from "node:vm";
import type { Place } from "../hosts.js";
import { type HostServer, startListener } from "./started.js";

/* Hosts that cannot run here. These functions follow their documentation, and prove no more than that. */

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "application/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".xml": "application/xml",
};

/** An emulation of GitHub Pages: `.html` may be left out, a folder is redirected to its slash, errors are `404.html`. */
export function emulateGitHubPages({ folder, base }: Place): Promise<HostServer> {
  const read = (path: string) => readFile(join(folder, path)).catch(() => null);
  return startListener(async (req, res) => {
    const { pathname, search } = new URL(req.url ?? "/", "http://localhost");
    const path = decodeURIComponent(pathname);
    const names = path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`];
    for (const name of names) {
      const body = await read(name);
      if (body === null) continue;
      const headers = {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        "access-control-allow-origin": "*",
        "cache-control": "max-age=600",
      };
      res.writeHead(200, headers).end(body);
      return;
    }
    if ((await read(`${path}/index.html`)) !== null) {
      res.writeHead(301, { location: `${pathname}/${search}` }).end();
      return;
    }
    const lost = (await read(`${base}404.html`)) ?? "not found";
    res.writeHead(404, { "content-type": TYPES[".html"] }).end(lost);
  });
}

/** As much as is used of CloudFront's function and its events. */
interface Message {
  readonly statusCode?: number;
  readonly uri?: string;
  readonly headers: Record<string, { value: string }>;
  readonly body?: { readonly data: string };
}
type Handler = (event: object) => Message;

interface Upload {
  readonly groups: readonly {
    readonly include: readonly string[];
    readonly contentType: string;
    readonly cacheControl: string;
  }[];
}

/** A pattern of an upload's files, as `rclone` reads it. */
export function globPattern(glob: string): RegExp {
  const text = glob
    .replace(/[.]/g, "\\.")
    .replace(/\*+/g, (stars) => (stars === "**" ? ".*" : "[^/]*"));
  return new RegExp(`^${text}$`);
}

/** An emulation of a bucket that was filled by the manifest, behind CloudFront with the function of an export. */
export async function emulateCloudFront({ tree, base }: Place): Promise<HostServer> {
  const code = await readFile(`${tree}.cloudfront.js`, "utf8");
  const handler: Handler = runInNewContext(`${code}; handler`);
  const { groups }: Upload = JSON.parse(await readFile(`${tree}.upload.json`, "utf8"));
  const uploaded = groups.flatMap(({ include, ...sent }) =>
    include.map((glob) => ({ pattern: globPattern(glob), ...sent })),
  );
  const fromBucket = async (path: string) => {
    const sent = uploaded.find(({ pattern }) => pattern.test(path));
    const body = sent && (await readFile(join(tree, path)).catch(() => null));
    if (!sent || !body) return null;
    const headers = { "content-type": sent.contentType, "cache-control": sent.cacheControl };
    return { body, headers };
  };
  return startListener(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://localhost");
    const parts = (all: Iterable<[string, unknown]>) =>
      Object.fromEntries([...all].map(([name, value]) => [name, { value: String(value) }]));
    const request = {
      method: req.method,
      uri: pathname,
      querystring: parts(searchParams),
      headers: parts(Object.entries(req.headers)),
    };
    const next = handler({ context: { eventType: "viewer-request" }, request });
    if (next.statusCode !== undefined) {
      const headers = Object.entries(next.headers).map(([name, { value }]) => [name, value]);
      res.writeHead(next.statusCode, Object.fromEntries(headers)).end(next.body?.data);
      return;
    }
    const found = await fromBucket(decodeURIComponent(next.uri ?? "").slice(base.length));
    // The distribution has the page 404.html for errors. They do not go through the function again.
    const { body, headers } = found ?? (await fromBucket("404.html")) ?? { body: "", headers: {} };
    if (found === null) {
      res.writeHead(404, headers).end(body);
      return;
    }
    const response = { statusCode: 200, headers: parts(Object.entries(headers)) };
    const last = handler({ context: { eventType: "viewer-response" }, request: next, response });
    const sent = Object.entries(last.headers).map(([name, { value }]) => [name, value]);
    res.writeHead(200, Object.fromEntries(sent)).end(body);
  });
}
