import { API_CATALOG_LINK } from "../contract/api-catalog.js";
import { ERROR_TEXTS, errorBody } from "../contract/error.js";
import { COMMON_HEADERS, METHODS, PREFLIGHT_HEADERS, READ_HEADERS } from "../contract/headers.js";
import { CANONICAL_HOST } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import { CACHE_CONTROL, PATH_PARAMETERS, ROUTES, type Route } from "../contract/routes.js";
import { pathOf, REPORT, scanName } from "./files.js";
import {
  addHeaders,
  constant,
  type Headers,
  headerLines,
  location,
  METHOD_LINES,
  SIGNALS,
  text,
  when,
} from "./nginx-lines.js";
import {
  errorPageLocations,
  forPerson,
  PAGE_MAPS,
  PAGE_RULES,
  PAGE_TYPES,
  pageLocations,
} from "./nginx-pages.js";

/** Bytes over which answers are compressed, as the runtime does (decisions, HTTP). */
const COMPRESS_FROM = 1025;

const HEAD = `# The public tree of "crawldex export", as nginx serves it. Include this file in nginx's http block, for
# instance as /etc/nginx/conf.d/crawldex.conf, and put in your own "listen" and "server_name".
#
# It answers as the runtime ("crawldex serve") does: every public document, the latest reports and
# enrichments, and ?scan=<id> for each scan that a listing's plan opens, as JSON, as pages and in Markdown; the explorer,
# the methodology, badges, sitemaps, robots.txt and llms.txt; with the same bodies, types, CORS, policies and Cache-Control, and the same errors. What only the runtime can answer:
# - search, suggestions and facets: they are computed, and so is the explorer's first state: here its script asks for it.
#   See the end of this file for a runtime beside nginx;
# - 403 for a scan that exists but that the plan does not open: here it is a 404, as any unknown scan;
# - 400 for a host of broken punycode ("xn--" and what it cannot stand for): here a 404, as any unknown host;
# - an Accept with weights: a page is Markdown here where text/markdown is named without one;
# - 400 for a page's scan= that is empty or given twice: here the first one counts;
# - which parameter of a bad query is wrong: here a 400 has no issues. A scan id must be written plainly;
# - /healthz, /readyz, /metrics.
# nginx's ETags are made of time and size: they differ between machines, and from the runtime's.
`;

/** What follows where a runtime runs beside nginx: nothing of it is on. */
const TAIL = `    # Where a runtime runs beside nginx, let it answer what only it can:
    # location ~ "^/(?:api/sites(?:/suggestions|/facets)?|healthz|readyz)$" {
    #     proxy_pass http://127.0.0.1:3000;
    # }
`;

/**
 * A path that nginx reads otherwise than its address is parted: dot segments, escaped slashes, a bare #; or
 * that its patterns do, whose `$` takes a line's end, too.
 */
const ODD_PATH = "[^?]*(?:%2[fF]|%0[aA]|#|/(?:\\.|%2[eE]){1,2}(?:[/?]|$))";
/** An address of a listing, whatever stands for its host. */
const LISTING_PATH =
  "(?:/api/sites/[^/?]*/(?:report|enrichment)|/sites/[^/?]*(?:/report\\.md|/badge\\.svg)?)(?:\\?|$)";

/**
 * A server's configuration for nginx (1.18 or newer, with PCRE) that serves an exported tree by the
 * contract's sections 4 and 7. Routes, types, lifetimes and texts come from the contract's own tables.
 * @param root the tree's absolute path
 * @throws SiteRefusedError where nginx cannot be told the path
 */
export function nginxConfig(root: string): string {
  return `${HEAD}
map $request_method $crawldex_method {
    default refused;
    GET     "";
    HEAD    "";
    OPTIONS preflight;
}
# The file of a listing that a report's query asks for; none for a query that is not valid.
map $args $crawldex_report {
    default "";
    ""      ${REPORT};
    "~^scan=(?<crawldex_scan>[a-zA-Z0-9_-]{1,${LIMITS.scanIdMax}})$" ${scanName("$crawldex_scan")};
}
${PAGE_MAPS}map $request_uri $crawldex_odd {
    default "";
    ${text(`~^(?=${ODD_PATH})${LISTING_PATH}`)} host;
    ${text(`~^${ODD_PATH}`)} nothing;
}

server {
    listen 80;
    listen [::]:80;
    server_name _;
    root ${constant(root)};

    # Only what is named below is answered: no listings of folders, no redirects, no names with dots.
    types {}
    charset off;
    merge_slashes off;
    disable_symlinks on from=$document_root;
    max_ranges 0;
    client_max_body_size 0;
    server_tokens off;
    gzip on;
    gzip_types ${["application/json", ROUTES.catalog.contentType, ...PAGE_TYPES].join(" ")};
    gzip_min_length ${COMPRESS_FROM};
    gzip_proxied any;

    error_page 404 = @crawldex_nothing;
    error_page 405 = @crawldex_method;
    error_page ${SIGNALS.preflight} = @crawldex_preflight;
    error_page ${SIGNALS.badHost} = @crawldex_host;
    error_page ${SIGNALS.badQuery} = @crawldex_query;
    error_page ${SIGNALS.noReport} = @crawldex_no_report;
    error_page 400 /crawldex/400;
    error_page 414 /crawldex/414;
    error_page 494 /crawldex/431;
    error_page 403 500 502 =502 /crawldex/502;

    if ($crawldex_odd = nothing) {
        return 404;
    }
    if ($crawldex_odd = host) {
        rewrite ^ /api/sites//report last;
    }
${PAGE_RULES}
${[...documentLocations(), ...listingLocations(), ...pageLocations(), ...errorLocations()].join("\n")}
    location / {
        return 404;
    }
${TAIL}}
`;
}

