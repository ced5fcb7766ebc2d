import { type AssetFile, EXPLORER_STYLE, STYLE } from "./assets.js";
import { oneLine } from "./escape.js";
import { type Html, html } from "./html.js";
import { homeText, type PageContext } from "./page-context.js";
import { pageHead } from "./page-head.js";

/** Pages other than reports, by their addresses relative to `/`. */
const PAGE_LINKS = [
  ["./", "Explorer"],
  ["standards", "Methodology"],
  ["api", "API"],
] as const;

/** The content of a page other than a report. Links are relative to the page, but `json` is not. */
export interface Frame {
  readonly title: string;
  readonly description: string;
  /** The page's own address, relative to `/`. */
  readonly place: string;
  /** Whether search engines may show the page. */
  readonly isIndexed: boolean;
  /** Null if the page runs none. */
  readonly script: AssetFile | null;
  /** The address of the page's data as JSON, relative to `/`; null if that JSON may not exist. */
  readonly json: string | null;
  /** The page as schema.org linked data. */
  readonly linkedData: object;
  /** The element id that the skip link leads to. */
  readonly main: string;
  readonly body: Html;
}

/** A whole HTML document: the frame's body with the head, header and footer that all pages other than reports share. */
export function framed(frame: Frame, context: PageContext): string {
  const name = oneLine(context.name);
  const root = frameRoot(frame);
  const page = html`<!doctype html>
<html lang="en">
<head>
${frameHead(frame, context)}
</head>
<body>
<a class="skip" href="#${frame.main}">Skip to the main content</a>
<header class="top"><div class="wide"><p class="brand"><a href="${root || "./"}">${homeText(context)}</a></p><nav aria-label="Pages of the directory"><ul class="formats">${PAGE_LINKS.map(
    ([place, label]) =>
      html`<li><a href="${place === "./" ? root || place : root + place}"${place === frame.place ? CURRENT : null}>${label}</a></li>`,
  )}</ul></nav></div></header>
${frame.body}
<footer class="bottom"><div class="wide"><p>${name}. For programs: ${frame.json === null ? null : html`<a href="${root}${frame.json}" data-json>this page’s data as JSON</a>, `}<a href="${root}api">the API</a>, <a href="${root}api/openapi.json">its description</a>, <a href="${root}llms.txt">llms.txt</a>.</p></div></footer>
</body>
</html>
`;
  return page.markup;
}

const CURRENT = html` aria-current="page"`;

/** The relative path from a page to `/`. */
function frameRoot({ place }: Frame): "" | "../" {
  return place !== "./" && place.includes("/") ? "../" : "";
}

function frameHead(frame: Frame, context: PageContext): Html {
  const root = frameRoot(frame);
  const { title, description, place, isIndexed, script, json, linkedData } = frame;
  const canonical = `${context.siteUrl}/${place === "./" ? "" : place}`;
  return pageHead({
    title,
    name: title,
    description,
    isIndexed,
    canonical,
    alternates:
      json === null
        ? null
        : html`<link rel="alternate" type="application/json" href="${root}${json}" title="This page’s data as JSON">\n`,
    siteName: oneLine(context.name),
    root,
    styles: [STYLE, EXPLORER_STYLE],
    script,
    linkedData,
  });
}
