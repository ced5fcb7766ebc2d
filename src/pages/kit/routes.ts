import { FIGURES_DOCUMENT } from "../../contract/figures.js";
import { COMMON_HEADERS, MARKDOWN_TYPE } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { FEED_TYPES } from "./page-names.js";

/** An address outside the API, and the headers that all its answers share. */
export interface PageRoute {
  /** Segments in braces are path parameters. */
  readonly path: string;
  readonly contentType: string;
  /** Default: that of the directory's reads. */
  readonly cacheControl?: string;
  /** Whether `?scan=` selects a historical report. Other parameters are ignored: links pick up unrelated ones. */
  readonly hasScan?: true;
}

const XML = "application/xml; charset=utf-8";
const HTML = "text/html; charset=utf-8";
export const MARKDOWN = `${MARKDOWN_TYPE}; charset=utf-8`;
const ATOM = `${FEED_TYPES.xml}; charset=utf-8`;
const JSON_FEED = FEED_TYPES.json;
const SVG = "image/svg+xml";
const CSV = "text/csv; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
/** Icons have fixed names, so a browser asks for them again after a day. */
const ICON_CACHE = "public, max-age=86400";
const { catalogue } = CACHE_CONTROL;

export const PAGE_ROUTES = {
  explorer: { path: "/", contentType: HTML },
  standardsPage: { path: "/standards", contentType: HTML },
  /**
   * The page about the API. Only a browser gets it: to programs, this is a 404. Its examples name a listing, so a
   * browser must not reuse it after the listing is removed.
   */
  apiPage: { path: "/api", contentType: HTML },
  categoriesPage: { path: "/categories", contentType: HTML },
  /** What changed since earlier publications. */
  changes: { path: "/changes", contentType: HTML },
  checkPage: { path: "/checks/{name}", contentType: HTML },
  category: { path: "/categories/{name}", contentType: HTML },
  /** Which sites of a category pass which checks. */
  matrix: { path: "/matrix/{name}", contentType: HTML },
  /** The same table as CSV. */
  table: { path: "/tables/{name}", contentType: CSV },
  /** Up to 20 reports side by side: those of `?sites=`. */
  compare: { path: "/compare", contentType: HTML },
  compareCsv: { path: "/compare.csv", contentType: CSV },
  page: { path: "/sites/{host}", contentType: HTML, hasScan: true },
  markdown: { path: "/sites/{host}/report.md", contentType: MARKDOWN, hasScan: true },
  /** The failed checks of a report, as a task for a coding agent. */
  task: { path: "/sites/{host}/fix.md", contentType: MARKDOWN },
  badge: { path: "/sites/{host}/badge.svg", contentType: SVG },
  /** A picture of the score, for links on other sites. Only a server that can draw has it. */
  card: { path: "/sites/{host}/card.png", contentType: "image/png" },
  /** The same for the directory, with its figures. */
  directoryCard: { path: "/card.png", contentType: "image/png" },
  robots: { path: "/robots.txt", contentType: PLAIN, cacheControl: catalogue },
  llms: { path: "/llms.txt", contentType: PLAIN, cacheControl: catalogue },
  sitemap: { path: "/sitemap.xml", contentType: XML },
  sitemapFile: { path: "/sitemaps/{name}", contentType: XML },
  /** The figures of the directory, for scripts of pages. Snapshots of older versions have none. */
  figures: { path: `/${FIGURES_DOCUMENT}`, contentType: "application/json" },
  /** A chart as a picture, or its numbers, depending on the name's ending. */
  figure: { path: "/figures/{name}", contentType: SVG },
  feed: { path: "/feed.xml", contentType: ATOM },
  jsonFeed: { path: "/feed.json", contentType: JSON_FEED },
  /** A category's feed, in one of the two forms above, depending on the name's ending. */
  categoryFeed: { path: "/feeds/{name}", contentType: ATOM },
  favicon: { path: "/favicon.ico", contentType: "image/x-icon", cacheControl: ICON_CACHE },
  touchIcon: { path: "/apple-touch-icon.png", contentType: "image/png", cacheControl: ICON_CACHE },
  asset: {
    path: "/assets/{name}",
    contentType: PLAIN,
    cacheControl: "public, max-age=31536000, immutable",
  },
} as const satisfies Record<string, PageRoute>;