function documentLocations(): string[] {
  return Object.values<Route>(ROUTES).flatMap((route) => {
    if (route.document === undefined) return [];
    const link: Headers = route === ROUTES.catalog ? { Link: API_CATALOG_LINK } : {};
    return location(`= ${route.path}`, [
      ...METHOD_LINES,
      ...headerLines(route.contentType, { ...readHeaders(route), ...link }, false),
      `try_files /${route.document} =502;`,
    ]);
  });
}

function listingLocations(): string[] {
  return [
    ...listingLocation(ROUTES.report, "$crawldex_report", '$crawldex_report = ""'),
    ...listingLocation(ROUTES.enrichment, "enrichment", '$args != ""'),
  ];
}

function listingLocation(route: Route, name: string, badQuery: string): string[] {
  const path = route.path.replace("{host}", "(?<crawldex_host>[^/]*)");
  return location(`~ ${text(`^${path}$`)}`, [
    ...METHOD_LINES,
    ...when(`$crawldex_host !~ ${text(CANONICAL_HOST.source)}`, SIGNALS.badHost),
    ...when(badQuery, SIGNALS.badQuery),
    ...headerLines(route.contentType, readHeaders(route), false),
    `try_files /${pathOf("$crawldex_host", name)} =${SIGNALS.noReport};`,
  ]);
}

function errorLocations(): string[] {
  const { message } = PATH_PARAMETERS.host.safeParse("").error?.issues[0] ?? { message: "" };
  const noScan = `if (-f $document_root/${pathOf("$crawldex_host", REPORT)}) {`;
  return [
    ...location("@crawldex_nothing", failure(404, ERROR_TEXTS.noAddress)),
    ...errorPageLocations(),
    ...location("@crawldex_no_report", [
      ...forPerson("missing"),
      ...headerLines(ROUTES.report.contentType, errorHeaders(), true),
      noScan,
      `    ${bodyLine(404, errorBody(ERROR_TEXTS.noScan))}`,
      "}",
      bodyLine(404, errorBody(ERROR_TEXTS.noReport)),
    ]),
    ...location("@crawldex_method", failure(405, ERROR_TEXTS.badMethod, { Allow: METHODS })),
    ...location("@crawldex_preflight", [...addHeaders(PREFLIGHT_HEADERS, true), "return 204;"]),
    ...location("@crawldex_host", [
      ...forPerson("invalid"),
      ...headerLines(ROUTES.report.contentType, errorHeaders(), true),
      bodyLine(400, errorBody(ERROR_TEXTS.invalid, [{ path: "host", message }])),
    ]),
    ...location("@crawldex_query", [
      ...forPerson("invalid"),
      ...failure(400, "The query is not valid."),
    ]),
    ...location("= /crawldex/400", [
      "internal;",
      ...failure(400, "The request is not valid HTTP."),
    ]),
    ...location("= /crawldex/414", [
      "internal;",
      ...failure(414, "The request target is too long."),
    ]),
    ...location("= /crawldex/431", [
      "internal;",
      ...failure(431, "The request's head is too large."),
    ]),
    ...location("= /crawldex/502", ["internal;", ...failure(502, ERROR_TEXTS.damaged)]),
  ];
}

function readHeaders({ cache }: Route): Headers {
  return { ...READ_HEADERS, "Cache-Control": CACHE_CONTROL[cache] };
}

function errorHeaders(more: Headers = {}): Headers {
  return { ...COMMON_HEADERS, "Cache-Control": CACHE_CONTROL.error, ...more };
}

/** Lines that answer with the one error body. */
function failure(status: number, error: string, headers: Headers = {}): string[] {
  const type = ROUTES.report.contentType;
  return [...headerLines(type, errorHeaders(headers), true), bodyLine(status, errorBody(error))];
}

function bodyLine(status: number, body: object): string {
  return `return ${status} ${constant(JSON.stringify(body))};`;
}
