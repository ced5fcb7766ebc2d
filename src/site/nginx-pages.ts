import { ERROR_TEXTS } from "../contract/error.js";
import { CANONICAL_HOST } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import { ASSET_NAMES } from "../pages/assets.js";
import { errorPage, errorPageHeaders, NOT_VALID } from "../pages/error-page.js";
import { MODULE_NAME } from "../pages/modules.js";
import { NO_INDEX, PAGE_ROUTES, type PageName, pageHeaders } from "../pages/routes.js";
import { LISTING_FOLDERS, NOINDEX, pathOf, REPORT } from "./files.js";
import { headerLines, location, METHOD_LINES, SIGNALS, text, when } from "./nginx-lines.js";

/* How nginx serves pages, and the files beside them, as runtime/pages.ts does. */

/** Types that are compressed, beside text/html, which always is. */
export const PAGE_TYPES = [
  ...new Set(
    [...Object.values(PAGE_ROUTES).map(({ contentType }) => contentType), ...ASSET_NAMES.keys()]
      .map((type) => type.replace(/;.*/, ""))
      .filter((type) => type !== "text/html"),
  ),
];

const SCAN = `[a-zA-Z0-9_-]{1,${LIMITS.scanIdMax}}`;
const HOST = "$crawldex_host";
const QUERY = "$crawldex_query";
/** Where a page that is asked for as Markdown goes on. */
const TWIN = "/crawldex/twin";
const ERROR_PAGES = "/crawldex/error";

/** What of a request pages depend on. */
export const PAGE_MAPS = `# The scan whose page is asked for, as a query; "bad" for one that cannot be a scan.
map $arg_scan ${QUERY} {
    default bad;
    ""      "";
    "~^(?<crawldex_id>${SCAN})$" "?scan=$crawldex_id";
}
map ${QUERY} $crawldex_page {
    default "scans/$arg_scan";
    ""      index;
}
map ${QUERY} $crawldex_twin {
    default "scans/$arg_scan";
    ""      report;
}
map $http_accept $crawldex_form {
    default page;
    ${text("~*(?:^|,)\\s*text/markdown\\s*(?:,|$)")} markdown;
}
map $crawldex_form$http_accept $crawldex_browser {
    default "";
    "~^page.*text/html" yes;
}
map $args $crawldex_start_robots {
    default ${NO_INDEX["X-Robots-Tag"]};
    ""      "";
}
map ${QUERY} $crawldex_latest_robots {
    default ${NO_INDEX["X-Robots-Tag"]};
    ""      "";
}
`;

/** What search engines are told of a listing: a file in its folder marks those that they are not to show. */
export const PAGE_RULES = `    set $crawldex_robots $crawldex_latest_robots;
    set $crawldex_person "";
    set $crawldex_mark "";
    if ($uri ~ "^/${LISTING_FOLDERS.pages}/([^/]+)") {
        set $crawldex_mark $document_root/${LISTING_FOLDERS.pages}/$1/${NOINDEX};
    }
    if (-f $crawldex_mark) {
        set $crawldex_robots ${NO_INDEX["X-Robots-Tag"]};
    }
`;

export function pageLocations(): string[] {
  return [
    ...onceLocation("explorer", "index.html", ["add_header X-Robots-Tag $crawldex_start_robots;"]),
    ...onceLocation("standardsPage", "standards.html", []),
    ...reportLocation(
      "page",
      `~ ${pattern("page")}`,
      ["set $crawldex_person $crawldex_browser;"],
      [
        "if ($crawldex_form = markdown) {",
        `    rewrite ^/${LISTING_FOLDERS.pages}/(.*)$ ${TWIN}/$1 last;`,
        "}",
      ],
    ),
    ...twinLocation(),
    ...reportLocation("markdown", `~ ${pattern("markdown")}`, [], []),
    ...badgeLocation(),
    ...(["robots", "llms", "sitemap"] as const).flatMap(guideLocation),
    ...location(`~ ${text("^/sitemaps/(?<crawldex_name>[0-9-]+\\.xml)$")}`, [
      ...METHOD_LINES,
      ...headers("sitemapFile"),
      "try_files /sitemaps/$crawldex_name =404;",
    ]),
    ...[...ASSET_NAMES].flatMap(assetLocation),
    ...location(`~ ${text(`^/assets/(?<crawldex_name>${MODULE_NAME.source.slice(1, -1)})$`)}`, [
      ...METHOD_LINES,
      ...headers("module"),
      "try_files /assets/$crawldex_name =404;",
    ]),
  ];
}

