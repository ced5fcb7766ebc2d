import { LOCATIONS } from "./nginx-locations.js";
import { SiteRefusedError } from "./record.js";

/** The name of the included file in the example of a server block. */
const INCLUDED = "crawldex-locations.conf";

/**
 * An example of a server block for nginx that includes `nginxLocations`. Operators change it as they like.
 * @param root the tree's absolute path
 * @param included the file with the locations
 * @throws SiteRefusedError if the path contains a `$`, for which nginx has no escape
 */
export function nginxServer(root: string, included: string = INCLUDED): string {
  if (root.includes("$")) {
    throw new SiteRefusedError(
      `nginx reads a $ as a variable, so its root cannot be ${root}; use a path without a $`,
    );
  }
  return `# An example of a server for a tree written by "crawldex export". This file is yours: change it as you like.
server {
    listen 80;
    listen [::]:80;
    server_name _;
    root '${root.replace(/[\\']/g, "\\$&")}';

    # Printed by: crawldex export --print-nginx <site>
    include ${included};
}
`;
}

/**
 * The locations of any exported tree, for a server block of nginx (1.18 or newer, with PCRE): nginx then answers as
 * the runtime does (contract, sections 4 and 7).
 * @param runtime the origin of a runtime that answers search, suggestions, facets and health checks, such as
 *   `http://127.0.0.1:3000`; null if there is none
 */
export function nginxLocations(runtime: string | null): string {
  return `${FIRST_LINES}${SETTINGS}${LOCATIONS}${runtime === null ? "" : proxied(runtime)}`;
}

function proxied(runtime: string): string {
  return `
# The runtime computes these answers, and sends their headers.
location ~ "^/(?:api/sites(?:/suggestions|/facets)?|healthz|readyz)$" {
    proxy_pass ${runtime};
    proxy_http_version 1.1;
    proxy_request_buffering off;
}
`;
}

const FIRST_LINES = `# The locations of a tree written by "crawldex export". Include this file in a server block whose root is the tree.
# Your own settings belong in the server block: print this file again after an upgrade of crawldex.
#
# nginx answers as "crawldex serve" does, with the same bodies, headers and errors. The differences:
# - search, suggestions, facets, /healthz and /readyz are 404, unless a runtime is given with --runtime;
# - the explorer's page has the first results: its script finds the others;
# - of a packed tree, reports have no files: a script answers them in browsers;
# - a scan that a listing's plan does not include is 404 instead of 403;
# - a host with broken punycode is 404 instead of 400;
# - no error names the address or the host that was probably meant;
# - the 400 of an invalid query has no issues; scan ids cannot be percent-encoded;
# - an empty or repeated scan= in a page's query is not an error;
# - a page is Markdown only if Accept names text/markdown without a weight;
# - ETags come from time and size: they differ between machines;
# - /metrics does not exist.
`;

