import { type Asset, ICON } from "./assets.js";
import { scriptJson } from "./escape.js";
import { Html, html } from "./html.js";

/** What stands in the head of any page. */
export interface Head {
  /** As a browser's tab shows it, and as other sites do. */
  readonly title: string;
  readonly name: string;
  readonly description: string;
  /** Whether search engines may show it. */
  readonly isIndexed: boolean;
  readonly canonical: string;
  /** Links to the same in other forms, each on a line; null where there are none. */
  readonly alternates: Html | null;
  /** The directory's name. */
  readonly siteName: string;
  /** Leads from the page to `/`: "" or "../". */
  readonly root: string;
  readonly styles: readonly Asset[];
  /** Of each script the names below `assets/` of its modules, the one that it begins with first. */
  readonly scripts: readonly (readonly string[])[];
  /** What it is by schema.org. */
  readonly linkedData: object;
}

export function pageHead(head: Head): Html {
  const { title, name, description, canonical, siteName, root, styles, linkedData } = head;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
${head.isIndexed ? null : html`<meta name="robots" content="noindex">\n`}<link rel="canonical" href="${canonical}">
${head.alternates}<meta property="og:type" content="website">
<meta property="og:site_name" content="${siteName}">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${canonical}">
<meta name="twitter:card" content="summary">
<link rel="icon" type="image/svg+xml" href="${root}assets/${ICON.name}">
${styles.map((style) => html`<link rel="stylesheet" href="${root}assets/${style.name}">\n`)}${head.scripts.map((modules) => modulesHtml(modules, root))}<script type="application/ld+json">${new Html(scriptJson(linkedData))}</script>`;
}

/** A module, and what it imports, which is to come at the same time. */
function modulesHtml([entry = "", ...others]: readonly string[], root: string): Html {
  return html`<script type="module" src="${root}assets/${entry}"></script>
${others.map((one) => html`<link rel="modulepreload" href="${root}assets/${one}">\n`)}`;
}
