/** The rule of `isCanonicalHost`, as the issues of answers and of published records state it. */
export const HOST_RULE =
  "must be a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot";

/** A canonical host: lowercase ASCII or punycode, at least two labels, no port, no leading `www.`, no trailing dot. */
export const CANONICAL_HOST =
  /^(?=.{1,253}$)(?!www\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Whether `text` is a canonical host (docs/contract.md#33-the-host-in-the-path). The pattern limits shape and length;
 * `new URL` rejects faults that the pattern cannot see, such as broken punycode.
 */
export function isCanonicalHost(text: string): boolean {
  return CANONICAL_HOST.test(text) && parsedUrl(`http://${text}`)?.hostname === text;
}

/** The schemes whose addresses begin with a host. */
const HOST_SCHEMES = /^(?:https?|wss?|ftp)$/i;

/**
 * Decides whether a text can be a host. Reduces a host in another spelling, or a web address, to its canonical host:
 * drops the scheme, `www.`, port, path and trailing dot, lower-cases it, and turns other letters into punycode.
 * @returns null if `text` has no canonical host, and therefore no listing can have it
 */
export function canonicalHostOf(text: string): string | null {
  const trimmed = text.trim();
  // `new URL` would delete control characters, and make one host of two lines.
  if (/\p{Cc}/u.test(trimmed)) return null;
  const scheme = /^[a-z][a-z0-9+.-]*(?=:\/\/)/i.exec(trimmed)?.[0] ?? null;
  const hasScheme = scheme !== null;
  // What follows another scheme may be an email address or a script. A single slash or backslash begins a path.
  if (hasScheme ? !HOST_SCHEMES.test(scheme) : /^(?:\/(?!\/)|\\)/.test(trimmed)) return null;
  const parsed = parsedUrl(hasScheme ? trimmed : `http://${trimmed}`);
  if (parsed === null) return null;
  // Without a scheme, a name before `@` makes the text an email address.
  if (!hasScheme && (parsed.username !== "" || parsed.password !== "")) return null;
  const bare = parsed.hostname.replace(/\.$/, "").replace(/^(?:www\.)+/, "");
  return isCanonicalHost(bare) ? bare : null;
}

/** The most characters of a text that is read as a host. Reading a longer one may take milliseconds. */
export const HOST_TEXT_MAX = 500;

/** Returns the canonical host that a request or a person means; null if there is none, or if the text is too long. */
export function meantHost(text: string): string | null {
  return text.length > HOST_TEXT_MAX ? null : canonicalHostOf(text);
}

/** An address as people paste it: with a scheme, `www.`, a port, a path or a query. A bare host does not count. */
const PASTED = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|[^\s/?#:@]+[/?#:])\S*$/i;
const PASTED_START = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)+/i;

/** Whether a text may be a host as pages show it: it has a dot, letters beyond ASCII, and no space. */
function isInScript(text: string): boolean {
  return text.includes(".") && !/\s/.test(text) && /[^\0-\x7f]/.test(text);
}

/**
 * What a person looks for with a text: the host of a pasted or half-typed web address, or of a host in its own script,
 * in canonical form once it is complete; otherwise the text itself.
 */
export function searchTermOf(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.slice(0, HOST_TEXT_MAX);
  if (!PASTED.test(start)) return isInScript(start) ? (canonicalHostOf(start) ?? trimmed) : trimmed;
  return canonicalHostOf(start) ?? trimmed.replace(PASTED_START, "");
}

/**
 * A 32-bit hash of a host (FNV-1a, then murmur3's finalizer, which also spreads the high bits).
 * It decides a listing's bucket, so its values are part of the store's format.
 */
export function hostHash(host: string): number {
  return textHash(host);
}

/** The hash of `hostHash` for any text: 32 bits, with well-spread high bits. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const DIGIT = "[0-9a-f]";
/** The escape of a UTF-8 byte that continues a character. */
const NEXT = `%[89ab]${DIGIT}`;
/**
 * Text whose escapes are well-formed UTF-8 (RFC 3629, section 4). No two alternatives begin alike, so matching takes
 * time proportional to the text's length.
 */
const DECODABLE = new RegExp(
  `^(?:${[
    "[^%]",
    `%[0-7]${DIGIT}`,
    `%(?:c[2-9a-f]|d${DIGIT})${NEXT}`,
    `%e0%[ab]${DIGIT}${NEXT}`,
    `%e[1-9a-cef]${NEXT}${NEXT}`,
    `%ed%[89]${DIGIT}${NEXT}`,
    `%f0%[9ab]${DIGIT}${NEXT}${NEXT}`,
    `%f[1-3]${NEXT}${NEXT}${NEXT}`,
    `%f4%8${DIGIT}${NEXT}${NEXT}`,
  ].join("|")})*$`,
  "i",
);

/**
 * Decodes a text's percent escapes once, as UTF-8. @returns null if an escape is malformed or the bytes are not UTF-8.
 * The text is tested before it is decoded, because an exception costs as much as decoding hundreds of short texts.
 */
export function percentDecoded(text: string): string | null {
  if (!text.includes("%")) return text;
  return DECODABLE.test(text) ? decodeURIComponent(text) : null;
}

/**
 * Parses an address by the URL standard; null if it is not an address. Does not use `URL.canParse`: in Node 20, after
 * a process has called it several thousand times, it rejects texts with `é` or `ü`.
 */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The most bits of a shard's number. */
const SHARD_BITS_MAX = 20;

/** The number of high bits of a host's hash that select its shard, for shards of at most about `size` listings. */
export function shardBits(listings: number, size: number): number {
  let bits = 0;
  while (bits < SHARD_BITS_MAX && size * 2 ** bits < listings) bits += 1;
  return bits;
}

/** The number of the shard that hosts with this hash belong to, of 2 ** bits shards. */
export function shardOf(hash: number, bits: number): number {
  // A shift by 32 would do nothing, as a shift by 0 does.
  return bits === 0 ? 0 : hash >>> (32 - bits);
}
