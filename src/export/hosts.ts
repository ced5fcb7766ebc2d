import { basename } from "node:path";
import { namesOf } from "../contract/tables.js";
import type { Manifest } from "../store/format.js";
import {
  addressOf,
  addressPattern,
  fileHeaders,
  headerValues,
  MISSING_BADGE,
  OWN_HEADERS,
  SHARED_HEADERS,
  type TreeFile,
  treeFiles,
  typesOfEndings,
} from "./headers.js";
import type { HostName } from "./layout.js";
import { SiteRefusedError } from "./record.js";

/** The configuration files that an export writes for a host. */
export interface HostFiles {
  /** Texts of files in the tree, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Texts of files beside the tree, by the suffix that follows the tree's name, such as ".nginx.conf". */
  readonly beside: ReadonlyMap<string, string>;
}

/**
 * Prints the table of a tree's files in the language of a host.
 * @param root the tree's absolute path
 * @param base the path below which the site is published, with a slash at both ends: "/" or "/directory/"
 */
export function hostFiles(host: HostName, root: string, base: string): HostFiles {
  const files = new Map<string, string>();
  const beside = new Map<string, string>();
  if (host === "cloudflare" || host === "netlify") {
    const redirects = redirectsFile(base) + (host === "netlify" ? netlifyBadgeRule(base) : "");
    files.set("_headers", headersFile(base)).set("_redirects", redirects);
  }
  if (host === "cloudflare") beside.set(".wrangler.jsonc", wranglerConfig(basename(root)));
  if (host === "apache") files.set(".htaccess", htaccess(base));
  if (host === "nginx") beside.set(".nginx.conf", nginxConfig(root, base));
  if (host === "caddy") beside.set(".Caddyfile", caddyfile(root, base));
  if (host === "s3")
    beside.set(".upload.json", `${JSON.stringify({ groups: uploadGroups() }, null, 2)}\n`);
  return { files, beside };
}

const SHARED = Object.entries(SHARED_HEADERS);
const OWN = namesOf(OWN_HEADERS);
/** The headers that all or most files have, for hosts whose later rules replace earlier ones. */
const USUAL = [...SHARED, ...OWN.map((name) => [name, OWN_HEADERS[name]] as const)].filter(
  ([, value]) => value !== "",
);
/** Kinds of files whose type hosts may not tell from the ending. */
function unusualFiles(): TreeFile[] {
  return treeFiles().filter(({ isUnusual }) => isUnusual);
}

/** A path in the notation of `_headers` and `_redirects`. */
const placeholders = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");

/**
 * The rules of `_headers`. No path has a header from two rules, because Cloudflare joins their values. Netlify's
 * `:name` matches only a full segment, so the feeds of categories have the types of their endings.
 */
