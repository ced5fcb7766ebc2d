import { COMMON_HEADERS } from "../../contract/headers.js";
import { treeName } from "../../pages/kit/page-names.js";
import { NO_INDEX } from "../../pages/kit/routes.js";
import { endOf, HOSTED_ADDRESSES, type HostedAddress, TYPES } from "./address-files.js";

type Headers = Readonly<Record<string, string>>;

/** A rule of a `_headers` file: a path with `:name` for a segment, and what is sent with its answers. */
export interface HeaderRule {
  readonly path: string;
  readonly headers: Headers;
}

/** A path in the notation of `_headers` and `_redirects`. */
export const placeholders = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");

/**
 * The rules that give each address its headers. No address gets a header from two rules: Cloudflare would join their
 * values.
 * @param hasParameters whether a header's value may contain parts of the path
 */
export function headerRules(hasParameters: boolean): HeaderRule[] {
  const listed = HOSTED_ADDRESSES.map((address) => ({
    path: placeholders(address.path),
    headers: ownHeaders(address, hasParameters),
  }));
  const older = HOSTED_ADDRESSES.flatMap(({ path, scanFile, headers }) => {
    // The Markdown of a page is at the page's address too: one rule is enough for the folder of both.
    if (scanFile === null || path.endsWith(".md")) return [];
    const { Link: _, ...others } = headers;
    const hidden = path.startsWith("/sites/") ? NO_INDEX : {};
    const folder = placeholders(`/${scanFile.replace(/(?<![^/])[^/]*$/, "*")}`);
    return [{ path: folder, headers: { ...withoutCommon(others), ...hidden } }];
  });
  return [{ path: "/*", headers: COMMON_HEADERS }, ...listed, ...older];
}

/**
 * The lines of `_redirects` for listings whose files have a longer name (`treeName`). Only a rule for each finds them, as
 * the file of another page lies at their address.
 * @param end the ending of pages in the target, and `status` that of the rule, in the host's notation
 */
export function hostRedirects(
  hosts: readonly string[],
  base: string,
  { end, status, hasQueries }: { end: string; status: string; hasQueries: boolean },
): string {
  const listed = HOSTED_ADDRESSES.filter(({ path }) => path.startsWith("/sites/{host}"));
  return hosts
    .flatMap((host) =>
      listed.flatMap(({ path, file, scanFile }) => {
        const from = base + path.slice(1).replace("{host}", host);
        const to = (name: string) =>
          `${base}${placeholders(name.replace("{host}", treeName(host)).replace(/\.html$/, end))} ${status}\n`;
        const older = scanFile === null || !hasQueries ? "" : `${from} scan=:scan ${to(scanFile)}`;
        return `${older}${from} ${to(file)}`;
      }),
    )
    .join("");
}

/** Netlify's `:name` is a whole segment, so a rule for `{feed}.xml` would also be one for `{feed}.json`. */
const IN_SEGMENT = /\}\.\w+$/;

function ownHeaders(
  { path, headers, contentType, file }: HostedAddress,
  hasParameters: boolean,
): Headers {
  const own = Object.entries(withoutCommon(headers)).map(([name, value]): [string, string] => [
    name,
    placeholders(value.replaceAll("{query}", "")),
  ]);
  const sent = own.filter(([, value]) => hasParameters || !value.includes(":host"));
  // Hosts know the types of files by their endings, but have two for icons.
  const isKnown = contentType === TYPES[endOf(file)] && endOf(file) !== "ico";
  const isShared = !hasParameters && IN_SEGMENT.test(path);
  const type =
    contentType === null || file.endsWith("}") || isKnown || isShared
      ? {}
      : { "Content-Type": contentType };
  return { ...Object.fromEntries(sent), ...type };
}

/** Without the headers that every answer has, and without `Vary`, which is the host's, as it compresses. */
function withoutCommon(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !(name in COMMON_HEADERS) && name !== "Vary"),
  );
}

/** @param base the path below which the tree is published, with a slash at both ends */
export function headerFile(rules: readonly HeaderRule[], base: string): string {
  return rules
    .flatMap(({ path, headers }) => [
      base + path.slice(1),
      ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
    ])
    .join("\n");
}
