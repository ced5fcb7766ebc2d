import { SCRIPTS } from "#scripts/names";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { ICON, STYLE } from "./assets.js";
import { type Html, html } from "./html.js";
import { pageHeaders } from "./routes.js";

/** The error for an invalid address. */
export const NOT_VALID =
  "This address does not name a site by its canonical host, or a scan by its id.";

/*
 * Pages that say in words why there is nothing to show. They contain nothing about the directory, so that a web server
 * can serve them without one.
 */

/** The page for people at `/sites/<host>` if there is no report to show. */
export function errorPage(error: string): string {
  const way = html`<a href="../">Look for another site in the directory</a>`;
  return problemPage("No report to show", "Crawler-readiness report", error, way, "..");
}

/**
 * The page for people at an address below `/api` that does not exist.
 * @param root the relative path from the address to `/`, without the slash at its end
 */
export function lostPage(error: string, root: string): string {
  const way = html`<a href="${root}/api">All reads of the API, with their parameters</a>`;
  return problemPage("No such address", "API", error, way, root);
}

/**
 * The page of a tree of files for addresses that it does not have. In a packed tree, a script may answer them: the page
 * starts it and loads its address again.
 * @param root the path of the tree's address, without the slash at its end: the page appears at addresses of any depth
 */
export function missingPage(root: string, isPacked: boolean): string {
  const way = html`<a href="${root}/">Look for a site in the directory</a>`;
  const page = problemPage("No such page", "Directory", MISSING, way, root);
  if (!isPacked) return page;
  const script = html`<script type="module" src="${root}/assets/${SCRIPTS.register.name}"></script>`;
  const notes = html`<noscript><p>If this is the address of a report: reports need JavaScript here.</p></noscript>
<p data-no-worker hidden>If this is the address of a report: this browser cannot show reports here.</p>`;
  return page
    .replace("<html ", "<html data-lost ")
    .replace("</head>", `${script.markup}\n</head>`)
    .replace("</div></div></main>", `${notes.markup}\n</div></div></main>`);
}

const MISSING = "There is nothing at this address.";

function problemPage(
  title: string,
  eyebrow: string,
  error: string,
  way: Html,
  root: string,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${root}/assets/${ICON.name}">
<link rel="stylesheet" href="${root}/assets/${STYLE.name}">
</head>
<body>
<main><div class="hero"><div class="wide hero-text">
<p class="eyebrow">${eyebrow}</p>
<h1>${title}</h1>
<p class="lead">${error}</p>
<p>${way}</p>
</div></div></main>
</body>
</html>
`.markup;
}

/** The headers of an error page, except those that depend on its bytes. */
export function errorPageHeaders(): Record<string, string> {
  const { Link: _, ...headers } = pageHeaders("page", "", "", false);
  return { ...headers, "Cache-Control": CACHE_CONTROL.error };
}