function headersFile(base: string): string {
  const lines = ["/*", ...SHARED.map(([name, value]) => `  ${name}: ${value}`)];
  for (const { file, contentType, headers, isUnusual } of treeFiles()) {
    // One rule is enough for the folder of a listing's older reports. These hosts need no page in place of a folder.
    if (/\{scan\}\.md$|\/index\.html$/.test(file)) continue;
    const isTyped = isUnusual && !/\}\.\w+$/.test(file);
    const type = isTyped ? { "Content-Type": contentType } : {};
    const paths = file.endsWith("{scan}.html")
      ? ["sites/{host}/scans/*"]
      : new Set(file.endsWith(".html") ? [addressOf(file)] : [addressOf(file), file]);
    for (const path of paths) {
      lines.push(`${base}${placeholders(path)}`);
      for (const [name, value] of Object.entries({ ...headers, ...type }))
        lines.push(`  ${name}: ${value}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Both hosts serve pages without their ending by default, but not the answers of the API. */
function redirectsFile(base: string): string {
  return treeFiles()
    .filter(({ file }) => file.endsWith(".json") && addressOf(file) !== file)
    .map(({ file }) => `${base}${placeholders(addressOf(file))} ${base}${placeholders(file)} 200\n`)
    .join("");
}

const BADGE_FILE = "sites/{host}/badge.svg";
const BADGE_PATTERN = `${addressPattern(BADGE_FILE)}$`;

/** Netlify applies it only where there is no file. Cloudflare's rules cannot answer a 404. */
function netlifyBadgeRule(base: string): string {
  return `${base}${placeholders(BADGE_FILE)} ${base}${MISSING_BADGE} 404\n`;
}

function wranglerConfig(folder: string): string {
  const config = {
    name: "directory",
    // Any date by which static assets supported all settings in `assets`.
    compatibility_date: "2026-01-01",
    assets: { directory: `./${folder}`, not_found_handling: "404-page" },
  };
  return `// Deploy the tree with: npx wrangler deploy --config ${folder}.wrangler.jsonc
${JSON.stringify(config, null, 2)}
`;
}

/** A value in the double quotes of a configuration. No header's value has a double quote or a backslash. */
const quoted = (text: string) => `"${text}"`;

function htaccess(base: string): string {
  const own = OWN.flatMap((name) =>
    Array.from(headerValues(name), ([value, pattern]) => {
      const path = pattern.replace("^/", `^${base}`);
      return `Header always set ${name} ${quoted(value)} ${quoted(`expr=%{REQUEST_URI} =~ m#${path}#`)}`;
    }),
  );
  return `# For a tree written by "crawldex export --for apache", which writes this file again.
# The server must allow it (AllowOverride All), and have mod_rewrite, mod_headers, mod_mime and mod_dir.
Options -MultiViews -Indexes
DirectorySlash Off
DirectoryIndex index.html
AddDefaultCharset Off
ErrorDocument 403 ${base}404.html
ErrorDocument 404 ${base}404.html
<If ${quoted(`%{REQUEST_URI} =~ m#^${base}${BADGE_PATTERN}#`)}>
    ErrorDocument 404 ${base}${MISSING_BADGE}
</If>
${Object.entries(typesOfEndings())
  .map(([end, type]) => `AddType ${quoted(type)} .${end}`)
  .join("\n")}
${unusualFiles()
  .map(({ file, contentType }) => {
    const path = addressPattern(file).replace(/^/, `^${base}`);
    return `<If ${quoted(`%{REQUEST_URI} =~ m#${path}$#`)}>\n    ForceType ${quoted(contentType)}\n</If>`;
  })
  .join("\n")}

RewriteEngine On
RewriteRule "(?:^|/)[.](?!well-known/)" - [R=404]
${["html", "json"]
  .map(
    (end) => `RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_FILENAME}.${end} -f
RewriteRule "^(.*[^/])$" "$1.${end}" [END]`,
  )
  .join("\n")}

${USUAL.map(([name, value]) => `Header always set ${name} ${quoted(value)}`).join("\n")}
${own.join("\n")}
`;
}

/** nginx leaves out a header whose variable is empty. @throws SiteRefusedError if it has no escape for the path */
function nginxConfig(root: string, base: string): string {
  if (root.includes("$")) {
    throw new SiteRefusedError(
      `nginx reads a $ as a variable, so its root cannot be ${root}; use a path without a $`,
    );
  }
  const variable = (name: string) => `$crawldex_${name.toLowerCase().replaceAll("-", "_")}`;
  const own = OWN.flatMap((name) => [
    `set ${variable(name)} ${quoted(OWN_HEADERS[name])};`,
    ...Array.from(
      headerValues(name),
      ([value, pattern]) =>
        `if ($uri ~ ${quoted(pattern)}) { set ${variable(name)} ${quoted(value)}; }`,
    ),
  ]);
  const plain = (type: string) => type.replace(/;.*/, "");
  const compressed = [
    ...Object.values(typesOfEndings()),
    ...unusualFiles().map((one) => one.contentType),
  ]
    .map(plain)
    .filter(
      (type) =>
        !/^(?:image\/(?!svg)|text\/html|application\/(?:octet|gzip|vnd\.apache))/.test(type),
    );
  return `# For a tree written by "crawldex export --for nginx", which writes this file again.
# Include it in a server block of your own, which has the name, the ports and the certificate.
root '${root.replace(/[\\']/g, "\\$&")}';
${base === "/" ? "" : `rewrite ^${base.slice(0, -1)}(/.*)$ $1;\n`}error_page 403 404 /404.html;
disable_symlinks on from=$document_root;
gzip on;
gzip_types ${[...new Set(compressed)].join(" ")};
gzip_proxied any;
charset utf-8;
charset_types text/markdown text/plain text/css text/javascript application/xml application/atom+xml;
default_type application/octet-stream;
types {
${Object.entries(typesOfEndings())
  .map(([end, type]) => `    ${plain(type)} ${end};`)
  .join("\n")}
}

