import { SCRIPTS } from "#scripts/names";
import { fileOf } from "../pages/kit/page-names.js";
import { type PageName, pageHeaders } from "../pages/kit/routes.js";
import type { TreeLayout } from "./layout.js";

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
/** Only for `URL`, which resolves no relative address without one. */
const ORIGIN = "https://tree.invalid/";
/** The most links whose new form is remembered. Most links of a page are on all pages. */
const REMEMBERED_MAX = 2_000;

/**
 * Fits pages of the runtime into a tree: their links, if its host serves files under their own names, their search, and
 * their policy.
 */
export class LinkRewriter {
  readonly #layout: TreeLayout;
  readonly #marks: string;
  readonly #known = new Map<string, string>();

  constructor(layout: TreeLayout) {
    this.#layout = layout;
    const { links, isPacked } = layout;
    const named = links === "addresses" ? "" : ` data-links="${links}"`;
    this.#marks = `${named} data-search="${SCRIPTS.search.name}"${isPacked ? " data-packed" : ""}`;
  }

  /** Tells the scripts of a page that it is in a tree. */
  mark(page: string): string {
    return page.replace("<html ", `<html${this.#marks} `);
  }

  /** Rewrites and marks a page of the directory. Its scripts search. */
  guide(page: string, address: string, file: string): string {
    const { links } = this.#layout;
    return links === "addresses" ? this.mark(page) : this.rewrite(page, address, file);
  }

  /**
   * Like `guide`, for a page that appears at addresses of any depth. @param page HTML with links that are relative to `/`
   * @param base the path that the links of the result begin with
   */
  rooted(page: string, file: string, base: string): string {
    return this.guide(page, "", file).replace(NAMING, (all, before, name, link) =>
      ABSOLUTE.test(link) ? all : `${before}${name}="${base}${link.replace(/^\.\//, "")}"`,
    );
  }

  /** Like `rewrite`, for a page without a script that leads to reports: a packed tree needs its worker for them. */
  listing(page: string, address: string, file: string): string {
    if (!this.#layout.isPacked) return this.rewrite(page, address, file);
    const script = `<script type="module" src="../assets/${SCRIPTS.register.name}"></script>`;
    return this.guide(page.replace("</head>", `${script}\n</head>`), address, file);
  }

  /**
   * Rewrites a page. On a host with rules, it stays as the runtime has it.
   * @param page HTML with links that are relative to `address`
   * @param address the page's address, and `file` its path, both relative to the root of the tree
   */
  rewrite(page: string, address: string, file: string): string {
    const { links } = this.#layout;
    if (links === "addresses") return page;
    const folder = file.replace(LAST_SEGMENT, "");
    const place = address.replace(LAST_SEGMENT, "");
    const rewritten = page.replace(NAMING, (all, before: string, name: string, link: string) => {
      if (ABSOLUTE.test(link)) return all;
      const next = this.#rewritten(link, address, place, folder);
      return next === null ? before.trimEnd() : `${before}${name}="${next}"`;
    });
    return this.protect(this.mark(rewritten.replace(LEADS_NOWHERE, "")), file);
  }

  /** Gives a page its policy, if no header does. @param file the page's path */
  protect(page: string, file: string): string {
    if (!this.#layout.isBare) return page;
    const hasListings = file === "index.html" || file.startsWith("categories/");
    const policy = hasListings ? LISTING_POLICY : PAGE_POLICY;
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    return page.replace(CHARSET, `${CHARSET}\n${meta}`);
  }

  /** @returns null if the tree has no file for it */
  #rewritten(link: string, address: string, place: string, folder: string): string | null {
    const key = `${place} ${folder} ${link}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { pathname, search, hash } = new URL(link.replaceAll("&amp;", "&"), ORIGIN + address);
    const path = decodeURI(pathname).slice(1);
    const target = path === "" ? "" : this.#fileOf(path + search);
    if (target === null) return null;
    const kept = path === "" ? search.replaceAll("&", "&amp;") : "";
    const next = `${relativePath(folder, target)}${kept}${hash}`;
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(key, next);
    return next;
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
