import { INLINE } from "#scripts/names";
import { FIGURES_DOCUMENT } from "../../contract/figures.js";
import { LIST_FILTER_NAMES, type ListFilterName } from "../../contract/filters.js";
import { COMMON_HEADERS, MARKDOWN_TYPE } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { namesOf, tableOf } from "../../contract/tables.js";
import {
  ASSET_NAME,
  CATEGORY_SITEMAP,
  categoryPageNamed,
  FEED_TYPES,
  type FeedForm,
  type FigureKind,
  feedNamed,
  sitemapNamed,
} from "./page-names.js";

/** An address outside the API: a page, or a file for pages or crawlers. */
export interface PageRoute {
  /** Segments in braces are path parameters. */
  readonly path: string;
  readonly contentType: string;
  /** Default: that of the directory's reads. */
  readonly cacheControl?: string;
  /** `Content-Security-Policy`. Default: that of a file, in case someone opens it as a page. */
  readonly policy?: string;
  /** Whether only a browser gets it: to programs, the address is a 404. */
  readonly isForBrowsers?: true;
  /** Whether a client can ask for it as Markdown, with `Accept`. */
  readonly hasMarkdown?: true;
  /** Whether `?scan=` selects a historical report. Other parameters are ignored: links pick up unrelated ones. */
  readonly hasScan?: true;
  /** Whether search engines may show it even if it has a query. */
  readonly isIndexedWithQuery?: true;
  /** Whether its errors are those of the API, even for people. */
  readonly hasApiErrors?: true;
  /** Whether an error may name it as the address that was meant. Its only parameter is a host. */
  readonly isSuggested?: true;
  /** Whether there can be such a page in any directory. Default: for any parameter. */
  readonly fits?: (parameter: string) => boolean;
  /** Whether it is a PNG of a drawing, and so needs `Tools.rasterize`. Default: no. */
  readonly needsRasterizer?: (parameter: string) => boolean;
  /** The filter whose slug begins the path parameter. A former slug redirects. Default: the parameter has none. */
  readonly term?: ListFilterName;
  /** The filters whose slugs are values of parameters of the query. Former slugs redirect. Default: none. */
  readonly queryTerms?: Readonly<Record<string, ListFilterName>>;
  /**
   * Links to other formats of the page (RFC 8288). They are relative, so that they work under any base address.
   * @param host the report's host; "" if the route has none
   * @param query the query that selects a historical report: `?scan=<id>`, or "" for the latest
   */
  readonly links?: (host: string, query: string) => string;
  /** The page's title in the navigation that all pages have. Default: it is not there. */
  readonly navigation?: string;
  /** The words of the link to it at the foot of all pages, among what a reader can follow. Default: there is none. */
  readonly following?: string;
  /** The words of the link to it from the page of the methodology. Default: there is none. */
  readonly ofStandards?: string;
  /** The address of the feed of a search that comes with it, to which the explorer links. */
  readonly searchFeed?: string;
  /** Whether a sitemap lists it: pages of categories in one of their own. Reports and checks are listed besides. */
  readonly isInSitemap?: true;
  /** How pages of categories lead to it. Its parameter is then the name of such a page. */
  readonly ofCategory?: CategoryLinks;
  /**
   * How reports lead to it from a check that their site does not pass. Its parameter is then a category's slug, and it
   * has an element with the anchor of each check that brings points and that a site of the category does not pass.
   */
  readonly ofFailedCheck?: (category: string) => string;
  /** How other pages lead to it with sites, which its query names as `sites`. */
  readonly ofSites?: SitesLinks;
  /** How reports lead to it with their site, and to the feeds of the site. */
  readonly follows?: FollowLinks;
  /** The files with a chart. @param slug of a category; null for the whole directory */
  readonly chartFiles?: (
    kind: FigureKind,
    slug: string | null,
    hasPictures: boolean,
  ) => readonly ChartFile[];
  /** What llms.txt says of it beside the list of categories: an address relative to `/`, and what is there. */
  readonly guide?: { readonly address: string; readonly says: string };
  /** The public document of a snapshot that it is, by its path. */
  readonly document?: string;
  /** The kinds of its files in a tree. Default: one, with the path's name, and `.html` for a page. */
  readonly files?: readonly string[];
  /** Whether it changes with every publication. Default: with those that change a listing, or its own listing. */
  readonly isNumbered?: true;
  /** The addresses to purge then; one that ends in `*` is a prefix. Default: the path, with `*` for a parameter. */
  readonly purged?: readonly string[];
}

