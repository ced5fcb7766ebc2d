import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { type Reply, send } from "../runtime/http.js";
import type { HostServer } from "./servers/started.js";

const PAGES_MAX = 300;
const REDIRECTS_MAX = 3;

/** What a crawl of a host has found, all with paths as they were asked for. */
export interface Crawl {
  readonly pages: readonly string[];
  /** Links that do not answer 200, with the pages that have them. */
  readonly broken: readonly string[];
  /** Pages without a stylesheet that is there and typed as one. */
  readonly unstyled: readonly string[];
}

/** Follows all relative links of pages from an address on, as a browser resolves them. */
export async function crawl(server: HostServer, start: string): Promise<Crawl> {
  const known = new Map<string, Promise<{ url: URL; reply: Reply }>>();
  const ask = (path: string) => {
    const reply = known.get(path) ?? follow(server, path);
    known.set(path, reply);
    return reply;
  };
  const pages: string[] = [];
  const broken: string[] = [];
  const unstyled: string[] = [];
  const open = [start];
  const seen = new Set(open);
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const { url, reply } = await ask(path);
    if (reply.status !== 200 || !isHtml(reply)) continue;
    pages.push(path);
    let styles = 0;
    for (const { link, isStyle } of linksOf(reply.text)) {
      const target = new URL(link, url);
      if (target.origin !== url.origin) continue;
      const next = target.pathname + target.search;
      const found = await ask(next);
      if (found.reply.status !== 200) broken.push(`${path}: ${link} is ${found.reply.status}`);
      if (isStyle && /^text\/css/.test(found.reply.headers["content-type"] ?? "")) styles += 1;
      if (seen.has(next) || seen.size >= PAGES_MAX) continue;
      seen.add(next);
      open.push(next);
    }
    // A page that leads on at once needs none.
    if (styles === 0 && !reply.text.includes('http-equiv="refresh"')) unstyled.push(path);
  }
  return { pages, broken, unstyled };
}

const isHtml = (reply: Reply) => /^text\/html/.test(reply.headers["content-type"] ?? "");

async function follow(server: HostServer, path: string): Promise<{ url: URL; reply: Reply }> {
  let url = new URL(path, `http://${server.host}:${server.port}`);
  let reply = await send(server, url.pathname + url.search, { headers: { accept: "text/html" } });
  for (let hops = 0; hops < REDIRECTS_MAX && reply.headers.location !== undefined; hops += 1) {
    url = new URL(reply.headers.location, url);
    reply = await send(server, url.pathname + url.search, { headers: { accept: "text/html" } });
  }
  return { url, reply };
}

interface Link {
  readonly link: string;
  readonly isStyle: boolean;
}

function linksOf(page: string): Link[] {
  const links: Link[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ("attrs" in node) {
      const value = (name: string) => node.attrs.find((one) => one.name === name)?.value;
      const rel = value("rel") ?? "";
      const link = value("src") ?? (rel === "canonical" ? undefined : value("href"));
      if (link !== undefined) links.push({ link, isStyle: rel === "stylesheet" });
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(page));
  return links;
}
