import { COMMON_HEADERS, METHODS, PREFLIGHT_HEADERS } from "../../contract/headers.js";
import { CANONICAL_HOST } from "../../contract/host.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { errorPageHeaders } from "../../pages/kit/error-page.js";
import { NO_INDEX } from "../../pages/kit/routes.js";
import {
  addressPattern,
  endOf,
  HOSTED_ADDRESSES,
  type HostedAddress,
  type HostedFile,
  REDIRECT_HEADERS,
  REDIRECTED_PATHS,
  TYPES,
} from "./address-files.js";
import { HOST_ERRORS, LOST_LEVELS, lostPageAt, reportErrorPage } from "./host-errors.js";
import { type HostFacts, type HostRules, NO_FILES } from "./host-rules.js";

const ERRORS = "errors";
const SCAN = "[a-zA-Z0-9_-]{1,128}";
const READERS = "%{HTTP_ACCEPT} text/html";
const MARKDOWN = String.raw`(?:^|,)\s*text/markdown\s*(?:,|$)`;

/** A `.htaccess` in the tree, and the bodies of its errors. Needs mod_rewrite, mod_headers, mod_mime and mod_dir. */
export function apacheRules(facts: HostFacts): HostRules {
  const files = new Map<string, string>([[".htaccess", htaccess(facts)]]);
  for (const [name, { json, page }] of Object.entries(HOST_ERRORS)) {
    files.set(`${ERRORS}/${name}.json`, json);
    if (page !== null) files.set(`${ERRORS}/${name}.html`, reportErrorPage(page, facts.name));
  }
  for (let level = 1; level <= LOST_LEVELS; level += 1) {
    files.set(`${ERRORS}/lost-${level}.html`, lostPageAt(level, facts.name));
  }
  return { files, beside: NO_FILES };
}

function htaccess({ base, isPacked }: HostFacts): string {
  const statuses = new Set(Object.values(HOST_ERRORS).map(({ status }) => status));
  return [
    FIRST_LINES,
    ...Object.entries(TYPES).map(([end, type]) => `AddType "${type}" .${end}`),
    '<Files "api-catalog">\n    ForceType application/linkset+json\n</Files>',
    ...[...statuses].map((status) => `ErrorDocument ${status} ${base}${variable("error")}`),
    apacheChecks(isPacked),
    ...HOSTED_ADDRESSES.flatMap(rewrites),
    LAST_CHECKS,
    ...headerLines(),
    "",
  ].join("\n");
}

const FIRST_LINES = `# Rules for a tree written by "crawldex export --for apache", which writes this file again.
# The server must allow them (AllowOverride All), and have mod_rewrite, mod_headers, mod_mime and mod_dir.
Options -MultiViews -Indexes
DirectorySlash Off
DirectoryIndex disabled
AcceptPathInfo Off
AddDefaultCharset Off`;

/** A rule that ends in an error. */
function apacheRefusal(pattern: string, error: keyof typeof HOST_ERRORS, form = "json"): string {
  const { status } = HOST_ERRORS[error];
  return `RewriteRule "${pattern}" - [E=crawldex_error:${ERRORS}/${error}.${form},R=${status}]`;
}

/** The rules for a listing without a folder. In a packed tree, a page starts the script that answers reports. */
function withoutReport(isPacked: boolean): string {
  const pattern = "^sites/[^/]*$";
  if (!isPacked)
    return `RewriteCond %{REQUEST_FILENAME}${LONGER} !-d\n${apacheRefusal(pattern, "report", FORM)}`;
  return `RewriteCond %{REQUEST_FILENAME}${LONGER} !-d
RewriteCond ${FORM} =html
RewriteRule "${pattern}" - [E=crawldex_error:404.html,R=404]
RewriteCond %{REQUEST_FILENAME}${LONGER} !-d
${apacheRefusal(pattern, "address")}`;
}

const KNOWN = HOSTED_ADDRESSES.filter(({ isForBrowsers }) => !isForBrowsers)
  .map(({ path }) => addressPattern(path.slice(1), "[^/]*"))
  .join("|");
const OF_HOST = String.raw`^(?:api/sites/([^/]*)/(?:report|enrichment)|sites/([^/]*)(?:/report\.md|/badge\.svg)?)$`;
/** The files of a host that ends in `.html` have a longer name: the page of another one may lie at this. */
const LONGER = "%{ENV:crawldex_longer}";
const FORM = "%{ENV:crawldex_form}";

