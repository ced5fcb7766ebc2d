import { SCRIPTS, STYLES } from "#scripts/names";
import { ERROR_TEXTS } from "../../contract/error.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { earlyScript, iconLinks, seekForm, siteHeader } from "./frame.js";
import { type Html, html } from "./html.js";
import { headStart, rootedLinks, rootPathOf, treeMarks } from "./links.js";
import { homeText, languageOf, type PageContext } from "./page-context.js";
import { listingHint } from "./publisher-links.js";
import { PAGE_ROUTES, pageHeaders } from "./routes.js";
import { hostText } from "./words.js";

/** The error for an invalid address. */
export const NOT_VALID =
  "This address does not name a site by its canonical host, or a scan by its id.";

/*
 * Pages that explain why there is nothing to show, and suggest links. A web server can serve them without a directory.
 */

/** What an error page says about its directory, and which links it suggests. */
export interface ErrorSuggestions
  extends Pick<PageContext, "name" | "tree" | "publisher" | "pages"> {
  /** The path from the page to `/`, with a slash at its end: "../", or "/directory/". */
  readonly root: string;
  /** The text in the search box. */
  readonly text?: string;
  /** The hosts of reports that were probably meant, the nearest first. */
  readonly nearest?: readonly string[];
  /** The host whose latest report can be shown in place of an older one. */
  readonly latest?: string | null;
  /** The host that the directory does not have, if that is the error. */
  readonly unlisted?: string | null;
}

/** The page for people at `/sites/<host>` if there is no report to show. */
export function errorPage(error: string, suggestions: ErrorSuggestions): string {
  const { latest = null, unlisted = null } = suggestions;
  const to = errorLinks(suggestions);
  const link =
    latest === null
      ? html`<a href="${to("")}">All sites of the directory</a>`
      : html`<a href="${to(reportAddress(latest))}">The latest report of ${latest}</a>`;
  return unlisted === null
    ? problemPage("No report to show", "Crawler-readiness report", error, link, suggestions)
    : problemPage("Not listed yet", unlisted, error, link, suggestions);
}

/** The page for people at an address below `/api` that does not exist. */
export function lostPage(error: string, suggestions: ErrorSuggestions): string {
  const link = html`<a href="${errorLinks(suggestions)("api")}">All reads of the API, with their parameters</a>`;
  return problemPage("No such address", "API", error, link, suggestions);
}

/** The page for people at any other address that does not exist, or that cannot be answered now. */
export function nothingPage(
  error: string,
  suggestions: ErrorSuggestions,
  title = "No such page",
): string {
  const link = html`<a href="${errorLinks(suggestions)("")}">All sites of the directory</a>`;
  return problemPage(title, homeText(suggestions), error, link, suggestions);
}

/**
 * The page of a tree of files for addresses that it does not have. At the address of a report, a script says why
 * there is none. In a packed tree, a worker may answer it: the page starts the worker and loads its address again.
 */
export function missingPage({ name, siteUrl, tree, publisher, pages }: PageContext): string {
  const suggestions = { root: rootPathOf({ siteUrl }), name, pages, ...(tree && { tree }) };
  const to = errorLinks(suggestions);
  const early = html`${earlyScript(SCRIPTS.missing, to)}</head>`;
  // In a packed tree, readers also get this page at addresses of existing reports, until a worker answers these.
  const unlisted = tree?.isPacked === true ? "" : ERROR_TEXTS.noReport;
  const listing = html`<div data-unlisted="${unlisted}" hidden>${listingHint("{host}", { publisher })}</div>\n`;
  const page = nothingPage(ERROR_TEXTS.noAddress, suggestions)
    .replace("</head>", early.markup)
    .replace(MAIN_END, listing.markup + MAIN_END);
  if (tree?.isPacked !== true) return page;
  const source = to(`assets/${SCRIPTS.register.name}`);
  const script = html`<script type="module" src="${source}"></script>`;
  const notes = html`<noscript><p>If this is the address of a report: reports need JavaScript here.</p></noscript>
<p data-no-worker hidden>If this is the address of a report: this browser cannot show reports here.</p>`;
  return page
    .replace("<html ", "<html data-lost ")
    .replace("</head>", `${script.markup}\n</head>`)
    .replace(MAIN_END, `${notes.markup}\n${MAIN_END}`);
}

const MAIN_END = "</div></div></main>";

function errorLinks(suggestions: ErrorSuggestions) {
  return rootedLinks(suggestions.root, suggestions);
}

function reportAddress(host: string): string {
  return `sites/${encodeURIComponent(host)}`;
}

function problemPage(
  title: string,
  eyebrow: string,
  error: string,
  link: Html,
  suggestions: ErrorSuggestions,
) {
  const { text = "", unlisted = null } = suggestions;
  const to = errorLinks(suggestions);
  return html`<!doctype html>
<html lang="${languageOf(suggestions)}"${treeMarks(suggestions)}>
<head>
${headStart(suggestions)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#171c23" media="(prefers-color-scheme: dark)">
${iconLinks(to)}<link rel="stylesheet" href="${to(`assets/${STYLES.pages.name}`)}">
</head>
<body>
${siteHeader(to, null, suggestions, seekForm(to, text))}
<main><div class="hero"><div class="wide hero-text">
<p class="eyebrow">${eyebrow}</p>
<h1>${title}</h1>
<p class="lead">${error}</p>
${nearestSites(suggestions)}<p>${link}</p>
${unlisted === null ? null : listingHint(unlisted, suggestions)}</div></div></main>
</body>
</html>
`.markup;
}

/** The links to the reports that were probably meant; null if there are none. */
function nearestSites(suggestions: ErrorSuggestions): Html | null {
  const { nearest = [] } = suggestions;
  if (nearest.length === 0) return null;
  const to = errorLinks(suggestions);
  const links = nearest.map(
    (host) => html`<li><a href="${to(reportAddress(host))}"><bdi>${hostText(host)}</bdi></a></li>`,
  );
  const title = links.length === 1 ? "Did you mean this site?" : "Did you mean one of these sites?";
  return html`<h2 class="near-title" id="near">${title}</h2>
<ul class="near" aria-labelledby="near">${links}</ul>
`;
}

/** The page in place of any other while the browser has no network. @param base the path of `/` */
export function offlinePage(base: string, name: string): string {
  const error = "This page needs the network. Load it again once the network is back.";
  return nothingPage(error, { root: base, name }, "You are offline");
}

/** The headers of an error page, except those that depend on its bytes. */
export function errorPageHeaders(): Record<string, string> {
  const { Link: _, ...headers } = pageHeaders(PAGE_ROUTES.page);
  return { ...headers, "Cache-Control": CACHE_CONTROL.error };
}
