import { SCRIPTS } from "#scripts/names";
import { Html, html } from "./html.js";
import type { LinkedContext, PageContext } from "./page-context.js";
import { FEEDS, fileOf } from "./page-names.js";
import { PAGE_POLICY } from "./routes.js";

/*
 * How pages name other addresses. A server has an answer at each address. A tree of files has most of them in files,
 * and names these. Addresses are relative to `/`: a path, a query and a fragment, such as `standards#checks`.
 */

/** What pages must know about the tree of files that they are in. */
export interface TreeLinks {
  /**
   * Links name files (`files`), or files without `.html`, which the host has to find (`clean`). With `files`, hosts
   * send none of our headers, so pages carry their policy themselves.
   */
  readonly links: "files" | "clean";
  /** Whether a script answers addresses without a file. */
  readonly isPacked: boolean;
  /** Whether each report is a page. */
  readonly hasPages: boolean;
  /** Whether each answer of the API is a file. */
  readonly hasAnswers: boolean;
  /** The paths of the files that each search reads first, the manifest before all others. */
  readonly start?: readonly string[];
}

type Place = Pick<PageContext, "tree">;

/** Writes the link from a page to an address. */
export type LinkTo = (address: string) => string;

/** The form of an address in links; null if nothing is there. @param address a path, perhaps with a query */
function nameInPlace(address: string, { tree }: Place): string | null {
  if (tree === undefined || address === "") return address;
  const { links, isPacked, hasPages, hasAnswers } = tree;
  const isLeftOut = address.startsWith("sites/")
    ? !hasPages
    : !hasAnswers && /^api\/sites(?:[/?]|$)/.test(address);
  if (isLeftOut) return isPacked ? address : null;
  const file = fileOf(address);
  return links === "clean" ? (file?.replace(/\.html$/, "") ?? null) : file;
}

/** Whether an address has an answer, or a file. */
export function hasAnswer(address: string, place: Place): boolean {
  return nameInPlace(address, place) !== null;
}

/**
 * The page that readers can ask for with several sites; null if there is none. It reads their reports, so in a tree,
 * these must be answers of the API.
 */
export function sitesPage(place: Pick<PageContext, "tree" | "pages">) {
  const page = place.pages?.find(({ ofSites }) => ofSites !== undefined);
  if (page?.ofSites === undefined || !hasAnswer("api/sites/a.example/report", place)) return null;
  return { name: page.name, address: page.path.slice(1), ...page.ofSites };
}

/** The page of all changes, and their feed; null if the directory has none. */
export function changesPlace({
  pages = [],
  extensions,
}: Pick<PageContext, "pages" | "extensions">) {
  const page = pages.find(({ searchFeed }) => searchFeed !== undefined);
  if (page?.searchFeed === undefined || extensions === false) return null;
  return { page: page.path.slice(1), feed: page.searchFeed };
}

/** How to follow all changes; null if the directory has no feeds of them. */
export function subscribeLink(context: LinkedContext): Html | null {
  if (changesPlace(context) === null) return null;
  return html`<p class="near"><a href="${context.to(`${FEEDS}#changes`)}">Subscribe to all changes</a></p>`;
}

/** The links of the page at an address. They are relative, so that they work under any base address. */
export function linksFrom(page: string, place: Place): LinkTo {
  const from = place.tree === undefined ? page.replace(/\?.*/, "") : (fileOf(page) ?? page);
  const folders = from.split("/").slice(0, -1);
  return (address) => {
    // The page itself, with another fragment or query. In a tree, a host may serve its file under two names.
    const isOwn = address.startsWith(place.tree === undefined ? "?" : "#");
    if (page === "" && (isOwn || address.startsWith("#"))) return address;
    // A query belongs to the name of its path, except for the query of the root.
    const at = address.startsWith("?") ? 0 : address.indexOf("#");
    const [path, rest] = at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at)];
    const to = (nameInPlace(path, place) ?? path).split("/");
    let shared = 0;
    while (shared < folders.length && shared < to.length - 1 && folders[shared] === to[shared]) {
      shared += 1;
    }
    const link = "../".repeat(folders.length - shared) + to.slice(shared).join("/");
    return `${link || "./"}${rest}`;
  };
}

/** The context of the page at an address. */
export function linkedFrom(address: string, place: PageContext): LinkedContext {
  return { ...place, to: linksFrom(address, place) };
}

/** The path of `/` where a directory is published, with a slash at its end. */
export function rootPathOf({ siteUrl }: Pick<PageContext, "siteUrl">): string {
  return new URL(siteUrl).pathname.replace(/(?<!\/)\/*$/, "/");
}

/** The links of a page that appears at addresses of any depth. @param root the path to `/`, with a slash at its end */
export function rootedLinks(root: string, place: Place = {}): LinkTo {
  return (address) => `${root}${nameInPlace(address, place) ?? address}` || "./";
}

/** An address for other sites. */
export function absoluteLink(
  address: string,
  context: Pick<PageContext, "siteUrl" | "tree">,
): string {
  return `${context.siteUrl}/${nameInPlace(address, context) ?? address}`;
}

/** Like `absoluteLink`, for a read of the API. */
export function apiLink(address: string, context: PageContext): string {
  const { baseUrl, siteUrl } = context;
  return baseUrl === siteUrl ? absoluteLink(address, context) : `${baseUrl}/${address}`;
}

/** The attributes of a page's root element by which its scripts know that it is in a tree (`browser/tree.ts`). */
export function treeMarks({ tree }: Place): Html | null {
  if (tree === undefined) return null;
  return html` data-links="${tree.links}" data-search="${SCRIPTS.search.name}"${tree.isPacked ? PACKED : null}`;
}

const PACKED = html` data-packed`;

/** The first lines of a page's head: the encoding, and the policy in a tree whose host sends no headers. */
export function headStart({ tree }: Place, policy = PAGE_POLICY): Html {
  if (tree?.links !== "files") return CHARSET;
  // A meta element cannot forbid frames. The quotes of a policy need no escape in double quotes.
  const content = new Html(policy.replace(/; frame-ancestors [^;]*/, ""));
  return html`${CHARSET}\n<meta http-equiv="Content-Security-Policy" content="${content}">`;
}

const CHARSET = html`<meta charset="utf-8">`;