/** The texts of links from pages of categories. */
interface CategoryLinks {
  /** From a category's page. */
  readonly link: string;
  /** From the list of categories. */
  readonly rowLink: string;
  /** Whether its parameter is the category's slug instead, as it is about all sites of the category. */
  readonly isOfAll?: true;
}

/** The texts by which other pages lead to a page with sites. */
interface SitesLinks {
  /** What the explorer calls ticking a site, and asking for the page. */
  readonly label: string;
  /** What the explorer says once sites are ticked. */
  readonly prompt: string;
  /** The link from a site's report. */
  readonly reportLink: (host: string) => string;
}

/** Addresses where a reader can follow a site, relative to `/`. */
interface FollowLinks {
  readonly feed: (host: string, form: FeedForm) => string;
  /** The page of several sites, with this one. */
  readonly list: (host: string) => string;
}

/** A file with a chart: its address relative to `/`, and what its format is called. */
export interface ChartFile {
  readonly address: string;
  readonly format: string;
}

/** A route among those of all pages. */
export interface NamedRoute extends PageRoute {
  /** Names the page in metrics. */
  readonly name: string;
  /** The name of the page that it follows in the navigation, in sitemaps and in trees. Default: it comes last. */
  readonly after?: string;
}

const XML = "application/xml; charset=utf-8";
export const HTML = "text/html; charset=utf-8";
export const MARKDOWN = `${MARKDOWN_TYPE}; charset=utf-8`;
const ATOM = `${FEED_TYPES.xml}; charset=utf-8`;
const SVG = "image/svg+xml";
const PNG = "image/png";
export const CSV = "text/csv; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
/** Icons have fixed names, so a browser asks for them again after a day. */
const ICON_CACHE = "public, max-age=86400";
const { catalogue } = CACHE_CONTROL;

/** The policy of a page: it loads only its own files and the API beside it, and its forms lead to pages beside it. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** The policy of the explorer: logos of listings may be anywhere on the web, and in a tree, a script is within it. */
export const EXPLORER_POLICY = PAGE_POLICY.replace(
  "img-src 'self'",
  "img-src 'self' https:",
).replace("script-src 'self'", `script-src 'self' 'sha256-${INLINE.sha256}'`);
/** The policy of any other file. */
export const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
/** A worker has the policy of its own script, not of the page. It reads the files beside it. */
const ASSET_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/** What most pages have in common. */
const HTML_PAGE = { contentType: HTML, policy: PAGE_POLICY } as const;
/** Whether a directory may have a page of a category with this name. */
const isCategoryPage = (name: string) => categoryPageNamed(name) !== null;
const jsonLink = (path: string) => `<${path}>; rel="alternate"; type="application/json"`;
const reportLinks = (host: string, query: string) =>
  `<../${host}>; rel="canonical", ${jsonLink(`../../api/sites/${host}/report${query}`)}`;