export type PageName = keyof typeof PAGE_ROUTES;

/** The policy of a page: it loads only its own files and the API beside it, and its forms lead to pages beside it. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** The policy of a page with listings, whose logos may be anywhere on the web. */
const LISTING_POLICY = PAGE_POLICY.replace("img-src 'self'", "img-src 'self' https:");
const LISTING_PAGES: readonly PageName[] = ["explorer", "category"];
/** The pages for people. */
const HTML_PAGES: readonly PageName[] = [
  ...(["page", "explorer", "standardsPage", "checkPage", "changes", "apiPage"] as const),
  ...(["categoriesPage", "category", "matrix", "compare"] as const),
];
/** The policy of any other file, in case someone opens it as a page. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
/** A worker has the policy of its own script, not of the page. It reads the files beside it. */
const ASSET_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/**
 * For answers that only some clients get at an address, by their `Accept`: an agent the Markdown of a report, a browser
 * the page about the API. Some shared caches ignore `Vary`, and would hand them to all.
 */
export const NEGOTIATED = "private, max-age=0, must-revalidate";

/**
 * The headers of a route's 200 and 304 answers, except those that depend on the bytes.
 * @param host the report's host; "" if the route has none
 * @param query the query that selects a historical report: `?scan=<id>`, or "" for the latest
 * @param isMarkdown whether the answer to a page's address is its Markdown form
 */
export function pageHeaders(
  name: PageName,
  host: string,
  query: string,
  isMarkdown: boolean,
): Record<string, string> {
  const { cacheControl = CACHE_CONTROL.directory }: PageRoute = PAGE_ROUTES[name];
  const isPage = HTML_PAGES.includes(name) && !isMarkdown;
  const isForSome = isMarkdown || name === "apiPage";
  const headers: Record<string, string> = {
    ...COMMON_HEADERS,
    Vary: ["page", "apiPage"].includes(name) ? "Accept, Accept-Encoding" : "Accept-Encoding",
    "Cache-Control": isForSome ? NEGOTIATED : cacheControl,
    "Content-Security-Policy": isPage
      ? pagePolicy(name)
      : name === "asset"
        ? ASSET_POLICY
        : FILE_POLICY,
    "Referrer-Policy": "strict-origin-when-cross-origin",
  };
  const link = linkHeader(name, host, query);
  if (link !== null) headers.Link = link;
  if (isPage) headers["Cross-Origin-Opener-Policy"] = "same-origin";
  return headers;
}

/** The other formats of a page (RFC 8288). Their addresses are relative, so that they work under any base address. */
function linkHeader(name: PageName, host: string, query: string): string | null {
  const json = (path: string) => `<${path}${query}>; rel="alternate"; type="application/json"`;
  if (name === "apiPage") return `<api/openapi.json>; rel="service-desc"; type="application/json"`;
  if (name === "standardsPage") return `<api/standards>; rel="alternate"; type="application/json"`;
  if (name === "page") {
    return (
      `<${host}/report.md${query}>; rel="alternate"; type="${MARKDOWN_TYPE}", ` +
      `${json(`../api/sites/${host}/report`)}`
    );
  }
  if (name === "markdown" || name === "task") {
    return `<../${host}>; rel="canonical", ${json(`../../api/sites/${host}/report`)}`;
  }
  return null;
}

/** For pages that search engines must not show: reports marked as such, historical reports, and searches. */
export const NO_INDEX = { "X-Robots-Tag": "noindex" } as const;

function pagePolicy(name: PageName): string {
  return LISTING_PAGES.includes(name) ? LISTING_POLICY : PAGE_POLICY;
}
