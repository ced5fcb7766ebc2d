import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
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

/**
 * An emulation of GitHub Pages: `.html` may be left out, a folder is redirected to its slash, errors are `404.html`.
 */
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

interface Upload {
  readonly groups: readonly {
    readonly include: readonly string[];
    readonly contentType: string;
    readonly cacheControl: string;
  }[];
}

/** An emulation of a bucket that was filled by the upload's groups, with index.html and 404.html as its documents. */
export async function emulateS3({ tree, base }: Place): Promise<HostServer> {
  const { groups }: Upload = JSON.parse(await readFile(`${tree}.upload.json`, "utf8"));
  const uploaded = groups.flatMap(({ include, ...sent }) =>
    include.map((glob) => ({
      // As `rclone` reads it.
      pattern: new RegExp(`^${glob.replaceAll(".", "[.]").replaceAll("*", "[^/]*")}$`),
      ...sent,
    })),
  );
  const object = async (path: string) => {
    const sent = uploaded.find(({ pattern }) => pattern.test(path));
    const body = sent && (await readFile(join(tree, path)).catch(() => null));
    if (!sent || !body) return null;
    const headers = { "content-type": sent.contentType, "cache-control": sent.cacheControl };
    return { body, headers };
  };
  return startListener(async (req, res) => {
    const { pathname } = new URL(req.url ?? "/", "http://localhost");
    const path = decodeURIComponent(pathname).slice(base.length);
    const found = await object(/(?:^|[/])$/.test(path) ? `${path}index.html` : path);
    const { body, headers } = found ?? (await object("404.html")) ?? { body: "", headers: {} };
    res.writeHead(found === null ? 404 : 200, headers).end(body);
  });
}