function reportLocation(
  name: "page" | "markdown",
  match: string,
  first: readonly string[],
  next: readonly string[],
): string[] {
  return location(match, [
    ...METHOD_LINES,
    ...first,
    ...hostLines(),
    ...when(`${QUERY} = bad`, SIGNALS.badQuery),
    ...next,
    ...headers(name, name === "markdown"),
    ROBOTS_LINE,
    fileLine(name === "markdown" ? "twin" : "page"),
  ]);
}

/** Where an error goes on that a person reads. */
export function forPerson(page: "invalid" | "missing"): string[] {
  return ["if ($crawldex_person = yes) {", `    rewrite ^ ${ERROR_PAGES}/${page} last;`, "}"];
}

export function errorPageLocations(): string[] {
  const headers = headerLines(PAGE_ROUTES.page.contentType, errorPageHeaders(), true);
  return [
    ...location(`= ${ERROR_PAGES}/invalid`, [
      ...["internal;", ...headers],
      pageLine(400, NOT_VALID),
    ]),
    ...location(`= ${ERROR_PAGES}/missing`, [
      ...["internal;", ...headers],
      `if (-f $document_root/${pathOf(HOST, REPORT)}) {`,
      `    ${pageLine(404, ERROR_TEXTS.noScan)}`,
      "}",
      pageLine(404, ERROR_TEXTS.noReport),
    ]),
  ];
}

function pageLine(status: number, error: string): string {
  return `return ${status} ${text(errorPage(error))};`;
}

/** A page that is asked for as Markdown: the address is the page's, and so are the links. */
function twinLocation(): string[] {
  return location(`~ ${text(`^${TWIN}/(?<crawldex_host>[^/]*)$`)}`, [
    "internal;",
    ...headerLines(PAGE_ROUTES.markdown.contentType, pageHeaders("page", HOST, QUERY, true), false),
    ROBOTS_LINE,
    fileLine("twin"),
  ]);
}

function badgeLocation(): string[] {
  return location(`~ ${pattern("badge")}`, [
    ...METHOD_LINES,
    ...hostLines(),
    ...headers("badge"),
    `try_files /${pathOf(HOST, "badge")} =${SIGNALS.noReport};`,
  ]);
}

/** A page that the tree has once. */
function onceLocation(
  name: "explorer" | "standardsPage",
  file: string,
  more: readonly string[],
): string[] {
  return location(`= ${PAGE_ROUTES[name].path}`, [
    ...METHOD_LINES,
    ...headers(name),
    ...more,
    `try_files /${file} =502;`,
  ]);
}

function guideLocation(name: "robots" | "llms" | "sitemap"): string[] {
  const { path } = PAGE_ROUTES[name];
  return location(`= ${path}`, [...METHOD_LINES, ...headers(name), `try_files ${path} =502;`]);
}

/** Of any version: a tree that another one exports is answered by the same configuration. */
function assetLocation([type, name]: readonly [string, RegExp]): string[] {
  return location(`~ ${text(`^/assets/(?<crawldex_name>${name.source.slice(1, -1)})$`)}`, [
    ...METHOD_LINES,
    ...headerLines(type, pageHeaders("asset", "", "", false), false),
    "try_files /assets/$crawldex_name =404;",
  ]);
}

/** nginx leaves out a header that is empty. */
const ROBOTS_LINE = "add_header X-Robots-Tag $crawldex_robots;";

function headers(name: PageName, isMarkdown = false): string[] {
  const { contentType } = PAGE_ROUTES[name];
  return headerLines(contentType, pageHeaders(name, HOST, QUERY, isMarkdown), false);
}

function hostLines(): string[] {
  return when(`${HOST} !~ ${text(CANONICAL_HOST.source)}`, SIGNALS.badHost);
}

/** The file of a page or its twin: a path of the tree in which variables stand for the latest or a scan's. */
function fileLine(form: "page" | "twin"): string {
  const ending = form === "page" ? "html" : "md";
  return `try_files /${LISTING_FOLDERS.pages}/${HOST}/$crawldex_${form}.${ending} =${SIGNALS.noReport};`;
}

function pattern(name: "page" | "markdown" | "badge"): string {
  const path = PAGE_ROUTES[name].path.replace(".", "\\.");
  return text(`^${path.replace("{host}", "(?<crawldex_host>[^/]*)")}$`);
}
