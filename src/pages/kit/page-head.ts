import { type AssetFile, ICON } from "./assets.js";
import { scriptJson } from "./escape.js";
import { Html, html } from "./html.js";

/** The content of a page's `head` element. */
export interface PageHead {
  /** The text of the browser tab. `name` is the title that other sites show in a preview (Open Graph). */
  readonly title: string;
  readonly name: string;
  readonly description: string;
  /** Whether search engines may show the page. */
  readonly isIndexed: boolean;
  readonly canonical: string;
  /** Links to other formats of the page, one per line; null if there are none. */
  readonly alternates: Html | null;
  /** The directory's name. */
  readonly siteName: string;
  /** The relative path from the page to `/`: "" or "../". */
  readonly root: string;
  readonly styles: readonly AssetFile[];
  /** Null if the page needs none. */
  readonly script: AssetFile | null;
  /** The page as schema.org linked data. */
  readonly linkedData: object;
}

export function pageHead(head: PageHead): Html {
  const { title, name, description, canonical, siteName, root, styles, script, linkedData } = head;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#171c23" media="(prefers-color-scheme: dark)">
${head.isIndexed ? null : html`<meta name="robots" content="noindex">\n`}<link rel="canonical" href="${canonical}">
${head.alternates}<meta property="og:type" content="website">
<meta property="og:site_name" content="${siteName}">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${canonical}">
<meta name="twitter:card" content="summary">
<link rel="icon" type="image/svg+xml" href="${root}assets/${ICON.name}">
${styles.map((style) => html`<link rel="stylesheet" href="${root}assets/${style.name}">\n`)}${script === null ? null : html`<script type="module" src="${root}assets/${script.name}"></script>\n`}<script type="application/ld+json">${new Html(scriptJson(linkedData))}</script>`;
}