const apacheChecks = (isPacked: boolean) => String.raw`
RewriteEngine On
RewriteCond %{ENV:REDIRECT_STATUS} ^[45]
RewriteRule ^(?:${ERRORS}/|404\.html$|$) - [END]

# Addresses that Apache reads differently from the API.
RewriteCond %{THE_REQUEST} "^\S+ [^?\s]*(?:%0[aA]|#|//|/(?:\.|%2[eE]){1,2}(?:[/?\s]|$))"
${apacheRefusal("^", "address")}

RewriteRule ^ - [E=crawldex_form:json,E=crawldex_query:,E=crawldex_nothing:${ERRORS}/address.json]
RewriteCond ${READERS} [NV]
RewriteRule "^(?!api/)" - [E=crawldex_nothing:404.html]
RewriteCond ${READERS}
RewriteCond %{HTTP_ACCEPT} "!${MARKDOWN}" [NC]
RewriteRule ^sites/[^/]*$ - [E=crawldex_form:html]

RewriteCond %{REQUEST_METHOD} =OPTIONS
RewriteRule "^(?:${KNOWN})$" - [R=204]
RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$
${apacheRefusal(`^(?:${KNOWN})$`, "method")}
RewriteCond $1$2 "!${CANONICAL_HOST.source}"
${apacheRefusal(OF_HOST, "host", FORM)}

# Redirects a trailing slash to the page.
RewriteCond %{REQUEST_METHOD} ^(?:GET|HEAD)$
RewriteCond "/$0" "^(?:${REDIRECTED_PATHS})/$"
RewriteCond "/$0 %{HTTP_ACCEPT}" "!^/api/ (?!.*text/html)"
RewriteCond %{REQUEST_FILENAME} ^(.*?)/*$
RewriteCond %1.html -f [OR]
RewriteCond %1 -f
RewriteCond %{QUERY_STRING} ^()$ [OR]
RewriteCond "?%{QUERY_STRING}" "^(.+)$"
RewriteRule "^(?:.*/)?([^/]+)/$" "$1" [E=crawldex_location:../$1%1,R=308,L]

RewriteRule "^sites/[^/]+\.html(?:/|$)" - [E=crawldex_longer:_]

# The scan that a query names, or an error.
RewriteCond %{QUERY_STRING} .
${apacheRefusal("^api/sites/[^/]*/enrichment$", "query")}
RewriteCond %{QUERY_STRING} .
RewriteCond %{QUERY_STRING} !^scan=${SCAN}$
${apacheRefusal("^api/sites/[^/]*/report$", "query")}
RewriteCond %{QUERY_STRING} (?:^|&)scan=.
RewriteCond %{QUERY_STRING} !(?:^|&)scan=${SCAN}(?:&|$)
${apacheRefusal(String.raw`^sites/[^/]*(?:/report\.md)?$`, "query", FORM)}
RewriteCond %{QUERY_STRING} (?:^|&)scan=(${SCAN})(?:&|$)
RewriteRule ^(?:api/sites/[^/]*/report|sites/[^/]*(?:/report\.md)?)$ - [E=crawldex_query:?scan=%1,E=crawldex_scan:%1]

# No listing has a folder: there is no report, whatever scan is asked for.
${withoutReport(isPacked)}
RewriteCond ${LONGER} ^$
RewriteCond %{REQUEST_FILENAME} !/(?:report|enrichment|report\.md|badge\.svg)$
${apacheRefusal(String.raw`^(?:api/sites/[^/]*/(?:report|enrichment)|sites/[^/]*/(?:report\.md|badge\.svg))$`, isPacked ? "address" : "report")}

# What search engines must not show: searches, older reports, and listings that the file "noindex" marks.
RewriteCond %{QUERY_STRING} .
RewriteRule ^$ - [E=crawldex_hidden:yes]
RewriteCond %{ENV:crawldex_scan} .
RewriteRule ^sites/ - [E=crawldex_hidden:yes]
RewriteCond %{REQUEST_FILENAME}${LONGER}/noindex -f
RewriteRule ^sites/ - [E=crawldex_hidden:yes]
RewriteCond %{REQUEST_FILENAME} ^(.*)/report\.md$
RewriteCond %1/noindex -f
RewriteRule ^sites/ - [E=crawldex_hidden:yes]
`;

/** What is sent for an address that does not exist: a page to people. */
const NOTHING = "%{ENV:crawldex_nothing}";

