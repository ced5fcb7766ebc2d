import { COMMON_HEADERS, METHODS, PREFLIGHT_HEADERS } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { errorPageHeaders } from "../../pages/kit/error-page.js";
import { NO_INDEX } from "../../pages/kit/routes.js";
import {
  addressPattern,
  HOSTED_ADDRESSES,
  type HostedAddress,
  type HostedFile,
  REDIRECT_HEADERS,
  REDIRECTED_PATHS,
  TYPES,
} from "./address-files.js";
import { HOST_ERRORS, LOST_LEVELS, lostPageAt, reportErrorPage } from "./host-errors.js";
import { type HostFacts, type HostRules, NO_FILES } from "./host-rules.js";

/** Directives for the block of a site of Caddy (2.6 or newer), to be imported. */
export function caddyRules(facts: HostFacts): HostRules {
  return { files: NO_FILES, beside: new Map([[".Caddyfile", caddyfile(facts)]]) };
}

type Lines = readonly string[];
const block = (head: string, lines: Lines) => [`${head} {`, ...lines.map((one) => `\t${one}`), "}"];

function caddyfile(facts: HostFacts): string {
  const { root, base, isPacked } = facts;
  const site = [
    `root * ${quoted(root)}`,
    ...block("header", headers(COMMON_HEADERS)),
    "encode gzip",
    ...matchers(base),
    ...block("route", [
      ...SLASHED,
      ...checks(isPacked),
      ...HOSTED_ADDRESSES.flatMap(caddyHandle),
      ...LOST,
      caddyError("address"),
    ]),
  ];
  return [
    FIRST_LINES,
    ...(base === "/" ? site : block(`handle_path ${base}*`, site)),
    ...errorRoute(facts),
    "",
  ].join("\n");
}

const FIRST_LINES = `# A tree written by "crawldex export --for caddy", which writes this file again after each export.
# Import it in the block of your site:
#   directory.example {
#       import /srv/site.Caddyfile
#   }`;

/** A text as a token. */
const quoted = (text: string) => `\`${text}\``;

const headers = (all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([name, value]) => `${name} ${quoted(caddyHeader(value))}`);

const caddyHeader = (value: string) =>
  value.replaceAll("{host}", "{re.host.1}").replaceAll("{query}", "{vars.query}");

/** An error's directive. Its message is the body. */
function caddyError(name: keyof typeof HOST_ERRORS, matcher = ""): string {
  const { json, status } = HOST_ERRORS[name];
  return `error ${matcher} ${quoted(json)} ${status}`;
}

/** The rules know no name of the directory: Caddy would read some of its characters as placeholders. */
const NAMELESS = "";

/** The directives of an error that has a page for people. */
function failToAll(name: "host" | "query" | "report" | "scan", matcher: string): Lines {
  const { page, status } = HOST_ERRORS[name];
  return block(`route ${matcher}`, [
    `error @person ${quoted(reportErrorPage(page, NAMELESS))} ${status}`,
    caddyError(name),
  ]);
}

const SCAN = "[a-zA-Z0-9_-]{1,128}";
/** Three patterns in place of one, because RE2 has no lookahead. */
const IS_HOST = [
  '{re.host.1}.matches("^.{1,253}$")',
  '!{re.host.1}.matches("^www[.]")',
  '{re.host.1}.matches("^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?[.])+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$")',
].join(" && ");

const KNOWN = HOSTED_ADDRESSES.filter(({ isForBrowsers }) => !isForBrowsers)
  .map(({ path }) => addressPattern(path, "[^/]*"))
  .join("|");
const NOT_MARKDOWN = String.raw`header_regexp Accept (?i)(?:^|,)\s*text/markdown\s*(?:,|$)`;