/** The addresses of the core outside the API, in the order of the navigation. `DRAWINGS` (answer) draws them. */
export const PAGE_ROUTES = {
  explorer: {
    ...HTML_PAGE,
    path: "/",
    policy: EXPLORER_POLICY,
    isSuggested: true,
    navigation: "Explore",
    isInSitemap: true,
    files: ["index.html"],
    queryTerms: tableOf(LIST_FILTER_NAMES, (name) => name),
    // Its data have the number of the publication as their version.
    isNumbered: true,
    purged: ["/", "/?*"],
  },
  // The second file of a page leads from a folder to it, in a tree whose links name files.
  categoriesPage: {
    ...HTML_PAGE,
    path: "/categories",
    isSuggested: true,
    navigation: "Categories",
    isNumbered: true,
    files: ["categories.html", "categories/index.html"],
    purged: ["/categories", "/categories?*"],
  },
  category: {
    ...HTML_PAGE,
    path: "/categories/{category}",
    isInSitemap: true,
    fits: isCategoryPage,
    term: "category",
  },
  standardsPage: {
    ...HTML_PAGE,
    path: "/standards",
    links: () => jsonLink("api/standards"),
    isSuggested: true,
    navigation: "How it works",
    isInSitemap: true,
    files: ["standards.html", "standards/index.html"],
  },
  /**
   * The page about the API. Its examples name a listing, so a browser must not reuse it after the listing is removed.
   * In a tree, programs get it, too.
   */
  apiPage: {
    ...HTML_PAGE,
    path: "/api",
    isForBrowsers: true,
    links: () => `<api/openapi.json>; rel="service-desc"; type="application/json"`,
    navigation: "API",
    files: ["api.html", "api/index.html"],
  },
  checkPage: { ...HTML_PAGE, path: "/checks/{check}", term: "capability" },
  page: {
    ...HTML_PAGE,
    path: "/sites/{host}",
    hasMarkdown: true,
    hasScan: true,
    links: (host, query) =>
      `<${host}/report.md${query}>; rel="alternate"; type="${MARKDOWN_TYPE}", ` +
      jsonLink(`../api/sites/${host}/report${query}`),
    isSuggested: true,
    files: ["sites/{host}.html", "sites/{host}/scans/{scan}.html", "sites/{host}/index.html"],
  },
  markdown: {
    path: "/sites/{host}/report.md",
    contentType: MARKDOWN,
    hasScan: true,
    hasApiErrors: true,
    links: reportLinks,
    isSuggested: true,
    files: ["sites/{host}/report.md", "sites/{host}/scans/{scan}.md"],
  },
  /** The failed checks of a report, as a task for a coding agent. */
  task: {
    path: "/sites/{host}/fix.md",
    contentType: MARKDOWN,
    hasApiErrors: true,
    links: reportLinks,
    isSuggested: true,
  },
  badge: {
    path: "/sites/{host}/badge.svg",
    contentType: SVG,
    isIndexedWithQuery: true,
    hasApiErrors: true,
    isSuggested: true,
  },
  robots: { path: "/robots.txt", contentType: PLAIN, cacheControl: catalogue, isSuggested: true },
  llms: { path: "/llms.txt", contentType: PLAIN, cacheControl: catalogue, isSuggested: true },
  sitemap: { path: "/sitemap.xml", contentType: XML, isSuggested: true },
  sitemapFile: {
    path: "/sitemaps/{name}",
    contentType: XML,
    fits: (name) => name === CATEGORY_SITEMAP || sitemapNamed(name) !== null,
    files: ["sitemaps/{sitemap}.xml"],
  },
  /** The figures of the directory, for scripts of pages. */
  figures: {
    path: `/${FIGURES_DOCUMENT}`,
    contentType: "application/json",
    isSuggested: true,
    document: FIGURES_DOCUMENT,
  },
  /** The page of all feeds, to which the foot of all pages leads. */
  feedsPage: {
    ...HTML_PAGE,
    path: "/feeds",
    isSuggested: true,
    isInSitemap: true,
    files: ["feeds.html", "feeds/index.html"],
  },
  feed: {
    path: "/feed.xml",
    contentType: ATOM,
    isSuggested: true,
    files: ["feed.xml", "feeds/{category}.xml"],
  },
  jsonFeed: {
    path: "/feed.json",
    contentType: FEED_TYPES.json,
    isSuggested: true,
    files: ["feed.json", "feeds/{category}.json"],
  },
  /** A category's feed, in one of the two forms above, depending on the name's ending; they have its files. */
  categoryFeed: {
    path: "/feeds/{name}",
    contentType: ATOM,
    fits: (name) => feedNamed(name) !== null,
    files: [],
    term: "category",
  },
  favicon: {
    path: "/favicon.ico",
    contentType: "image/x-icon",
    cacheControl: ICON_CACHE,
    purged: [],
  },
  touchIcon: {
    path: "/apple-touch-icon.png",
    contentType: PNG,
    cacheControl: ICON_CACHE,
    purged: [],
  },
  /** A script, a stylesheet or the icon. */
  asset: {
    path: "/assets/{name}",
    contentType: PLAIN,
    cacheControl: "public, max-age=31536000, immutable",
    policy: ASSET_POLICY,
    fits: (name) => ASSET_NAME.test(name),
    files: ["assets/{name}.css", "assets/{name}.js", "assets/{name}.svg"],
    purged: [],
  },
} as const satisfies Record<string, PageRoute>;

