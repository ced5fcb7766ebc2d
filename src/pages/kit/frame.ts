import { ICON, INLINE, SCRIPTS, STYLES } from "#scripts/names";
import { LIMITS } from "../../contract/limits.js";
import { oneLine, scriptJson } from "./escape.js";
import { Html, html } from "./html.js";
import { absoluteLink, headStart, type LinkTo, linksFrom, sitesPage, treeMarks } from "./links.js";
import {
  homeText,
  type LinkedContext,
  languageOf,
  type PageContext,
  type SocialImage,
  type SocialImageOf,
} from "./page-context.js";
import { type AssetFile, FEED_TYPES, FEEDS } from "./page-names.js";
import { licenseData, publisherLine } from "./publisher-links.js";
import { CORE_ROUTES } from "./routes.js";

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
  /** Null for none. */
  readonly image: SocialImage | null;
  /** The directory's name. */
  readonly siteName: string;
  readonly to: LinkTo;
  readonly styles: readonly AssetFile[];
  /** Null if the page needs none. */
  readonly script: AssetFile | null;
  /** Runs before the page is painted. */
  readonly early?: Html | null;
  /** The page as schema.org linked data; null for none. */
  readonly linkedData: object | null;
}

export function pageHead(head: PageHead, context: PageContext, policy?: string): Html {
  const { title, name, description, canonical, siteName, to, styles, script, linkedData } = head;
  const styleLinks = styles.map(
    (style) => html`<link rel="stylesheet" href="${to(`assets/${style.name}`)}">\n`,
  );
  const scriptTag =
    script === null
      ? null
      : html`<script type="module" src="${to(`assets/${script.name}`)}"></script>\n`;
  const data =
    linkedData === null
      ? null
      : html`<script type="application/ld+json">${new Html(scriptJson(linkedData))}</script>`;
  return html`${headStart(context, policy)}
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
${imageTags(head.image)}${iconLinks(to)}${head.early ?? null}${styleLinks}${scriptTag}${data}`;
}

/** A script that holds back the first paint, as stylesheets do. */
export function earlyScript(script: AssetFile, to: LinkTo): Html {
  return html`<script src="${to(`assets/${script.name}`)}"></script>\n`;
}

/** The script within the explorer's page. @param start the files that it reads ahead, by their paths in a tree */
export function inlineScript(start: readonly string[] = []): Html {
  return html`<script data-start="${start.join(" ")}">${new Html(INLINE.text)}</script>\n`;
}

/** The picture of a page, where pages name pictures; null for none. @param report see `SocialImageOf` */
export function socialImage(
  report: Parameters<SocialImageOf>[0],
  context: PageContext,
): SocialImage | null {
  return context.hasPictures ? (context.socialImage?.(report, context) ?? null) : null;
}

function imageTags(image: SocialImage | null): Html {
  if (image === null) return html`<meta name="twitter:card" content="summary">\n`;
  return html`<meta property="og:image" content="${image.url}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">
<meta property="og:image:alt" content="${image.text}">
<meta name="twitter:card" content="summary_large_image">
`;
}

/**
 * The header that all pages share: the directory's name, the search and the main pages.
 * @param address the page's own address, relative to `/`; null if the header has no link to it
 * @param seek the search; the explorer has one of its own
 */
export function siteHeader(
  to: LinkTo,
  address: string | null,
  context: Pick<PageContext, "name" | "pages" | "tree">,
  seek: Html | null = seekForm(to, ""),
): Html {
  const { pages = CORE_ROUTES } = context;
  const links = pages.flatMap(({ path, navigation = null, ofSites }) => {
    // A page of sites needs their reports, which some trees lack.
    const isThere = ofSites === undefined || sitesPage(context) !== null;
    if (navigation === null || !isThere) return [];
    const own = path.slice(1);
    return html`<li><a href="${to(own)}"${own === address ? CURRENT : null}>${navigation}</a></li>`;
  });
  // Tab skips the directory's name: the first of the pages has the same address.
  const brand = html`<p class="brand"><a href="${to("")}" tabindex="-1">${homeText(context)}</a></p>`;
  return html`<header class="top"><div class="wide">${brand}
${seek}<nav aria-label="Pages of the directory"><ul class="nav">${links}</ul></nav></div></header>`;
}

const CURRENT = html` aria-current="page"`;

/** The search of a header: a form that the explorer answers. @param text the text in the box */
export function seekForm(to: LinkTo, text: string): Html {
  return html`<form class="seek" role="search" aria-label="Sites" action="${to("")}" method="get">
    <label class="hidden" for="q">Search sites by name, host or tagline</label>
    <input id="q" name="q" type="search" value="${text}" required maxlength="${LIMITS.queryTextMax}" 
      placeholder="Search sites" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search">
    <button class="button">Search</button></form>
`;
}

/** A feed, by its address relative to `/`. */
interface FeedLink {
  readonly address: string;
  readonly title: string;
}

