import type { AssetFile } from "./assets.js";
import { scriptJson } from "./escape.js";
import { Html, html } from "./html.js";
import { iconLinks } from "./icon-links.js";

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
  /** A picture of CARD_SIZE that stands for the page on other sites. */
  readonly card?: { readonly url: string; readonly text: string } | null;
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
${cardTags(head.card ?? null)}${iconLinks(root)}${styles.map((style) => html`<link rel="stylesheet" href="${root}assets/${style.name}">\n`)}${script === null ? null : html`<script type="module" src="${root}assets/${script.name}"></script>\n`}<script type="application/ld+json">${new Html(scriptJson(linkedData))}</script>`;
}

/** The size of a card in pixels. */
export const CARD_SIZE = { width: 1_200, height: 630 } as const;

function cardTags(card: PageHead["card"] | null): Html {
  if (card === null || card === undefined)
    return html`<meta name="twitter:card" content="summary">\n`;
  return html`<meta property="og:image" content="${card.url}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${CARD_SIZE.width}">
<meta property="og:image:height" content="${CARD_SIZE.height}">
<meta property="og:image:alt" content="${card.text}">
<meta name="twitter:card" content="summary_large_image">
`;
}
