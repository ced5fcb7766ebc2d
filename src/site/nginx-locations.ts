import { ERROR_TEXTS, errorBody, type Issue } from "../contract/error.js";
import { CANONICAL_HOST, HOST_RULE } from "../contract/host.js";
import { errorPage, lostPage } from "../pages/kit/error-page.js";

const HOST_PATTERN = CANONICAL_HOST.source;
/** nginx inserts the error's text into the page. */
const ERROR_PAGE = errorPage("$crawldex_error");
const LOST_PAGE = lostPage(ERROR_TEXTS.noAddress, "$crawldex_lost");

/** An error body as a quoted string of nginx. */
function quotedBody(text: string, issues?: readonly Issue[]): string {
  return `'${JSON.stringify(errorBody(text, issues)).replaceAll("'", "\\'")}'`;
}

/**
 * Where nginx finds the files of an exported tree, and how it sends them. nginx leaves out a header whose variable is
 * empty. In a location, `if` blocks only return or rewrite: after any other block nginx forgets `try_files`.
 */
export const LOCATIONS = String.raw`location / {
    return 404;

    types {
        text/html html;
        text/markdown md;
        text/plain txt;
        text/css css;
        text/javascript js;
        application/xml xml;
        image/svg+xml svg;
    }
    default_type application/json;
    charset utf-8;
    charset_types text/markdown text/plain text/css text/javascript application/xml;
    disable_symlinks on from=$document_root;
    max_ranges 0;
    gzip on;
    gzip_types application/json application/linkset+json text/markdown image/svg+xml text/plain application/xml text/javascript text/css;
    gzip_min_length 1025;
    gzip_proxied any;

    add_header Access-Control-Allow-Origin * always;
    add_header Access-Control-Expose-Headers "ETag, Link, Retry-After" always;
    add_header X-Content-Type-Options nosniff always;
    add_header Vary $crawldex_vary always;
    add_header Cache-Control $crawldex_cache always;
    add_header Content-Security-Policy $crawldex_policy always;
    add_header Referrer-Policy $crawldex_referrer always;
    add_header Cross-Origin-Opener-Policy $crawldex_opener always;
    add_header Link $crawldex_link always;
    add_header X-Robots-Tag $crawldex_robots always;
    add_header Allow $crawldex_allow always;

    # The API.
    location ~ "^/api/(?:standards|categories|tags)$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        set $crawldex_cache "public, max-age=60";
        try_files $uri.json =502;
    }
    location ~ "^/(?:api/openapi\.json|robots\.txt|llms\.txt)$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        set $crawldex_cache "public, max-age=60";
        try_files $uri =502;
    }
    location = /.well-known/api-catalog {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        default_type application/linkset+json;
        set $crawldex_cache "public, max-age=60";
        set $crawldex_link '<../.well-known/api-catalog>; rel="api-catalog", <https://www.rfc-editor.org/info/rfc9727>; rel="profile"';
        try_files $uri =502;
    }
    location ~ "^/api/sites/(?<crawldex_host>[^/]*)/report$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        if ($crawldex_host !~ "${HOST_PATTERN}") { return 480; }
        if ($crawldex_report = "") { return 481; }
        try_files /api/sites/$crawldex_host/$crawldex_report.json =482;
    }
    location ~ "^/api/sites/(?<crawldex_host>[^/]*)/enrichment$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        if ($crawldex_host !~ "${HOST_PATTERN}") { return 480; }
        if ($args != "") { return 481; }
        set $crawldex_cache no-cache;
        try_files /api/sites/$crawldex_host/enrichment.json =482;
    }

    # Pages, and the files beside them.
    location = / {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        set $crawldex_policy $crawldex_form_policy;
        set $crawldex_opener same-origin;
        set $crawldex_robots $crawldex_explorer_robots;
        try_files /index.html =502;
    }
    location = /standards {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        set $crawldex_cache "public, max-age=60";
        set $crawldex_policy $crawldex_page_policy;
        set $crawldex_opener same-origin;
        set $crawldex_link '<api/standards>; rel="alternate"; type="application/json"';
        try_files /standards.html =502;
    }
    # Only browsers get this page. To programs, it is no address.
    location = /api {
        if ($crawldex_reader = "") { return 404; }
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        set $crawldex_vary "Accept, Accept-Encoding";
        set $crawldex_policy $crawldex_form_policy;
        set $crawldex_referrer strict-origin-when-cross-origin;
        set $crawldex_opener same-origin;
        set $crawldex_link '<api/openapi.json>; rel="service-desc"; type="application/json"';
        try_files /api.html =502;
    }
    location ~ "^/sites/(?<crawldex_host>[^/]*)$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        set $crawldex_person $crawldex_browser;
        if ($crawldex_host !~ "${HOST_PATTERN}") { return 480; }
        if ($crawldex_query = bad) { return 481; }
        set $crawldex_vary "Accept, Accept-Encoding";
        set $crawldex_link '<$crawldex_host/report.md$crawldex_query>; rel="alternate"; type="text/markdown", <../api/sites/$crawldex_host/report$crawldex_query>; rel="alternate"; type="application/json"';
        set $crawldex_robots $crawldex_page_robots;
        if ($crawldex_form = markdown) { rewrite ^ /crawldex/markdown last; }
        set $crawldex_policy $crawldex_page_policy;
        set $crawldex_opener same-origin;
        try_files /sites/$crawldex_host$crawldex_page.html =482;
    }
    location = /crawldex/markdown {
        internal;
        try_files /sites/$crawldex_host/$crawldex_twin.md =482;
    }
    location ~ "^/sites/(?<crawldex_host>[^/]*)/report\.md$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        if ($crawldex_host !~ "${HOST_PATTERN}") { return 480; }
        if ($crawldex_query = bad) { return 481; }
        set $crawldex_link '<../$crawldex_host>; rel="canonical", <../../api/sites/$crawldex_host/report$crawldex_query>; rel="alternate"; type="application/json"';
        set $crawldex_robots $crawldex_page_robots;
        try_files /sites/$crawldex_host/$crawldex_twin.md =482;
    }
    location ~ "^/sites/(?<crawldex_host>[^/]*)/badge\.svg$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        if ($crawldex_host !~ "${HOST_PATTERN}") { return 480; }
        try_files $uri =482;
    }
    location = /sitemap.xml {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        try_files $uri =502;
    }
    location ~ "^/sitemaps/[0-9-]+\.xml$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        try_files $uri =404;
    }
    # Of any version of crawldex: pages load the assets of the version that wrote them.
    location ~ "^/assets/(?:[a-z]+-[0-9a-f]{8}\.(?:css|svg)|[0-9a-f]{8}(?:/[a-z]+){1,2}/[a-z-]+\.js)$" {
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }
        set $crawldex_cache "public, max-age=31536000, immutable";
        try_files $uri =404;
    }

    # Errors.
    location = /crawldex/400 {
        internal;
        return 400 ${quotedBody("The request is not valid HTTP.")};
    }
    location = /crawldex/404 {
        internal;
        if ($crawldex_lost) { rewrite ^ /crawldex/lost.html last; }
        return 404 ${quotedBody(ERROR_TEXTS.noAddress)};
    }
    location = /crawldex/lost.html {
        internal;
        set $crawldex_vary "Accept, Accept-Encoding";
        set $crawldex_policy $crawldex_page_policy;
        set $crawldex_referrer strict-origin-when-cross-origin;
        set $crawldex_opener same-origin;
        return 404 '${LOST_PAGE}';
    }
    location = /crawldex/405 {
        internal;
        if ($crawldex_method = OPTIONS) { rewrite ^ /crawldex/preflight last; }
        set $crawldex_allow "GET, HEAD, OPTIONS";
        return 405 ${quotedBody(ERROR_TEXTS.badMethod)};
    }
    location = /crawldex/preflight {
        internal;
        add_header Access-Control-Allow-Origin * always;
        add_header Access-Control-Expose-Headers "ETag, Link, Retry-After" always;
        add_header X-Content-Type-Options nosniff always;
        add_header Allow "GET, HEAD, OPTIONS" always;
        add_header Access-Control-Allow-Methods "GET, HEAD, OPTIONS" always;
        add_header Access-Control-Allow-Headers "Accept, If-None-Match" always;
        add_header Access-Control-Max-Age 86400 always;
        return 204;
    }
    location = /crawldex/412 {
        internal;
        return 412 ${quotedBody("The stored answer does not match the condition of the request.")};
    }
    location = /crawldex/414 {
        internal;
        return 414 ${quotedBody(ERROR_TEXTS.tooLong)};
    }
    location = /crawldex/431 {
        internal;
        return 431 ${quotedBody("The request's head is too large.")};
    }
    location = /crawldex/502 {
        internal;
        return 502 ${quotedBody(ERROR_TEXTS.damaged)};
    }
    location = /crawldex/host {
        internal;
        if ($crawldex_person) { rewrite ^ /crawldex/invalid last; }
        return 400 ${quotedBody(ERROR_TEXTS.invalid, [{ path: "host", message: HOST_RULE }])};
    }
    location = /crawldex/query {
        internal;
        if ($crawldex_person) { rewrite ^ /crawldex/invalid last; }
        return 400 ${quotedBody("The query is not valid.")};
    }
    location = /crawldex/invalid {
        internal;
        set $crawldex_error "This address does not name a site by its canonical host, or a scan by its id.";
        rewrite ^ /crawldex/page.html last;
    }
    location = /crawldex/missing {
        internal;
        set $crawldex_error "${ERROR_TEXTS.noReport}";
        if (-f $document_root/api/sites/$crawldex_host/report.json) {
            set $crawldex_error "${ERROR_TEXTS.noScan}";
        }
        if ($crawldex_person) { rewrite ^ /crawldex/page.html last; }
        return 404 ${quotedBody("$crawldex_error")};
    }
    location = /crawldex/page.html {
        internal;
        set $crawldex_vary "Accept, Accept-Encoding";
        set $crawldex_policy $crawldex_page_policy;
        set $crawldex_referrer strict-origin-when-cross-origin;
        set $crawldex_opener same-origin;
        return 404 '${ERROR_PAGE}';
    }
}
`;
