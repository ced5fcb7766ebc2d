import { READ_HEADERS } from "../../contract/headers.js";
import { API_CATALOG_LINK } from "../../contract/openapi/api-catalog.js";
import { CACHE_CONTROL, ROUTES, type Route } from "../../contract/routes.js";
import { namesOf } from "../../contract/tables.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { MARKDOWN, PAGE_ROUTES, type PageName, pageHeaders } from "../../pages/kit/routes.js";

/** A file that answers an address, and the headers of that answer. */
export interface HostedFile {
  /** The path in the tree. A part in braces stands for any segment, and is the same as in the address. */
  readonly file: string;
  /** The file for `?scan={scan}`; null if the address has none. */
  readonly scanFile: string | null;
  /** Null if the file's ending decides (`TYPES`). */
  readonly contentType: string | null;
  /** All headers but the content type that do not depend on bytes. `{query}` stands for `?scan=<id>`, or for nothing. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Names that are more than any segment. Assets are of any version: pages load those of the version that wrote them. */
const NAMES: Readonly<Record<string, string>> = {
  "{category}": "[a-z0-9]+(?:-[a-z0-9]+)*(?:--(?:[2-9]|[1-9][0-9]+))?",
  "{feed}": "[a-z0-9]+(?:-[a-z0-9]+)*",
  "{sitemap}": "(?:[0-9-]+|categories)[.]xml",
  "{asset}": "[a-z]+-[0-9a-f]{8}[.](?:css|svg|js)",
};

/**
 * An address as a regular expression without anchors.
 * @param segment the expression of a part in braces: `[^/]*` or `[^/]+`, or one of them in parentheses
 */
export function addressPattern(path: string, segment: string): string {
  return path
    .replaceAll(".", "[.]")
    .replace(/\{\w+\}/g, (part) => segment.replace(/\[\^\/\][*+]/, (any) => NAMES[part] ?? any));
}

/** Addresses of one form, such as `/sites/{host}`, and the files of an exported tree that answer them. */
export interface HostedAddress extends HostedFile {
  readonly path: string;
  /** The answer to clients that ask for Markdown; null if it is no other one. */
  readonly markdown: HostedFile | null;
  /** Whether a query other than the scan's is an error. */
  readonly isStrict: boolean;
  /** Whether only a browser gets the answer: to programs, there is nothing at the address. */
  readonly isForBrowsers: boolean;
  /** When search engines must not show the answer: with any query, with a scan or the listing's mark, or never. */
  readonly hidden: "query" | "listing" | null;
  /** The error if the file is missing: the tree is damaged, or the address or the report does not exist. */
  readonly missing: "damaged" | "address" | "report";
}

const PLAIN = {
  scanFile: null,
  markdown: null,
  isStrict: false,
  isForBrowsers: false,
  hidden: null,
  missing: "address",
} as const;

/** Content types by a file's ending. */
export const TYPES: Readonly<Record<string, string>> = {
  html: PAGE_ROUTES.explorer.contentType,
  md: MARKDOWN,
  txt: PAGE_ROUTES.robots.contentType,
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  xml: PAGE_ROUTES.sitemap.contentType,
  svg: PAGE_ROUTES.badge.contentType,
  ico: PAGE_ROUTES.favicon.contentType,
  png: PAGE_ROUTES.touchIcon.contentType,
  json: ROUTES.standards.contentType,
  bin: "application/octet-stream",
  details: "application/octet-stream",
  gz: "application/gzip",
};

/** What a file's name ends in, without the dot; "" if it has no ending. */
export function endOf(file: string): string {
  return /\.(\w+)$/.exec(file)?.[1] ?? "";
}

const REPORT_FILES = {
  file: "api/sites/{host}/report.json",
  scanFile: "api/sites/{host}/scans/{scan}.json",
};
const PAGE = { file: "sites/{host}.html", scanFile: "sites/{host}/scans/{scan}.html" };
const TWIN = { file: "sites/{host}/report.md", scanFile: "sites/{host}/scans/{scan}.md" };

function apiAddresses(): HostedAddress[] {
  return namesOf(ROUTES).flatMap((name) => {
    const { path, contentType, cache, document }: Route = ROUTES[name];
    const headers: Record<string, string> = {
      ...READ_HEADERS,
      "Cache-Control": CACHE_CONTROL[cache],
      ...(name === "catalog" && { Link: API_CATALOG_LINK }),
    };
    const address = { ...PLAIN, path, contentType, headers };
    if (document !== undefined) {
      const answer = { ...address, file: document, missing: "damaged" } as const;
      // Scripts read the public documents by their files' names, in every tree.
      return path === `/${document}` ? answer : [answer, { ...answer, path: `/${document}` }];
    }
    const ofListing = { ...address, isStrict: true, missing: "report" } as const;
    if (name === "report") return { ...ofListing, ...REPORT_FILES };
    if (name === "enrichment") return { ...ofListing, file: "api/sites/{host}/enrichment.json" };
    // Search, suggestions and facets are computed.
    return [];
  });
}

function pageAddresses(): HostedAddress[] {
  const page = (name: PageName, more: Partial<HostedAddress> = {}): HostedAddress => {
    const { path, contentType } = PAGE_ROUTES[name];
    const headers = pageHeaders(name, "{host}", "{query}", false);
    return { ...PLAIN, path, file: path.slice(1), contentType, headers, ...more };
  };
  const categoryFeed = (name: "feed" | "jsonFeed", form: FeedForm) =>
    page(name, { path: `/feeds/{feed}.${form}`, file: `feeds/{feed}.${form}` });
  const markdown = {
    ...TWIN,
    contentType: MARKDOWN,
    headers: pageHeaders("page", "{host}", "{query}", true),
  };
  const ofListing = { hidden: "listing", missing: "report" } as const;
  const always = { missing: "damaged" } as const;
  return [
    page("explorer", { ...always, file: "index.html", hidden: "query" }),
    page("standardsPage", { ...always, file: "standards.html" }),
    page("apiPage", { ...always, file: "api.html", isForBrowsers: true }),
    page("category", { path: "/categories/{category}", file: "categories/{category}.html" }),
    page("page", { ...ofListing, ...PAGE, markdown }),
    page("markdown", { ...ofListing, ...TWIN }),
    page("badge", { missing: "report" }),
    page("card"),
    page("robots", always),
    page("llms", always),
    page("sitemap", always),
    page("figures"),
    page("feed", always),
    page("jsonFeed", always),
    page("favicon", always),
    page("touchIcon", always),
    categoryFeed("feed", "xml"),
    categoryFeed("jsonFeed", "json"),
    page("sitemapFile", { path: "/sitemaps/{sitemap}", file: "sitemaps/{sitemap}" }),
  ];
}

/** Files that only a tree has, at addresses of their own. */
function treeAddresses(): HostedAddress[] {
  const asset = pageHeaders("asset", "", "", false);
  const polled = { "Cache-Control": CACHE_CONTROL.polled };
  const own = (
    file: string,
    headers: Record<string, string>,
    contentType: string | null = null,
  ) => ({
    ...PLAIN,
    path: `/${file}`,
    file,
    contentType,
    headers,
  });
  return [
    own("assets/{asset}", asset),
    own("worker.js", { ...asset, ...polled }),
    own("data/current.json", { ...asset, ...polled }),
    own("data/{folder}/{name}", asset),
  ];
}

/** All addresses of a tree that a host's rules answer. */
export const HOSTED_ADDRESSES: readonly HostedAddress[] = [
  ...apiAddresses(),
  ...pageAddresses(),
  ...treeAddresses(),
];

/** The paths of the pages, and of the files beside them, to which the same path with a slash at its end leads. */
export const REDIRECTED_PATHS = [...pageAddresses(), ...treeAddresses().slice(0, 1)]
  .filter(({ path }) => path !== "/")
  .map(({ path }) => addressPattern(path, "[^/]+"))
  .join("|");

/** The headers of such a redirect. */
export const REDIRECT_HEADERS = pageHeaders("sitemap", "", "", false);
