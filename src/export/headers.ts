import { COMMON_HEADERS } from "../contract/headers.js";
import { CACHE_CONTROL, ROUTES, type Route } from "../contract/routes.js";
import { namesOf } from "../contract/tables.js";
import { type Extra, installedExtras, pageRoutes } from "../extra.js";
import { errorPageHeaders } from "../pages/kit/error-page.js";
import {
  CSV,
  FILE_POLICY,
  fileHeadersOf,
  MARKDOWN,
  PAGE_ROUTES,
  treeFilesOf,
} from "../pages/kit/routes.js";

/** The file that a host sends, with a 404, in place of the badge of a site that is not in the tree. */
export const MISSING_BADGE = "not-listed.svg";

/** A kind of file in a tree. The configuration of every host is printed from the table of these. */
export interface TreeFile {
  /** The path in the tree. A part in braces stands for any segment. */
  readonly file: string;
  readonly contentType: string;
  /** `Cache-Control`, and the security headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether hosts may not know the type by the ending, or know another one. */
  readonly isUnusual: boolean;
}

/** A kind of file that an extra adds. */
export interface TreeKind {
  /** As in `TreeFile`. */
  readonly file: string;
  readonly cache: keyof typeof CACHE_CONTROL;
  /** Default: that of the ending. */
  readonly contentType?: string;
  /** Whether few hosts know the type of the ending. */
  readonly isUncommon?: boolean;
}

