/** The number of the publication that answers. */
export const GENERATION_HEADER = "X-Crawldex-Generation";

/** The headers of every answer, including errors (docs/contract.md#86-other-origins). */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": `ETag, Link, Repr-Digest, Retry-After, ${GENERATION_HEADER}`,
  "X-Content-Type-Options": "nosniff",
} as const;

/** The methods of every address, as `Allow` names them. */
export const METHODS = "GET, HEAD, OPTIONS";

/** The answer to a browser's preflight request for another origin. Browsers may cache it for a day. */
export const PREFLIGHT_HEADERS = {
  ...COMMON_HEADERS,
  Allow: METHODS,
  "Access-Control-Allow-Methods": METHODS,
  "Access-Control-Allow-Headers": "Accept, If-None-Match",
  "Access-Control-Max-Age": "86400",
} as const;

/** The same for an address that answers POST. @param methods as `Allow` names them @param read names of headers */
export function postPreflight(methods: string, read: readonly string[] = []) {
  const { "Access-Control-Allow-Headers": ofAll } = PREFLIGHT_HEADERS;
  return {
    ...PREFLIGHT_HEADERS,
    Allow: methods,
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": [ofAll, "Content-Type", ...read].join(", "),
  };
}

/** The headers of every 200 and 304 of a read, whose body may be compressed (docs/contract.md#85-compression). */
export const READ_HEADERS = { ...COMMON_HEADERS, Vary: "Accept-Encoding" } as const;

/** The longest list that is read, in characters. A browser's `Accept` has about 130, its `Accept-Encoding` 25. */
const LIST_MAX = 1_000;

/**
 * The values that a header lists, in the header's order and in lower case, each with its weight from 0 to 1 (RFC 9110
 * section 12.4.2). The weight is 1 if none is given, 0 if it is invalid. A list longer than LIST_MAX counts as empty.
 */
export function weightedValues(header: string): (readonly [value: string, weight: number])[] {
  if (header.length > LIST_MAX) return [];
  return header.split(",").map((part) => {
    const [value = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    return [value, weight >= 0 && weight <= 1 ? weight : 0];
  });
}

/** The media type of a report as Markdown. */
export const MARKDOWN_TYPE = "text/markdown";

/**
 * The `Link` header of the catalogue's own address (RFC 9727, section 2). The link is relative to that
 * address, so that it works below any base address. The profile states the kind of linkset (RFC 9727,
 * section 4.2).
 */
export const API_CATALOG_LINK =
  '<../.well-known/api-catalog>; rel="api-catalog", <https://www.rfc-editor.org/info/rfc9727>; rel="profile"';

/** Whether an `Accept` header comes from a browser, so that a person reads the answer. */
export function isBrowsers(accept: string): boolean {
  return accept.includes("text/html");
}

/**
 * Whether an `Accept` header asks for Markdown: it names the type with a weight at least as high as HTML's. Browsers do
 * not name the type.
 */
export function prefersMarkdown(accept: string): boolean {
  if (!/markdown/i.test(accept)) return false;
  const weights = new Map<string, number>();
  for (const [type, weight] of weightedValues(accept)) {
    weights.set(type, Math.max(weights.get(type) ?? 0, weight));
  }
  const markdown = weights.get("text/markdown") ?? 0;
  const page = weights.get("text/html") ?? weights.get("text/*") ?? weights.get("*/*") ?? 0;
  return markdown > 0 && markdown >= page;
}