${own.join("\n")}
${SHARED.map(([name, value]) => `add_header ${name} ${quoted(value)} always;`).join("\n")}
${OWN.map((name) => `add_header ${name} ${variable(name)} always;`).join("\n")}

location / { try_files $uri $uri.html $uri.json =404; }
location = / { try_files /index.html =404; }
location ~ "/[.](?!well-known/)" { return 404; }
location ~ ${quoted(`^/${BADGE_PATTERN}`)} { error_page 404 /${MISSING_BADGE}; }
${unusualFiles()
  .map(
    ({ file, contentType }) =>
      `location ~ ${quoted(`^/${addressPattern(file)}$`)} { types {} default_type ` +
      `${plain(contentType)}; }`,
  )
  .join("\n")}
`;
}

/** @throws SiteRefusedError as `nginxConfig` does */
function caddyfile(root: string, base: string): string {
  if (/[`{}]/.test(root)) {
    throw new SiteRefusedError(
      `Caddy has no escape for a backtick or a brace, so its root cannot be ${root}; use a path without one`,
    );
  }
  const chosen = [
    ...OWN.flatMap((name) => Array.from(headerValues(name), (one) => [name, ...one] as const)),
    ...unusualFiles().map(
      (one) => ["Content-Type", one.contentType, `^/${addressPattern(one.file)}$`] as const,
    ),
  ].flatMap(([name, value, pattern], index) => [
    `@c${index} path_regexp ${quoted(pattern)}`,
    `header @c${index} ${name} ${quoted(value)}`,
  ]);
  const common = USUAL.map(([name, value]) => `header ${name} ${quoted(value)}`);
  const sentFor = (matcher: string, file: string) => [
    ...Object.entries(fileHeaders(file)).map(
      ([name, value]) => `header ${matcher} ${name} ${quoted(value)}`,
    ),
    `rewrite ${matcher} /${file}`,
  ];
  const lost = [
    `@badge path_regexp ${quoted(`^${base}${BADGE_PATTERN}`)}`,
    `@other not path_regexp ${quoted(`^${base}${BADGE_PATTERN}`)}`,
    ...sentFor("@badge", MISSING_BADGE),
    ...sentFor("@other", "404.html"),
  ];
  const lines = (texts: readonly string[]) => texts.map((text) => `\t\t${text}\n`).join("");
  return `# For a tree written by "crawldex export --for caddy", which writes this file again.
# Import it in the block of your site, which has its name.
${base === "/" ? "handle" : `handle_path ${base}*`} {
	root * \`${root}\`
	encode gzip
	route {
		try_files {path} {path}.html {path}.json
${lines([...common, ...chosen])}		file_server {
			hide .crawldex*
		}
	}
}
handle_errors {
	@tree path ${base}*
	handle @tree {
		root * \`${root}\`
${lines(lost)}		file_server
	}
}
`;
}

