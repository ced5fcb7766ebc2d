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
  const known = new Map<string, ReturnType<typeof follow>>();
  const ask = (path: string) => {
    const reply = known.get(path) ?? follow(server, path);
    known.set(path, reply);
    return reply;
  };
  const found = { pages: [] as string[], broken: [] as string[], unstyled: [] as string[] };
  const open = [start];
  const seen = new Set(open);
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const { url, reply } = await ask(path);
    if (reply.status !== 200 || !isHtml(reply)) continue;
    found.pages.push(path);
    const links = linksOf(reply.text, url);
    const replies = await Promise.all(links.map(async ({ next }) => (await ask(next)).reply));
    const lost = links.filter((_, at) => replies[at]?.status !== 200);
    found.broken.push(...lost.map(({ next }) => `${path} leads to ${next}`));
    const isStyled = links.some(({ isStyle }, at) => isStyle && isCss(replies[at]));
    // A page that leads on at once needs no style.
    if (!isStyled && !reply.text.includes('http-equiv="refresh"')) found.unstyled.push(path);
    for (const { next } of links) {
      if (seen.size < PAGES_MAX && !seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return found;
}

const isCss = (reply: Reply | undefined) => /^text\/css/.test(reply?.headers["content-type"] ?? "");
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
  /** The path that it leads to, with its query. */
  readonly next: string;
  readonly isStyle: boolean;
}

/** The links of a page that stay on its host. */
function linksOf(page: string, url: URL): Link[] {
  const links: Link[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ("attrs" in node) {
      const value = (name: string) => node.attrs.find((one) => one.name === name)?.value;
      const rel = value("rel") ?? "";
      const link = value("src") ?? (rel === "canonical" ? undefined : value("href"));
      const target = link === undefined ? null : new URL(link, url);
      if (target?.origin === url.origin) {
        links.push({ next: target.pathname + target.search, isStyle: rel === "stylesheet" });
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(page));
  return links;
}
