import { ERROR_TEXTS, errorBody, type Issue } from "../contract/error.js";
import { CANONICAL_HOST, HOST_RULE } from "../contract/host.js";

import { CACHE_CONTROL } from "../contract/routes.js";
import { errorPage, lostPage, plainWay } from "../pages/kit/error-page.js";
import { type PageName, pageHeaders } from "../pages/kit/routes.js";
import {
  addressPattern,
  endOf,
  HOSTED_ADDRESSES,
  type HostedAddress,
  REDIRECTED_PATHS,
  TYPES,
} from "./hosts/address-files.js";

/** What the server sets for all files outside of the API. */
const FILE_POLICY = policyOf("robots");
const HOST_PATTERN = CANONICAL_HOST.source;
/** nginx inserts the error's text into the page. */
const ERROR_PAGE = errorPage("$crawldex_error", plainWay("../"));
const LOST_PAGE = lostPage(ERROR_TEXTS.noAddress, plainWay("$crawldex_lost/"));

function policyOf(name: PageName): string {
  return pageHeaders(name, "", "", false)["Content-Security-Policy"] ?? "";
}

/** An error body as a quoted string of nginx. */
function quotedBody(text: string, issues?: readonly Issue[]): string {
  return `'${JSON.stringify(errorBody(text, issues)).replaceAll("'", "\\'")}'`;
}

const READ_ONLY = 'if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 405; }';

/** Headers whose values locations set, and what the server has set already. */
const SET: readonly (readonly [header: string, variable: string, already: string])[] = [
  ["Cache-Control", "cache", CACHE_CONTROL.directory],
  ["Vary", "vary", "Accept-Encoding"],
  ["Link", "link", ""],
  ["Content-Security-Policy", "policy", FILE_POLICY],
  ["Cross-Origin-Opener-Policy", "opener", ""],
];
/** Variables with the policies of pages. */
const POLICIES = new Map([
  [policyOf("page"), "$crawldex_page_policy"],
  [policyOf("explorer"), "$crawldex_listing_policy"],
]);
/** Headers that a page has, but not its Markdown. */
const OF_PAGE = ["Content-Security-Policy", "Cross-Origin-Opener-Policy"];

/** Files that a query chooses, with the variables that it sets. */
const CHOSEN: Readonly<Record<string, string>> = {
  "api/sites/{host}/report.json": "api/sites/$crawldex_host/$crawldex_report.json",
  "sites/{host}.html": "sites/$crawldex_host$crawldex_longer$crawldex_page.html",
  "sites/{host}/report.md": "sites/$crawldex_host$crawldex_longer/$crawldex_twin.md",
};
/** Below `api/`, the variable is empty. */
const HOST_FOLDER = "$crawldex_host$crawldex_longer";
const MISSING = { damaged: 502, address: 404, report: 482 } as const;
const ROBOTS = { query: "$crawldex_explorer_robots", listing: "$crawldex_page_robots" } as const;

/** The location of an address: what is wrong with a request, the headers, the file. */
function locationOf(address: HostedAddress): string {
  const { path, file, isStrict, isForBrowsers, hidden, markdown, missing } = address;
  const hasHost = path.includes("{host}");
  const found = CHOSEN[file] ?? file.replace("{host}", HOST_FOLDER);
  const badQuery = CHOSEN[file] === undefined ? '$args != ""' : '$crawldex_report = ""';
  const lines = [
    isForBrowsers && 'if ($crawldex_reader = "") { return 404; }',
    READ_ONLY,
    markdown !== null && "set $crawldex_person $crawldex_browser;",
    hasHost && `if ($crawldex_host !~ "${HOST_PATTERN}") { return 480; }`,
    isStrict && `if (${badQuery}) { return 481; }`,
    hidden === "listing" && "if ($crawldex_query = bad) { return 481; }",
    hidden !== null && `set $crawldex_robots ${ROBOTS[hidden]};`,
    ...typeLines(address),
    ...setLines(address, (name) => !OF_PAGE.includes(name)),
    markdown !== null && "if ($crawldex_form = markdown) { rewrite ^ /crawldex/markdown last; }",
    ...setLines(address, (name) => OF_PAGE.includes(name)),
    `try_files ${/\{(?!host)/.test(file) ? ownPath(path) : `/${found}`} =${MISSING[missing]};`,
  ];
  const body = lines.filter((line) => line !== false).map((line) => `        ${line}\n`);
  const pattern = addressPattern(path, "[^/]+").replace(
    "/sites/[^/]+",
    "/sites/(?<crawldex_host>[^/]*)",
  );
  return `    location ~ "^${pattern}$" {\n${body.join("")}    }`;
}

/** Sets the type of a file that its ending does not tell. */
function typeLines({ file, contentType }: HostedAddress): string[] {
  const end = endOf(file);
  const [type = ""] = (contentType ?? TYPES[end] ?? "").split(";");
  if (contentType === null || contentType === (TYPES[end] ?? TYPES.json)) return [];
  return end === "" ? [`default_type ${type};`] : ["types {}", `default_type ${type};`];
}