/** The rules that give an address its files. Each names itself in `crawldex_at`, by which the headers are chosen. */
function rewrites(address: HostedAddress, index: number): string[] {
  const { path, missing, isForBrowsers, markdown } = address;
  const browser = isForBrowsers ? [`RewriteCond ${READERS}`] : [];
  const pattern = `^${addressPattern(path.slice(1), "([^/]+)")}$`;
  const rule = ({ file, scanFile }: HostedFile, at: string, conditions: readonly string[]) => {
    const to = (path: string) => {
      let group = 0;
      return path.replace(/\{\w+\}/g, (part) => {
        if (part === "{scan}") return "%{ENV:crawldex_scan}";
        group += 1;
        return `$${group}${path.startsWith("sites/") ? LONGER : ""}`;
      });
    };
    const line = (path: string, error: string) =>
      `RewriteRule "${pattern}" "${to(path)}" [E=crawldex_at:${at},E=crawldex_host:$1,E=crawldex_error:${error},END]`;
    const isDamage = missing === "damaged";
    const form = path === "/sites/{host}" ? FORM : "json";
    const scan =
      scanFile === null
        ? []
        : [
            ...conditions,
            "RewriteCond %{ENV:crawldex_scan} .",
            line(scanFile, `${ERRORS}/scan.${form}`),
          ];
    const error = `${ERRORS}/${isDamage ? "address" : missing}.${form}`;
    return [...scan, ...conditions, line(file, missing === "address" ? NOTHING : error)];
  };
  return [
    `# ${path}`,
    ...(markdown === null
      ? []
      : rule(markdown, `${index}m`, [`RewriteCond %{HTTP_ACCEPT} "${MARKDOWN}" [NC]`])),
    ...rule(address, `${index}`, browser),
  ];
}

const LAST_CHECKS = [
  "# People at an unknown address get a page.",
  ...Array.from({ length: LOST_LEVELS }, (_, at) => {
    const rule = `"^api(?:/[^/]*){${at + 1}}$" - [E=crawldex_error:${ERRORS}/lost-${at + 1}.html,R=404]`;
    return `RewriteCond ${READERS}\nRewriteRule ${rule}`;
  }),
  `RewriteRule "^" - [E=crawldex_error:${NOTHING},R=404]`,
].join("\n");

/** A variable that a rule has set. Apache renames it if the rule leads to another file than the one of the address. */
const variable = (name: string) => `%{reqenv:crawldex_${name}}%{reqenv:REDIRECT_crawldex_${name}}`;
const IS_ERROR = "%{REQUEST_STATUS} -ge 400";

/** For each header and value, the rules after which it is sent. */
function headerLines(): string[] {
  const places = new Map<string, { headers: Record<string, string>; at: string[] }>();
  const add = (at: string, { headers }: HostedFile) => {
    for (const [name, value] of Object.entries(headers)) {
      if (name in COMMON_HEADERS) continue;
      const place = places.get(name + value) ?? { headers: { [name]: value }, at: [] };
      place.at.push(`'${at}'`);
      places.set(name + value, place);
    }
  };
  for (const [index, address] of HOSTED_ADDRESSES.entries()) {
    add(`${index}`, address);
    const { file, contentType } = address;
    if (contentType !== null && TYPES[endOf(file)] !== contentType && endOf(file) !== "") {
      add(`${index}`, { ...address, headers: { "Content-Type": contentType } });
    }
    if (address.markdown !== null) add(`${index}m`, address.markdown);
  }
  const set = (headers: Readonly<Record<string, string>>, when: string) =>
    Object.entries(headers).map(
      ([name, value]) => `Header always set ${name} "${apacheHeader(value)}" "expr=${when}"`,
    );
  const at = `'${variable("at")}'`;
  return [
    "",
    "Header unset Content-Language",
    ...set(COMMON_HEADERS, "true"),
    ...[...places.values()].flatMap((place) =>
      set(place.headers, `! ${IS_ERROR} && ${at} in {${place.at.join(",")}}`),
    ),
    ...set(NO_INDEX, `! ${IS_ERROR} && '${variable("hidden")}' == 'yes'`),
    ...set({ "Cache-Control": CACHE_CONTROL.error }, IS_ERROR),
    ...set(errorPageHeaders(), String.raw`%{REQUEST_URI} =~ m#/(?:${ERRORS}/.*|404)\.html$#`),
    ...set({ ...REDIRECT_HEADERS, Location: "{location}" }, "%{REQUEST_STATUS} -eq 308"),
    ...set(
      { Vary: "Accept, Accept-Encoding" },
      "%{REQUEST_STATUS} -eq 308 && %{REQUEST_URI} =~ m#/api/$#",
    ),
    ...set({ Allow: METHODS }, "%{REQUEST_STATUS} -eq 405"),
    ...set(PREFLIGHT_HEADERS, "%{REQUEST_METHOD} == 'OPTIONS' && %{REQUEST_STATUS} -eq 204"),
  ];
}

/** A header's value: with parameters, it is an expression. */
function apacheHeader(value: string): string {
  const text = value.replaceAll('"', '\\"');
  if (!text.includes("{")) return text.replaceAll("%", "%%");
  return `expr=${text.replaceAll("{host}", variable("host")).replaceAll("{query}", variable("query")).replaceAll("{location}", variable("location"))}`;
}
