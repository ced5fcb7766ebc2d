import { SCRIPTS } from "#scripts/names";
import { fileOf } from "../../src/pages/kit/page-names.js";
import { type PageName, pageHeaders } from "../../src/pages/kit/routes.js";
import type { TreeLayout } from "../../src/site/layout.js";

/** The attributes of a page's tags that name other files. A tag's `<` is never a character of a text. */
const NAMING = /(<(?:a|link|script|img|form)\b[^<>]*?\s)(href|src|action)="([^"]*)"/g;
/** A `link` without the address of the file that the tree does not have. An `a` without one is only its text. */
const LEADS_NOWHERE = /<link\b(?![^<>]*\shref=)[^<>]*>\n?/g;
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
const LAST_SEGMENT = /(?<![^/])[^/]*$/;
const CHARSET = '<meta charset="utf-8">';
/** A meta element cannot forbid frames. */
const policyOf = (name: PageName) =>
  pageHeaders(name, "", "", false)["Content-Security-Policy"]?.replace(
    /; frame-ancestors [^;]*/,
    "",
  );
const PAGE_POLICY = policyOf("page");
const LISTING_POLICY = policyOf("explorer");
/** What is before an absolute address that is a link, and no part of a sentence or the id of a feed. */
const BEFORE = '(?<=["(<>;`])(?<!<id>|"id":")';
const PAGE =
  "(?:standards\\b|changes\\b|api\\b|categories\\b|compare\\b|sites/|matrix/|tables/|checks/|figures/)";
/** Only for `URL`, which resolves no relative address without one. */
const ORIGIN = "https://tree.invalid/";

/**
 * Fits texts of a server into a tree, by regular expressions: a second way to the texts that an export writes. It changes their
 * links, relative and absolute, and the search and the policy of pages.
 */
export class LinkRewriter {
  readonly #layout: TreeLayout;
  readonly #marks: string;
  readonly #absolute: RegExp;

  /** @param siteUrl the address at which the tree is published, without a slash at its end */
  constructor(layout: TreeLayout, siteUrl: string) {
    this.#layout = layout;
    const { links, isPacked } = layout;
    this.#marks = ` data-links="${links}" data-search="${SCRIPTS.search.name}"${isPacked ? " data-packed" : ""}`;
    const site = siteUrl.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    this.#absolute = new RegExp(`${BEFORE}(${site}/)(${PAGE}[^\\s"'<>()&;#\`]*)`, "gm");
  }

  /**
   * Rewrites the absolute addresses of a text to those that the tree's host answers: links of HTML, Markdown and XML,
   * and strings of JSON. The ids of feeds stay as they are, so that readers know an entry again.
   */
  absolute(text: string): string {
    return text.replace(this.#absolute, (all, site: string, address: string) => {
      const file = this.#fileOf(address);
      return file === null ? all : site + file;
    });
  }

  /**
   * Rewrites a page of the runtime: its links, its canonical address, its policy, and what tells its scripts that they
   * are in a tree.
   * @param page HTML with links that are relative to `address`
   * @param address the page's address, and `file` its path, both relative to the root of the tree
   */
  rewrite(page: string, address: string, file: string): string {
    const folder = file.replace(LAST_SEGMENT, "");
    const rewritten = page.replace(NAMING, (all, before: string, name: string, link: string) => {
      // Of a page but the explorer, a query alone is the page itself.
      if (ABSOLUTE.test(link) || (address !== "" && link.startsWith("?"))) return all;
      const next = this.#rewritten(link, address, folder);
      return next === null ? before.trimEnd() : `${before}${name}="${next}"`;
    });
    const marked = rewritten
      .replace(LEADS_NOWHERE, "")
      .replace('<html lang="en"', `$&${this.#marks}`);
    return this.protect(this.absolute(marked), file);
  }

  /** Gives a page its policy, if no header does. @param file the page's path */
  protect(page: string, file: string): string {
    if (this.#layout.links !== "files") return page;
    const hasListings = file === "index.html" || file.startsWith("categories/");
    const policy = hasListings ? LISTING_POLICY : PAGE_POLICY;
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    return page.replace(CHARSET, `${CHARSET}\n${meta}`);
  }

  /** @returns null if the tree has no file for it */
  #rewritten(link: string, address: string, folder: string): string | null {
    const { pathname, search, hash } = new URL(link.replaceAll("&amp;", "&"), ORIGIN + address);
    const path = decodeURI(pathname).slice(1);
    const target = path === "" ? "" : this.#fileOf(path + search);
    if (target === null) return null;
    const kept = ["", "compare"].includes(path) ? search.replaceAll("&", "&amp;") : "";
    return `${relativePath(folder, target)}${kept}${hash}`;
  }

  #fileOf(address: string): string | null {
    const { links, hasAnswers, isPacked, hasPages } = this.#layout;
    const isAnswer = /^api\/sites(?:[/?]|$)/.test(address);
    const isReport = address.startsWith("sites/");
    if ((isAnswer && !hasAnswers) || (isReport && !hasPages)) return isPacked ? address : null;
    const file = fileOf(address);
    return links === "clean" ? (file?.replace(/\.html$/, "") ?? null) : file;
  }
}

/** The relative link from a folder, "" or with a slash at its end, to a path. "" is the root. */
function relativePath(folder: string, target: string): string {
  const from = folder.split("/").slice(0, -1);
  const to = target.split("/");
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  const up = "../".repeat(from.length - shared);
  const down = to.slice(shared).map(encodeURIComponent).join("/");
  return up + down === "" ? "./" : up + down;
}