/** The server's part. Variables are set here, because inside a location an `if` with a `set` would end it. */
const SETTINGS = String.raw`
merge_slashes off;
client_max_body_size 0;
server_tokens off;

# Locations return 480 to 482 to name an error. Clients never see these codes.
error_page 400 =400 /crawldex/400;
error_page 404 =404 /crawldex/404;
error_page 405 = /crawldex/405;
error_page 412 =412 /crawldex/412;
error_page 414 =414 /crawldex/414;
error_page 480 =400 /crawldex/host;
error_page 481 =400 /crawldex/query;
error_page 482 =404 /crawldex/missing;
error_page 494 =431 /crawldex/431;
error_page 403 500 502 =502 /crawldex/502;

# The values of headers. These first ones are for errors: nginx starts here again with an error's address, as a GET.
set $crawldex_cache no-store;
set $crawldex_vary "";
set $crawldex_policy "";
set $crawldex_referrer "";
set $crawldex_opener "";
set $crawldex_link "";
set $crawldex_robots "";
set $crawldex_allow "";
set $crawldex_page_policy "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
set $crawldex_listing_policy "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
set $crawldex_odd "";
if ($uri !~ "^/crawldex/") {
    set $crawldex_cache "public, max-age=0, s-maxage=60, must-revalidate";
    set $crawldex_vary Accept-Encoding;
    set $crawldex_method $request_method;
    set $crawldex_odd $request_uri;
    set $crawldex_person "";
}
if ($uri !~ "^/(?:api|\.well-known|crawldex)/") {
    set $crawldex_policy "default-src 'none'; frame-ancestors 'none'; sandbox";
    set $crawldex_referrer strict-origin-when-cross-origin;
}

# The file that a report's query names; "" if the query is not valid.
set $crawldex_report "";
set $crawldex_explorer_robots noindex;
if ($args = "") {
    set $crawldex_report report;
    set $crawldex_explorer_robots "";
}
if ($args ~ "^scan=([a-zA-Z0-9_-]{1,128})$") {
    set $crawldex_report scans/$1;
}

# A page's query, "bad" if its scan is not valid; the names of the page and of its Markdown twin.
set $crawldex_query bad;
set $crawldex_page "";
set $crawldex_twin "";
set $crawldex_page_robots noindex;
if ($arg_scan = "") {
    set $crawldex_query "";
    set $crawldex_page "";
    set $crawldex_twin report;
    set $crawldex_page_robots "";
}
if ($arg_scan ~ "^[a-zA-Z0-9_-]{1,128}$") {
    set $crawldex_query "?scan=$arg_scan";
    set $crawldex_page "/scans/$arg_scan";
    set $crawldex_twin "scans/$arg_scan";
}
# The files of a host that ends in .html have a longer name: the page of another host may lie at this one.
set $crawldex_longer "";
if ($uri ~ "^/sites/[^/]+\.html(?:/|$)") {
    set $crawldex_longer _;
}
# The file "noindex" marks a listing that search engines must not show.
set $crawldex_mark "";
if ($uri ~ "^/sites/([^/]+)") {
    set $crawldex_mark $document_root/sites/$1$crawldex_longer/noindex;
}
if (-f $crawldex_mark) {
    set $crawldex_page_robots noindex;
}

# Whether a page is sent as Markdown, and its errors as pages.
set $crawldex_form page;
if ($http_accept ~* "(?:^|,)\s*text/markdown\s*(?:,|$)") {
    set $crawldex_form markdown;
}
set $crawldex_accept $crawldex_form$http_accept;
set $crawldex_browser "";
if ($crawldex_accept ~ "^page.*text/html") {
    set $crawldex_browser yes;
}

# Whether a browser asks. At an unknown address up to four levels below /api, it gets a page: its path to the root.
set $crawldex_reader "";
if ($http_accept ~ "text/html") {
    set $crawldex_reader yes;
}
set $crawldex_lost "";
set $crawldex_asked $crawldex_reader$request_uri;
if ($crawldex_asked ~ "^yes/api(?:/[^/?]*){1,4}(?:\?|$)") {
    set $crawldex_lost "..";
}
if ($crawldex_asked ~ "^yes/api(?:/[^/?]*){2,4}(?:\?|$)") {
    set $crawldex_lost "../$crawldex_lost";
}
if ($crawldex_asked ~ "^yes/api(?:/[^/?]*){3,4}(?:\?|$)") {
    set $crawldex_lost "../$crawldex_lost";
}
if ($crawldex_asked ~ "^yes/api(?:/[^/?]*){4}(?:\?|$)") {
    set $crawldex_lost "../$crawldex_lost";
}

# Whether a browser asks anywhere else: it gets a page, too.
set $crawldex_nothing "";
if ($crawldex_asked ~ "^yes(?!/api/)") {
    set $crawldex_nothing yes;
}

# The last segment of a path that ends in a slash, as it was sent.
set $crawldex_last "";
if ($request_uri ~ "^[^?]*/([^/?]+)/(?:\?|$)") {
    set $crawldex_last $1;
}

# nginx splits these paths differently from the API: dot segments, escaped slashes, line ends, a bare "#".
if ($crawldex_odd !~ "^[^?]*(?:%2[fF]|%0[aA]|#|/(?:\.|%2[eE]){1,2}(?:[/?]|$))") {
    set $crawldex_odd "";
}
if ($crawldex_odd ~ "^/sites/[^/?]*(?:\?|$)") {
    rewrite ^ /sites/ last;
}
if ($crawldex_odd ~ "^(?:/api/sites/[^/?]*/(?:report|enrichment)|/sites/[^/?]*(?:/report\.md|/badge\.svg)?)(?:\?|$)") {
    rewrite ^ /api/sites//report last;
}
if ($crawldex_odd) {
    rewrite ^ /crawldex/odd last;
}

`;