/** Files of the tree that are uploaded with the same headers. */
interface UploadGroup {
  /** Patterns of paths. A star matches slashes in `aws s3`, but not in `rclone`; both find the same files. */
  readonly include: string[];
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Each file of a tree belongs to one group. A file comes after those that it refers to: pages after assets. */
function uploadGroups(): UploadGroup[] {
  const groups = new Map<string, UploadGroup>();
  const rank = ({ file }: { readonly file: string }) =>
    file === "data/current.json" ? 2 : /^(?:assets|data)\//.test(file) ? 0 : 1;
  for (const one of treeFiles().toSorted((a, b) => rank(a) - rank(b))) {
    const { file, contentType } = one;
    const cacheControl = one.headers["Cache-Control"] ?? "";
    const key = `${contentType} ${cacheControl} ${rank(one)}`;
    const group = groups.get(key) ?? { include: [], contentType, cacheControl };
    group.include.push(file.replace(/\{\w+\}/g, "*"));
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The sizes of a tree, counted before it is written. */
export interface TreeSize {
  readonly files: number;
  readonly largestBytes: number;
  /** The most files in one folder, folders not counted. */
  readonly largestFolder: number;
}

const ADVICE = "use --packed or --only pages";
const MIB = 2 ** 20;
/** Cloudflare's limits: files on a free and on a paid plan, bytes of a file, and rules in `_headers`. */
export const CLOUDFLARE = {
  files: 20_000,
  paidFiles: 100_000,
  fileBytes: 25 * MIB,
  headerRules: 100,
};
const NETLIFY_FOLDER_FILES = 54_000;

/**
 * Compares a tree with the limits that its host documents, before any of its files is written.
 * @returns a warning if only a paid plan accepts the tree
 * @throws SiteRefusedError if no plan accepts it
 */
export function requireFits(host: HostName, size: TreeSize): string[] {
  const { files, largestBytes, largestFolder } = size;
  const refuse = (problem: string) => {
    throw new SiteRefusedError(`the tree would have ${problem}`);
  };
  if (host === "netlify" && largestFolder > NETLIFY_FOLDER_FILES) {
    const most = amount(NETLIFY_FOLDER_FILES);
    refuse(`${amount(largestFolder)} files in one folder; Netlify takes ${most}: ${ADVICE}`);
  }
  if (host !== "cloudflare") return [];
  if (largestBytes > CLOUDFLARE.fileBytes) {
    refuse(
      `a file of ${Math.ceil(largestBytes / MIB)} MiB; Cloudflare takes ${CLOUDFLARE.fileBytes / MIB} MiB a file`,
    );
  }
  if (files <= CLOUDFLARE.files) return [];
  const paid = `${amount(CLOUDFLARE.paidFiles)} on paid plans`;
  const problem = `${amount(files)} files; Cloudflare takes ${amount(CLOUDFLARE.files)} (${paid}): ${ADVICE}`;
  if (files > CLOUDFLARE.paidFiles) refuse(problem);
  return [problem];
}

/** A number with thousands separators: `1,234,567`. */
const amount = (number: number) => `${number}`.replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");

/**
 * Compares the addresses of a directory with the host of its tree. Links to this machine do not work for other readers.
 * @param isAllowed whether the publisher wants such links, as for a trial on this machine
 * @returns a warning if the tree is for no particular host
 * @throws SiteRefusedError if it is for a particular host
 */
export function requireReachable(
  { siteUrl, baseUrl }: Manifest["directory"],
  host: HostName,
  isAllowed: boolean,
): string[] {
  const addresses = Object.entries({ siteUrl, baseUrl }).filter(([, url]) => isLoopback(url));
  if (isAllowed || addresses.length === 0) return [];
  const named = addresses.map(([key, url]) => `${key} ${url}`).join(" and ");
  const problem =
    `the links of the tree would lead to this machine (${named}): write the public address into ` +
    "directory.json and build again";
  if (host === "plain") return [problem];
  throw new SiteRefusedError(`${problem}, or export with --allow-loopback`);
}

/** Whether an address leads to the machine that opens it. */
function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost\.?)$/.test(hostname);
}
