import { ICON } from "./assets.js";
import { type Html, html } from "./html.js";

/** The links of a page's head to the directory's icon. @param root the path from the page to `/`, with a slash at its end */
export function iconLinks(root: string): Html {
  return html`<link rel="icon" sizes="32x32" href="${root}favicon.ico">
<link rel="icon" type="image/svg+xml" href="${root}assets/${ICON.name}">
<link rel="apple-touch-icon" href="${root}apple-touch-icon.png">
`;
}