/** The file of an address whose path names it. */
const ownPath = (path: string) => (path.startsWith("/categories/") ? "$uri.html" : "$uri");

function setLines({ headers }: HostedAddress, isIncluded: (name: string) => boolean): string[] {
  return SET.flatMap(([name, variable, already]) => {
    const value = headers[name];
    if (value === undefined || value === already || !isIncluded(name)) return [];
    const named = POLICIES.get(value);
    if (named !== undefined) return [`set $crawldex_${variable} ${named};`];
    const text = value
      .replaceAll("{host}", "$crawldex_host")
      .replaceAll("{query}", "$crawldex_query");
    return [`set $crawldex_${variable} '${text.replaceAll("'", "\\'")}';`];
  });
}

/** The headers of a page that is sent for an error. */
const PAGE_SETTINGS = `        set $crawldex_vary "Accept, Accept-Encoding";
        set $crawldex_policy $crawldex_page_policy;
        set $crawldex_referrer strict-origin-when-cross-origin;
        set $crawldex_opener same-origin;`;

/** Redirects a trailing slash to the page, if the tree has it. */
const SLASHED = `    location ~ "^(?<crawldex_to>${REDIRECTED_PATHS})/$" {
        set $crawldex_asked $crawldex_reader$crawldex_to;
        if ($crawldex_asked = /api) { return 404; }
        if ($crawldex_method !~ "^(?:GET|HEAD)$") { return 404; }
        if ($crawldex_to = /api) {
            set $crawldex_vary "Accept, Accept-Encoding";
            set $crawldex_policy "${FILE_POLICY}";
            set $crawldex_referrer strict-origin-when-cross-origin;
        }
        if (-f $document_root$crawldex_to) { return 308 "../$crawldex_last$is_args$args"; }
        if (-f $document_root$crawldex_to.html) { return 308 "../$crawldex_last$is_args$args"; }
        return 404;
    }
`;

/**
 * Where nginx finds the files of an exported tree, and how it sends them. nginx leaves out a header whose variable is
 * empty. In a location, `if` blocks only return or rewrite: after any other block nginx forgets `try_files`.
 */
export const LOCATIONS = `location / {
    return 404;

    types {
        text/html html;
        text/markdown md;
        text/plain txt;
        text/css css;
        text/javascript js;
        application/xml xml;
        image/svg+xml svg;
        image/x-icon ico;
        image/png png;
        application/octet-stream bin details deflate;
    }
    default_type application/json;
    charset utf-8;
    charset_types text/markdown text/plain text/css text/javascript application/xml application/atom+xml;
    disable_symlinks on from=$document_root;
    max_ranges 0;
    gzip on;
    gzip_types application/json application/linkset+json application/atom+xml application/feed+json text/markdown image/svg+xml text/plain application/xml text/javascript text/css;
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

${HOSTED_ADDRESSES.map(locationOf).join("\n")}
${SLASHED}    location = /crawldex/markdown {
        internal;
        try_files /sites/${HOST_FOLDER}/$crawldex_twin.md =482;
    }

    # Errors.
    location = /crawldex/400 {
        internal;
        return 400 ${quotedBody("The request is not valid HTTP.")};
    }
    location = /crawldex/404 {
        internal;
        if ($crawldex_lost) { rewrite ^ /crawldex/lost.html last; }
        if ($crawldex_nothing) { rewrite ^ /crawldex/nothing last; }
        return 404 ${quotedBody(ERROR_TEXTS.noAddress)};
    }
    # The tree's own page, unless it has none.
    location = /crawldex/nothing {
        internal;
${PAGE_SETTINGS}
        try_files /404.html /crawldex/nothing.json;
    }
    location = /crawldex/nothing.json {
        internal;
        set $crawldex_vary "";
        set $crawldex_policy "";
        set $crawldex_referrer "";
        set $crawldex_opener "";
        return 404 ${quotedBody(ERROR_TEXTS.noAddress)};
    }
    location = /crawldex/lost.html {
        internal;
${PAGE_SETTINGS}
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
        set $crawldex_kind "";
        if (-f $document_root/worker.js) { set $crawldex_kind packed; }
        set $crawldex_kind $crawldex_kind$crawldex_person;
        if ($crawldex_kind = packedyes) { rewrite ^ /crawldex/packed last; }
        if ($crawldex_kind = packed) { rewrite ^ /crawldex/404 last; }
        set $crawldex_error "${ERROR_TEXTS.noReport}";
        if (-f $document_root/api/sites/$crawldex_host/report.json) {
            set $crawldex_error "${ERROR_TEXTS.noScan}";
        }
        if ($crawldex_person) { rewrite ^ /crawldex/page.html last; }
        return 404 ${quotedBody("$crawldex_error")};
    }
    # In a packed tree, this page starts the script that answers reports.
    location = /crawldex/packed {
        internal;
${PAGE_SETTINGS}
        try_files /404.html =404;
    }
    location = /crawldex/page.html {
        internal;
${PAGE_SETTINGS}
        return 404 '${ERROR_PAGE}';
    }
}
`;
