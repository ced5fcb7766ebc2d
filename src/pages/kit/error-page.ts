import { CACHE_CONTROL } from "../../contract/routes.js";
import { ICON, STYLE } from "./assets.js";
import { html } from "./html.js";
import { pageHeaders } from "./routes.js";

/** The error for an invalid address. */
export const NOT_VALID =
  "This address does not name a site by its canonical host, or a scan by its id.";

/**
 * The page for people at `/sites/<host>` if there is no report to show: the error in words. The page contains nothing
 * about the directory, so that a web server can serve it without one.
 */
export function errorPage(error: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No report to show</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="../assets/${ICON.name}">
<link rel="stylesheet" href="../assets/${STYLE.name}">
</head>
<body>
<main><div class="hero"><div class="wide hero-text">
<p class="eyebrow">Crawler-readiness report</p>
<h1>No report to show</h1>
<p class="lead">${error}</p>
<p><a href="../">Look for another site in the directory</a></p>
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
