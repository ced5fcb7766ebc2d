import { type AssetFile, STYLE } from "./assets.js";
import { oneLine } from "./escape.js";
import { type Html, html } from "./html.js";
import type { PageContext } from "./page-context.js";
import { pageHead } from "./page-head.js";
import { siteHeader } from "./site-header.js";

/** The content of a page other than a report. Links are relative to the page, but `json` is not. */
export interface Frame {
  readonly title: string;
  readonly description: string;
  /** The page's own address, relative to `/`. */
  readonly place: string;
  /** Whether search engines may show the page. */
  readonly isIndexed: boolean;
  /** The page's own stylesheet, beside the shared one. */
  readonly style: AssetFile;
  /** Null if the page runs none. */
  readonly script: AssetFile | null;
  /** The address of the page's data as JSON, relative to `/`; null if that JSON may not exist. */
  readonly json: string | null;
  /** The page as schema.org linked data. */
  readonly linkedData: object;
  /** The element id that the skip link leads to. */
  readonly main: string;
  readonly body: Html;
  /** What stands in the header instead of the form that searches; null for nothing. */
  readonly seek?: Html | null;
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
${siteHeader(root, frame.place, context, frame.seek)}
${frame.body}
<footer class="bottom"><div class="wide"><p>${name}. For programs: ${frame.json === null ? null : html`<a href="${root}${frame.json}" data-json>this page’s data as JSON</a>, `}<a href="${root}api">the API</a>, <a href="${root}api/openapi.json">its description</a>, <a href="${root}llms.txt">llms.txt</a>.</p></div></footer>
</body>
</html>
`;
  return page.markup;
}

/** The relative path from a page to `/`. */
function frameRoot({ place }: Frame): "" | "../" {
  return place !== "./" && place.includes("/") ? "../" : "";
}

function frameHead(frame: Frame, context: PageContext): Html {
  const root = frameRoot(frame);
  const { title, description, place, isIndexed, style, script, json, linkedData } = frame;
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
    styles: [STYLE, style],
    script,
    linkedData,
  });
}