/** The headers that all files have. */
export const SHARED_HEADERS = {
  ...COMMON_HEADERS,
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;

/** The headers that differ between files, each with its usual value; "" if most files have none. */
export const OWN_HEADERS = {
  "Cache-Control": CACHE_CONTROL.directory,
  "Content-Security-Policy": FILE_POLICY,
  "Cross-Origin-Opener-Policy": "",
} as const;

type OwnHeader = keyof typeof OWN_HEADERS;

/** Content types by the ending of a file that every tree may have. */
const TYPES: Readonly<Record<string, string>> = {
  html: PAGE_ROUTES.explorer.contentType,
  md: MARKDOWN,
  txt: PAGE_ROUTES.robots.contentType,
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  xml: PAGE_ROUTES.sitemap.contentType,
  svg: PAGE_ROUTES.badge.contentType,
  csv: CSV,
  ico: PAGE_ROUTES.favicon.contentType,
  png: PAGE_ROUTES.touchIcon.contentType,
  json: ROUTES.standards.contentType,
};
const OTHER_TYPE = "application/octet-stream";

/** The ending of a file's name, without the dot; "" if it has no ending. */
function endOf(file: string): string {
  return /\.(\w+)$/.exec(file)?.[1] ?? "";
}

/** Content types by a file's ending. */
export function typesOfEndings(): Readonly<Record<string, string>> {
  const added = installedExtras().map(({ tree }) => tree?.types ?? {});
  return Object.assign({}, TYPES, ...added);
}

function row(
  file: string,
  given: Readonly<Record<string, string>>,
  type?: string,
  isUncommon = false,
): TreeFile {
  const headers = namesOf(OWN_HEADERS).flatMap((name) => {
    const value = given[name] ?? OWN_HEADERS[name];
    return value === "" ? [] : [[name, value]];
  });
  const usual = typesOfEndings()[endOf(file)];
  const contentType = type ?? usual ?? OTHER_TYPE;
  const isUnusual = isUncommon || contentType !== usual;
  return { file, contentType, headers: Object.fromEntries(headers), isUnusual };
}

function apiFiles(): TreeFile[] {
  return namesOf(ROUTES).flatMap((name) => {
    const { contentType, cache, document }: Route = ROUTES[name];
    const answer = (file: string) =>
      row(file, { "Cache-Control": CACHE_CONTROL[cache] }, contentType);
    if (document !== undefined) return answer(document);
    if (name === "enrichment") return answer("api/sites/{host}/enrichment.json");
    if (name !== "report") return [];
    return [answer("api/sites/{host}/report.json"), answer("api/sites/{host}/scans/{scan}.json")];
  });
}

function extraFiles(): TreeFile[] {
  const kinds = installedExtras().flatMap(({ tree }) => tree?.kinds ?? []);
  return kinds.map(({ file, cache, contentType, isUncommon }) =>
    row(file, { "Cache-Control": CACHE_CONTROL[cache] }, contentType, isUncommon),
  );
}

function pageFiles(): TreeFile[] {
  return [
    ...pageRoutes().flatMap((page) =>
      treeFilesOf(page).map((file) =>
        // The files of charts have several types. Feeds have types of their own.
        row(
          file,
          fileHeadersOf(page),
          /\.(?:xml|json)$/.test(file) ? page.contentType : undefined,
          // Icons have two types.
          file.endsWith(".ico"),
        ),
      ),
    ),
    row("404.html", errorPageHeaders()),
    // Hosts that can have another answer for missing badges than for other files send it.
    row(MISSING_BADGE, { "Cache-Control": CACHE_CONTROL.error }),
  ];
}

/** Files that only a tree has. */
function searchFiles(): TreeFile[] {
  const lasting = fileHeadersOf(PAGE_ROUTES.asset);
  const polled = { ...lasting, "Cache-Control": CACHE_CONTROL.polled };
  return [
    row("worker.js", polled),
    row("data/current.json", polled),
    row("data/{id}/manifest.json", lasting),
    row("data/segments/{name}", lasting),
  ];
}

/** All kinds of files, with a pattern of their paths. */
interface TreeForms {
  readonly files: readonly TreeFile[];
  readonly patterns: readonly RegExp[];
}

/** By the extras of the process. */
const made = new WeakMap<readonly Extra[], TreeForms>();

function treeForms(): TreeForms {
  const extras = installedExtras();
  const known = made.get(extras);
  if (known !== undefined) return known;
  const files = [...apiFiles(), ...extraFiles(), ...pageFiles(), ...searchFiles()];
  const patterns = files.map(({ file }) => new RegExp(`^${addressPattern(file)}$`));
  made.set(extras, { files, patterns });
  return { files, patterns };
}

/** All kinds of files. Each file of a tree is of the first kind that matches its path. */
export function treeFiles(): readonly TreeFile[] {
  return treeForms().files;
}

/** The path of a file on hosts that serve pages without their ending, and the API at its addresses. */
export function addressOf(file: string): string {
  if (file === "404.html") return file;
  const isAnswer = /^api\/(?:sites\/[^/]+\/)?\w+\.json$/.test(file);
  return file.replace(isAnswer ? /\.json$/ : /(?:(?<![^/])index)?\.html$/, "");
}

/** A regular expression, without anchors, for the paths and the addresses of a kind of file. */
export function addressPattern(file: string): string {
  const address = addressOf(file);
  const [path, end] = [address, file.slice(address.length)].map((text) =>
    text
      .replaceAll(".", "[.]")
      // None of these has a dot, so that their pages are not taken for other files.
      .replace(/\{(?:scan|category|check)\}/g, "[^/.]+")
      .replace(/\{\w+\}/g, "[^/]+"),
  );
  return `${path}${end === "" ? "" : `(?:${end})?`}`;
}

/**
 * The values of a header other than the usual one, each with a pattern for the paths of the files that have it. Each
 * path has at most one value.
 */
export function headerValues(name: OwnHeader): Map<string, string> {
  const patterns = new Map<string, string[]>();
  for (const { file, headers } of treeFiles()) {
    const value = headers[name];
    if (value === undefined || value === OWN_HEADERS[name]) continue;
    patterns.set(value, [...(patterns.get(value) ?? []), addressPattern(file)]);
  }
  return new Map(Array.from(patterns, ([value, all]) => [value, `^/(?:${all.join("|")})$`]));
}

/** All headers of a file. @param path in the tree, or its address on a host that finds files without their endings */
export function fileHeaders(path: string): Record<string, string> {
  const { files, patterns } = treeForms();
  const found = files[patterns.findIndex((pattern) => pattern.test(path))];
  const contentType =
    found?.contentType ?? typesOfEndings()[endOf(path)] ?? PAGE_ROUTES.robots.contentType;
  const own = found?.headers ?? row(path, {}).headers;
  return { ...SHARED_HEADERS, "Content-Type": contentType, ...own };
}
