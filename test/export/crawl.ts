import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256, treeOf } from "../store/trees.js";

/** Texts whose links are followed: pages, their Markdown, sitemaps, feeds and the overview for language models. */
const LINKING = /^(?!data\/|404\.html)(?:.*\.(?:html|md|xml)|feed.*\.json|llms\.txt|robots\.txt)$/;
/** Links of HTML, which are relative. */
const RELATIVE = /<(?:a|link|script|img|form)\b[^<>]*?\s(?:href|src|action)="([^"]*)"/g;
/** An id is no link: it names an entry of a feed for ever. */
const IDS = /<id>[^<]*<\/id>|"id":"[^"]*"/g;

/**
 * Asks a server of a tree for all links of all texts of it, relative and absolute, canonical ones too.
 * @param origin where the tree is served, and `siteUrl` where it is published, without a slash at their ends
 * @returns those that do not answer 200, each with a file that has it
 */
export async function brokenLinks(root: string, origin: string, siteUrl: string) {
  const targets = new Map<string, string>();
  const absolute = new RegExp(`${siteUrl.replaceAll(".", "\\.")}(/[^\\s"'<>()&;#\`\\\\]*)`, "g");
  const names = Object.keys(await treeOf(root)).filter((name) => LINKING.test(name));
  for (const name of names) {
    const text = (await readFile(join(root, name), "utf8")).replace(IDS, "");
    const relative = name.endsWith(".html") ? [...text.matchAll(RELATIVE)] : [];
    const refresh = [...text.matchAll(/content="0; url=([^"]*)"/g)];
    for (const [, link = ""] of [...relative, ...refresh]) {
      // It leads to its own page, whatever the address of that is.
      if (/^[#?]/.test(link)) continue;
      const { href } = new URL(link.replaceAll("&amp;", "&"), `${origin}/${name}`);
      if (href.startsWith(`${origin}/`)) targets.set(href.slice(origin.length), name);
    }
    for (const [, path = ""] of text.matchAll(absolute)) {
      // Patterns for a reader to fill in.
      if (!path.includes("{")) targets.set(path, name);
    }
  }
  const broken: string[] = [];
  for (const [path, name] of targets) {
    const { status } = await fetch(origin + path, { redirect: "manual" });
    if (status !== 200) broken.push(`${status} ${path} in ${name}`);
  }
  return { broken, count: targets.size };
}

/** Answers of the API, assets and images: files have their bytes. */
const IS_SAME = /^(?:api|\.well-known|assets|data|changes)\/.*(?<!\.html)$|\.(?:ico|png)$/;
const LINK = /(<(?:a|link|script|img|form)\b[^<>]*?)\s(?:href|src|action)="[^"]*"/g;

/**
 * The digest of a file. Texts count without their links and without what tells their scripts of the tree, which differ
 * between a server and files: `brokenLinks` follows the links.
 */
export function digestOf(path: string, bytes: Buffer, siteUrl: string): string {
  if (IS_SAME.test(path)) return sha256(bytes);
  const text = bytes
    .toString("utf8")
    .replace(/<html lang="en"[^>]*>/, "")
    .replace(LINK, "$1")
    .replace(new RegExp(`${siteUrl}/[^\\s"'<>()&;#\`]*`, "g"), "");
  return sha256(Buffer.from(text));
}
