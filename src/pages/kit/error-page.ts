import { CACHE_CONTROL } from "../../contract/routes.js";
import { ICON, STYLE } from "./assets.js";
import { html } from "./html.js";
import { pageHeaders } from "./routes.js";

/** What is wrong where an address is not valid. */
export const NOT_VALID =
  "This address does not name a site by its canonical host, or a scan by its id.";

/**
 * What a person sees at `/sites/<host>` where there is no report to show: the error in words. It says nothing of
 * the directory, so that a web server can have it without one.
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

/** The headers of an error's page, but for those of the bytes themselves. */
export function errorPageHeaders(): Record<string, string> {
  const { Link: _, ...headers } = pageHeaders("page", "", "", false);
  return { ...headers, "Cache-Control": CACHE_CONTROL.error };
}
