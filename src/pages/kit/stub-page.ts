import { html } from "./html.js";

/**
 * A page that leads on at once. It stands in for a folder, to which web servers redirect an address without a slash.
 * @param target the relative link
 */
export function stubPage(target: string, name: string, canonical: string): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${name}</title>
<meta http-equiv="refresh" content="0; url=${target}">
<link rel="canonical" href="${canonical}">
<p><a href="${target}">${name}</a></p>
</html>
`.markup;
}
