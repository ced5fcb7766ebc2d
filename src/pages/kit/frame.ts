import { type AssetFile, STYLE } from "./assets.js";
import { oneLine } from "./escape.js";
import { FEED_TYPES } from "./feed-name.js";
import { type Html, html } from "./html.js";
import type { PageContext } from "./page-context.js";
import { pageHead } from "./page-head.js";
import { siteHeader } from "./site-header.js";

/** A feed, by its address relative to `/`. */
interface FeedLink {
  readonly address: string;
  readonly title: string;
}

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
  /** The feed of what the page lists, beside that of the directory. */
  readonly feed?: FeedLink;
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
<footer class="bottom"><div class="wide"><p>${name}. For programs: ${frame.json === null ? null : html`<a href="${root}${frame.json}" data-json>this page’s data as JSON</a>, `}<a href="${root}api">the API</a>, <a href="${root}api/openapi.json">its description</a>, <a href="${root}llms.txt">llms.txt</a>.</p><p>To follow: ${frame.feed === undefined ? null : html`<a href="${root}${frame.feed.address}">the feed of this page</a>, `}<a href="${root}feed.xml">the feed of new scans</a>, <a href="${root}feed.json">the same as JSON Feed</a>.</p></div></footer>
</body>
</html>
`;
  return page.markup;
}

function feedLink(root: string, { address, title }: FeedLink): Html {
  return html`<link rel="alternate" type="${FEED_TYPES.xml}" href="${root}${address}" title="${title}">\n`;
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
    alternates: html`${
      json === null
        ? null
        : html`<link rel="alternate" type="application/json" href="${root}${json}" title="This page’s data as JSON">\n`
    }${frame.feed === undefined ? null : feedLink(root, frame.feed)}${feedLink(root, { address: "feed.xml", title: `New scans · ${oneLine(context.name)}` })}`,
    siteName: oneLine(context.name),
    root,
    styles: [STYLE, style],
    script,
    linkedData,
  });
}