/** @param base the path of the tree, which the addresses that they see do not have */
const matchers = (base: string): Lines => [
  // Paths that Caddy reads differently from the API: dot segments, escaped slashes, double slashes.
  '@odd expression `{http.request.orig_uri}.matches("^[^?]*(?:%2[fF]|%0[aA]|#|//|/(?:[.]|%2[eE]){1,2}(?:[/?]|$))")`',
  `@known path_regexp ^(?:${KNOWN})$`,
  ...block("@knownToBrowsers", ["path /api", "header Accept *text/html*"]),
  `@markdown ${NOT_MARKDOWN}`,
  ...block("@person", [
    "header Accept *text/html*",
    `not ${NOT_MARKDOWN}`,
    // Of the request as it was sent: another file may be looked for by now.
    `expression ${quoted(`{http.request.orig_uri.path}.matches("^${addressPattern(base, "")}sites/[^/]*$")`)}`,
  ]),
  "@preflight method OPTIONS",
  "@other not method GET HEAD",
  '@queried expression `{query} != ""`',
  "@listing path_regexp host ^/(?:api/)?sites/([^/]*)",
  // The files of such a host have a longer name: the page of another one may lie at this.
  "@longer path_regexp ^/sites/[^/]+[.]html(?:/|$)",
  `@badHost expression ${quoted(`!(${IS_HOST})`)}`,
  `@scan vars_regexp scan {query} (?:^|&)scan=(${SCAN})(?:&|$)`,
  ...block("@badQuery", [
    "path_regexp ^/api/sites/[^/]*/(?:report|enrichment)$",
    `expression ${quoted(`!({query} == "" || {path}.endsWith("/report") && {query}.matches("^scan=${SCAN}$"))`)}`,
  ]),
  ...block("@badPageQuery", [
    "path_regexp ^/sites/[^/]*(?:/report[.]md)?$",
    `expression ${quoted(`{query}.matches("(?:^|&)scan=.") && !{query}.matches("(?:^|&)scan=${SCAN}(?:&|$)")`)}`,
  ]),
  ...block("@noReport", [
    "not file /sites/{re.host.1}{vars.longer}.html /api/sites/{re.host.1}/report.json",
  ]),
  ...block("@marked", ["path /sites/*", "file /sites/{re.host.1}{vars.longer}/noindex"]),
  "@missing not file",
  ...Object.keys(TYPES).map((end) => `@${end} path *.${end}`),
];

/** Redirects a trailing slash to the page. */
const SLASHED: Lines = [
  ...block("@slashed", [
    "method GET HEAD",
    `path_regexp slash ^(${REDIRECTED_PATHS})/$`,
    "vars_regexp last {path} ([^/]+)/$",
  ]),
  "@there file {re.slash.1}.html {re.slash.1}",
  ...block("@slashedApi", ["path /api/"]),
  ...block("@noBrowser", ["path /api/", "not header Accept *text/html*"]),
  ...block("route @slashed", [
    caddyError("address", "@noBrowser"),
    ...block("route @there", [
      ...block("header", headers(REDIRECT_HEADERS)),
      `header @slashedApi Vary "Accept, Accept-Encoding"`,
      "header Location ../{re.last.1}",
      "header @queried Location ../{re.last.1}?{query}",
      "respond 308",
    ]),
  ]),
];

const METHOD_CHECKS: Lines = [
  ...block("header @preflight", headers(PREFLIGHT_HEADERS)),
  "respond @preflight 204",
  caddyError("method", "@other"),
];

/** A page starts the script that answers the reports of a packed tree. */
const PACKED_REPORT: Lines = [
  ...block("handle @person", [
    "rewrite * /404.html",
    ...block("header", headers({ ...errorPageHeaders(), "Content-Type": TYPES.html ?? "" })),
    ...block("file_server", ["disable_canonical_uris", "status 404"]),
  ]),
  caddyError("address"),
];

const checks = (isPacked: boolean): Lines => [
  caddyError("address", "@odd"),
  ...block("route @known", METHOD_CHECKS),
  ...block("route @knownToBrowsers", METHOD_CHECKS),
  ...block("route @listing", [
    'vars query ""',
    'vars longer ""',
    'vars @longer longer "_"',
    'vars @scan query "?scan={re.scan.1}"',
    ...block("route @known", [
      ...failToAll("host", "@badHost"),
      ...failToAll("query", "@badPageQuery"),
      caddyError("query", "@badQuery"),
      ...(isPacked ? block("route @noReport", PACKED_REPORT) : failToAll("report", "@noReport")),
    ]),
  ]),
];

