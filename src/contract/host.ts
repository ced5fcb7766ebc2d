import { parsedUrl } from "./url.js";

/** The rule of `isCanonicalHost`, as the issues of answers and of published records state it. */
export const HOST_RULE =
  "must be a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot";

/** A canonical host: lowercase ASCII or punycode, at least two labels, no port, no leading `www.`, no trailing dot. */
export const CANONICAL_HOST =
  /^(?=.{1,253}$)(?!www\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Whether `text` is a canonical host (contract section 4, report). The pattern limits shape and length;
 * `new URL` rejects faults that the pattern cannot see, such as broken punycode.
 */
export function isCanonicalHost(text: string): boolean {
  return CANONICAL_HOST.test(text) && parsedUrl(`http://${text}`)?.hostname === text;
}

/**
 * The canonical form nearest to `text` (a host, or an address that has one), for error messages.
 * Null if `text` cannot be turned into a canonical host.
 */
export function canonicalHostOf(text: string): string | null {
  const trimmed = text.trim();
  const parsed = parsedUrl(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`,
  );
  if (parsed === null) return null;
  // Without the lookbehind, a long run of dots would be tried again from each of its dots.
  const bare = parsed.hostname.replace(/(?<!\.)\.+$/, "").replace(/^(?:www\.)+/, "");
  return isCanonicalHost(bare) ? bare : null;
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
