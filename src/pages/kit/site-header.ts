import { LIMITS } from "../../contract/limits.js";
import { type Html, html } from "./html.js";
import { homeText, type PageContext } from "./page-context.js";

/** The pages that every header leads to, by their addresses relative to `/`. */
const PAGE_LINKS = [
  ["./", "Explorer"],
  ["standards", "Methodology"],
  ["api", "API"],
] as const;

/**
 * The header that all pages share: the directory's name, the search and the main pages.
 * @param root the relative path from the page to `/`: "" or "../"
 * @param place the page's own address, relative to `/`; null if the header has no link to it
 * @param seek the search; the explorer has one of its own
 */
export function siteHeader(
  root: string,
  place: string | null,
  context: Pick<PageContext, "name">,
  seek: Html | null = seekForm(root, ""),
): Html {
  const links = PAGE_LINKS.map(([path, label]) => {
    const href = path === "./" ? root || path : root + path;
    return html`<li><a href="${href}"${path === place ? CURRENT : null}>${label}</a></li>`;
  });
  return html`<header class="top"><div class="wide"><p class="brand"><a href="${root || "./"}">${homeText(context)}</a></p>
${seek}<nav aria-label="Pages of the directory"><ul class="nav">${links}</ul></nav></div></header>`;
}

const CURRENT = html` aria-current="page"`;

/** The search of a header: a form that the explorer answers. @param text the text that the box is filled with */
export function seekForm(root: string, text: string): Html {
  return html`<form class="seek" role="search" aria-label="Sites" action="${root || "./"}" method="get"><label class="hidden" for="q">Search sites by name, host or tagline</label><input id="q" name="q" type="search" value="${text}" required maxlength="${LIMITS.queryTextMax}" placeholder="Search sites" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search"><button class="button">Search</button></form>
`;
}