/** The content of a page other than a report. */
export interface Frame {
  readonly title: string;
  readonly description: string;
  /** The page's own address, relative to `/`. */
  readonly address: string;
  /** Whether search engines may show the page. Default: true. */
  readonly isIndexed?: boolean;
  /** The page's own stylesheet, beside the shared one. */
  readonly style: AssetFile;
  /** Default: that of most pages. */
  readonly script?: AssetFile | null;
  /** Runs before the page is painted. */
  readonly early?: Html | null;
  /** The address of the page's data as JSON, relative to `/`. Default: the page has no such address. */
  readonly json?: string | null;
  /**
   * The page as schema.org linked data: its type and the members that other pages do not have. With an `@context`, it
   * is complete, and only the license is added.
   */
  readonly linkedData: Readonly<Record<string, unknown>>;
  /** The element id that the skip link leads to. */
  readonly main: string;
  /** The text of the skip link. Default: `Skip to the main content`. */
  readonly skip?: string;
  readonly body: Html;
  /** Its `Content-Security-Policy`, as in its route. Default: that of most pages. */
  readonly policy?: string;
  /** The feed of the sites that the page lists, in addition to the directory's feed. */
  readonly feed?: FeedLink;
  /** Replaces the search form in the header; null for nothing. */
  readonly seek?: Html | null;
}

/** A complete HTML document: the frame's body with the head, header and footer that all pages except reports share. */
export function framed(frame: Frame, context: LinkedContext): string {
  const name = oneLine(context.name);
  const { to } = context;
  const json = frame.json ?? null;
  const jsonLink =
    json === null ? null : html`<a href="${to(json)}" data-json>this page’s data as JSON</a>, `;
  const ownFeedLink =
    frame.feed === undefined
      ? null
      : html`<a href="${to(frame.feed.address)}">the feed of this page</a>, `;
  const page = html`<!doctype html>
<html lang="${languageOf(context)}"${treeMarks(context)}>
<head>
${frameHead(frame, json, context)}
</head>
<body>
<a class="skip" href="#${frame.main}">${frame.skip ?? "Skip to the main content"}</a>
${siteHeader(to, frame.address, context, frame.seek)}
${frame.body}
<footer class="bottom"><div class="wide">
  <p>${name}. For programs: ${jsonLink}
    <a href="${to("api")}">the API</a>, 
    <a href="${to("api/openapi.json")}">its description</a>, 
    <a href="${to("llms.txt")}">llms.txt</a>.</p>
  <p>To follow: ${ownFeedLink}
    <a href="${to(FEEDS)}">all feeds</a>${followed(context)}.</p>
  ${publisherLine(context)}</div></footer>
</body>
</html>
`;
  return page.markup;
}

/** Links to the pages that a reader can follow, each after a comma. */
function followed({ to, pages = CORE_ROUTES }: LinkedContext): Html[] {
  return pages.flatMap(({ path, following }) =>
    following === undefined
      ? []
      : html`, 
    <a href="${to(path.slice(1))}">${following}</a>`,
  );
}

function feedLink(to: LinkTo, { address, title }: FeedLink): Html {
  return html`<link rel="alternate" type="${FEED_TYPES.xml}" href="${to(address)}" title="${title}">\n`;
}

function frameHead(frame: Frame, json: string | null, context: LinkedContext): Html {
  const { title, description, address, isIndexed = true, style, linkedData } = frame;
  const { to } = context;
  const canonical = absoluteLink(address, context);
  const { "@type": type } = linkedData;
  const own = !("@context" in linkedData) && {
    "@context": "https://schema.org",
    "@type": type,
    "@id": canonical,
    url: canonical,
    name: title,
    description,
    inLanguage: languageOf(context),
  };
  const jsonLink =
    json === null
      ? null
      : html`<link rel="alternate" type="application/json" href="${to(json)}" title="This page’s data as JSON">\n`;
  const ownFeed = frame.feed === undefined ? null : feedLink(to, frame.feed);
  const scanFeed = feedLink(to, {
    address: "feed.xml",
    title: `New scans · ${oneLine(context.name)}`,
  });
  const head = {
    title,
    name: title,
    description,
    isIndexed,
    canonical,
    alternates: html`${jsonLink}${ownFeed}${scanFeed}`,
    image: socialImage(null, context),
    siteName: oneLine(context.name),
    to,
    styles: [STYLES.pages, style],
    script: frame.script ?? SCRIPTS.quote,
    early: frame.early ?? null,
    linkedData: { ...own, ...linkedData, ...licenseData(context) },
  };
  return pageHead(head, context, frame.policy);
}

/** The links of a page's head to the directory's icon. */
export function iconLinks(to: LinkTo): Html {
  return html`<link rel="icon" sizes="32x32" href="${to("favicon.ico")}">
<link rel="icon" type="image/svg+xml" href="${to(`assets/${ICON.name}`)}">
<link rel="apple-touch-icon" href="${to("apple-touch-icon.png")}">
`;
}

/**
 * A page that redirects immediately. It stands in for a folder: web servers redirect an address without a slash to it.
 * @param file its path in the tree
 * @param address the address of the page that it redirects to
 */
export function stubPage(
  file: string,
  address: string,
  name: string,
  context: PageContext,
): string {
  const target = linksFrom(file, context)(address);
  const canonical = absoluteLink(address, context);
  return html`<!doctype html>
<html lang="${languageOf(context)}">
${headStart(context)}
<title>${name}</title>
<meta http-equiv="refresh" content="0; url=${target}">
<link rel="canonical" href="${canonical}">
<p><a href="${target}">${name}</a></p>
</html>
`.markup;
}