/** The directives that answer an address. */
function caddyHandle(address: HostedAddress, index: number): Lines {
  const { path, isForBrowsers, markdown } = address;
  const pattern = addressPattern(path, "([^/]+)");
  const matched = [
    `path_regexp at ^${pattern}$`,
    ...(isForBrowsers ? ["header Accept *text/html*"] : []),
  ];
  const sent =
    markdown === null
      ? answerLines(address, address)
      : [
          ...block("handle @markdown", block("route", answerLines(address, markdown))),
          ...block("handle", block("route", answerLines(address, address))),
        ];
  return [...block(`@at${index}`, matched), ...block(`handle @at${index}`, block("route", sent))];
}

function answerLines({ hidden, missing }: HostedAddress, sent: HostedFile): Lines {
  const { file, scanFile, contentType } = sent;
  const place = (path: string) => {
    let group = 0;
    return path.replace(/\{(\w+)\}/g, (_, name) => {
      if (name === "scan") return "{re.scan.1}";
      group += 1;
      return `{re.at.${group}}${path.startsWith("sites/") ? "{vars.longer}" : ""}`;
    });
  };
  const scan =
    scanFile === null
      ? []
      : block("route @scan", [
          `rewrite * /${place(scanFile)}`,
          ...failToAll("scan", "@missing"),
          ...(hidden === "listing" ? [`header ${headers(NO_INDEX)[0]}`] : []),
          ...sendLines(sent),
        ]);
  const isReport = missing === "report";
  return [
    ...scan,
    `rewrite * /${place(file)}`,
    caddyError(isReport ? "report" : missing, "@missing"),
    ...(hidden === "listing" ? [`header @marked ${headers(NO_INDEX)[0]}`] : []),
    ...(hidden === "query" ? [`header @queried ${headers(NO_INDEX)[0]}`] : []),
    ...(contentType === null
      ? Object.entries(TYPES).map(([end, type]) => `header @${end} Content-Type ${quoted(type)}`)
      : []),
    ...sendLines(sent),
  ];
}

function sendLines({ headers: all, contentType }: HostedFile): Lines {
  const own = Object.entries(all).filter(([name]) => !(name in COMMON_HEADERS));
  const type = contentType === null ? [] : headers({ "Content-Type": contentType });
  return [
    ...block("header", [...headers(Object.fromEntries(own)), ...type]),
    ...block("file_server", ["disable_canonical_uris"]),
  ];
}

/** At an unknown address below `/api`, people get a page. */
const LOST: Lines = Array.from({ length: LOST_LEVELS }, (_, at) => [
  ...block(`@lost${at}`, [`path_regexp ^/api(?:/[^/]*){${at + 1}}$`, "header Accept *text/html*"]),
  `error @lost${at} ${quoted(lostPageAt(at + 1, NAMELESS))} 404`,
]).flat();

const errorRoute = ({ root, base }: HostFacts): Lines =>
  block("handle_errors", [
    '@page expression `{err.message}.startsWith("<!doctype")`',
    "@notAllowed expression `{err.status_code} == 405`",
    // People at an unknown address get a page, unless the tree has none.
    ...block("@nothing", [
      `expression ${quoted(`{err.message} == ${JSON.stringify(HOST_ERRORS.address.json)} && !{http.request.orig_uri.path}.startsWith("${base}api/")`)}`,
      "header Accept *text/html*",
      ...block("file", [`root ${quoted(root)}`, "try_files /404.html"]),
    ]),
    ...block("handle @nothing", [
      `root * ${quoted(root)}`,
      "rewrite * /404.html",
      ...block("header", headers({ ...errorPageHeaders(), "Content-Type": TYPES.html ?? "" })),
      ...block("file_server", ["disable_canonical_uris"]),
    ]),
    ...block("handle", [
      ...block("route", [
        ...block("header", [
          ...headers({ "Content-Type": "application/json", "Cache-Control": CACHE_CONTROL.error }),
        ]),
        ...block(
          "header @page",
          headers({ ...errorPageHeaders(), "Content-Type": TYPES.html ?? "" }),
        ),
        ...block("header @notAllowed", headers({ Allow: METHODS })),
        'respond "{err.message}"',
      ]),
    ]),
  ]);
