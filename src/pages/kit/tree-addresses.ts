/*
 * Where a tree has the answers of addresses. Scripts of pages use this, too.
 */

/**
 * The name of a listing's page, without its ending, and of the folder with its other files. A host's page is
 * `<host>.html`, so a host that ends in `.html` has another name: its folder would lie where the page of a host lies
 * that is the same without the ending. No host has an underscore.
 */
export function treeName(host: string): string {
  return host.endsWith(".html") ? `${host}_` : host;
}

/** Addresses with at most a scan, and their files. All others are the names of files. */
const FILES: readonly (readonly [RegExp, string])[] = [
  [/^$/, "index.html"],
  [/^(standards|api|sites\/[^/?]+|categories\/[^/?]+)$/, "$1.html"],
  [/^sites\/([^/?]+)\?scan=(.+)$/, "sites/$1/scans/$2.html"],
  [/^sites\/([^/?]+)\/report\.md\?scan=(.+)$/, "sites/$1/scans/$2.md"],
  [/^api\/(standards|categories|tags|sites\/[^/?]+\/(?:report|enrichment))$/, "api/$1.json"],
  [/^api\/sites\/([^/?]+)\/report\?scan=(.+)$/, "api/sites/$1/scans/$2.json"],
];
/** Answers that no file has. */
const COMPUTED = /^api\/sites(?:\/(?:facets|suggestions))?(?:\?|$)/;

/**
 * The file of a tree with the answer of an address; null if it is computed, such as a search.
 * @param address relative to the tree's root, without a slash at its start, such as `sites/x.example?scan=a`
 */
export function fileOf(address: string): string | null {
  if (COMPUTED.test(address)) return null;
  const [path = "", query = ""] = address.split("?", 2);
  const scan = new URLSearchParams(query).get("scan");
  const asked = scan === null ? path : `${path}?scan=${encodeURIComponent(scan)}`;
  const form = FILES.find(([pattern]) => pattern.test(asked));
  const file = form === undefined ? path : asked.replace(...form);
  const [, host = ""] = /^sites\/([^/?]+)/.exec(path) ?? [];
  return host === treeName(host) ? file : file.replace(host, treeName(host));
}
