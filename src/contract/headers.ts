/** On every answer, errors included (decisions, HTTP). */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Link, Retry-After",
  "X-Content-Type-Options": "nosniff",
} as const;

/** The methods of every address, as `Allow` names them. */
export const METHODS = "GET, HEAD, OPTIONS";

/** What a browser is told before it sends a request to another origin; it may be kept a day. */
export const PREFLIGHT_HEADERS = {
  ...COMMON_HEADERS,
  Allow: METHODS,
  "Access-Control-Allow-Methods": METHODS,
  "Access-Control-Allow-Headers": "Accept, If-None-Match",
  "Access-Control-Max-Age": "86400",
} as const;

/** On every 200 and 304 of a read: its bytes may be compressed (decisions, HTTP). */
export const READ_HEADERS = { ...COMMON_HEADERS, Vary: "Accept-Encoding" } as const;
