import { CrawldexError } from "./error.js";

/** The base address without a slash at its end; throws TypeError where nothing can be put behind it. */
export function baseOf(baseUrl: string): string {
  const { protocol, username, password, search, hash, href } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) {
    throw new TypeError(
      "baseUrl must be an http or https address without a user, a query and a fragment",
    );
  }
  return href.replace(/\/$/, "");
}

/**
 * An address below the base: `{host}` of the path is replaced, encoded. Throws CrawldexError where the host
 * would lead to another address than its own, encoded or not.
 */
export function addressOf(base: string, path: string, host: string, query: object): string {
  const name = path.includes("{host}") ? hostSegment(base, host) : "";
  const text = queryText(query);
  return `${base}${path.replace("{host}", () => name)}${text && "?"}${text}`;
}

function hostSegment(base: string, host: string): string {
  let segment = "";
  try {
    segment = encodeURIComponent(host);
  } catch {
    // Half a surrogate pair has no encoding.
  }
  // A dot segment is taken out of an address even where it is encoded.
  if (!/^\.{0,2}$/.test(segment)) return segment;
  throw new CrawldexError("The host cannot be part of an address", {
    kind: "host",
    url: base,
    issues: [{ path: "host", message: "must be a canonical host" }],
  });
}

/** Parameters by name, so that the same filters always have the same address; what is undefined is left out. */
function queryText(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item));
    }
  }
  parameters.sort();
  return parameters.toString();
}
