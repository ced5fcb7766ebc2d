import { CrawldexError } from "./error.js";

/** The base address without a trailing slash. @throws TypeError if paths cannot be appended to it */
export function baseOf(baseUrl: string): string {
  const { protocol, username, password, search, hash, href } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) {
    throw new TypeError(
      "baseUrl must be an http or https address without a user, query or fragment",
    );
  }
  return href.replace(/\/$/, "");
}

/**
 * An address below the base, with `{host}` in the path replaced by the encoded host.
 * @throws CrawldexError if the host, encoded or not, would lead to a different address
 */
export function apiAddress(base: string, path: string, host: string, query: object): string {
  const name = path.includes("{host}") ? hostSegment(base, host) : "";
  const text = sortedQuery(query);
  return `${base}${path.replace("{host}", () => name)}${text && "?"}${text}`;
}

function hostSegment(base: string, host: string): string {
  let segment = "";
  try {
    segment = encodeURIComponent(host);
  } catch {
    // A lone surrogate has no encoding.
  }
  // URL parsers remove a dot segment even if it is encoded.
  if (!/^\.{0,2}$/.test(segment)) return segment;
  throw new CrawldexError("The host cannot be part of an address", {
    kind: "host",
    url: base,
    issues: [{ path: "host", message: "must be a canonical host" }],
  });
}

/** Sorts parameters by name, so that the same filters always give the same address; omits undefined values. */
function sortedQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item));
    }
  }
  parameters.sort();
  return parameters.toString();
}