export type PageName = keyof typeof PAGE_ROUTES;

/** The routes of the core's pages. */
export const CORE_ROUTES: readonly NamedRoute[] = namesOf(PAGE_ROUTES).map((name) => ({
  name,
  ...PAGE_ROUTES[name],
}));

/** The pages of the core and those of extras, each in its place. */
export function joinedPages<T extends NamedRoute>(core: readonly T[], extra: readonly T[]): T[] {
  const joined = [...core];
  for (const page of extra) {
    const before = joined.findIndex(({ name }) => name === page.after);
    joined.splice(before < 0 ? joined.length : before + 1, 0, page);
  }
  return joined;
}

/**
 * For answers that only some clients get at an address, by their `Accept`: an agent the Markdown of a report, a browser
 * the page about the API. Some shared caches ignore `Vary`, and would hand them to all.
 */
export const NEGOTIATED = "private, max-age=0, must-revalidate";

/** For pages that search engines must not show: reports marked as such, historical reports, and searches. */
export const NO_INDEX = { "X-Robots-Tag": "noindex" } as const;

/** The kinds of a page's files in a tree; a part in braces stands for any segment. */
export function treeFilesOf({ path, contentType, files }: PageRoute): readonly string[] {
  return files ?? [path.slice(1) + (contentType === HTML ? ".html" : "")];
}

/** The headers by which a browser treats an answer, wherever it is served from. */
export function fileHeadersOf({ policy, cacheControl }: PageRoute): Record<string, string> {
  const isPage = policy === PAGE_POLICY || policy === EXPLORER_POLICY;
  return {
    "Cache-Control": cacheControl ?? CACHE_CONTROL.directory,
    "Content-Security-Policy": policy ?? FILE_POLICY,
    "Referrer-Policy": "strict-origin-when-cross-origin",
    ...(isPage && { "Cross-Origin-Opener-Policy": "same-origin" }),
  };
}

/**
 * The headers of a route's 200 and 304 answers, except those that depend on the bytes.
 * @param host, query see `PageRoute.links`
 * @param isMarkdown whether the answer to a page's address is its Markdown form
 */
export function pageHeaders(
  route: PageRoute,
  host = "",
  query = "",
  isMarkdown = false,
): Record<string, string> {
  const { isForBrowsers = false, hasMarkdown = false, links } = route;
  return {
    ...COMMON_HEADERS,
    Vary: isForBrowsers || hasMarkdown ? "Accept, Accept-Encoding" : "Accept-Encoding",
    ...fileHeadersOf(isMarkdown ? { ...route, policy: FILE_POLICY } : route),
    ...((isMarkdown || isForBrowsers) && { "Cache-Control": NEGOTIATED }),
    ...(links !== undefined && { Link: links(host, query) }),
  };
}
