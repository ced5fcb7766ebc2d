import { weightedValues } from "../../contract/headers.js";

/** The codings that compress answers, preferred ones first. */
const CODINGS: readonly ("br" | "gzip")[] = ["br", "gzip"];
export type Coding = (typeof CODINGS)[number] | "identity";

/** Longer answers are compressed, in bytes (decisions, HTTP: answers over 1 kB). */
export const COMPRESS_OVER = 1024;

/** Codings by header. Clients send few different headers. Cleared once it holds `CACHED_MAX` headers. */
const cached = new Map<string, Coding>();
const CACHED_MAX = 256;
/** Longest header that is remembered, in characters. */
const CACHED_LENGTH_MAX = 100;

/**
 * `chooseCoding` with a cache.
 * @param codings the codings that the caller can make
 */
export function codingFor(acceptEncoding: string | undefined, codings = CODINGS): Coding {
  if (acceptEncoding === undefined) return "identity";
  if (codings !== CODINGS || acceptEncoding.length > CACHED_LENGTH_MAX)
    return chooseCoding(acceptEncoding, codings);
  const found = cached.get(acceptEncoding);
  if (found !== undefined) return found;
  const coding = chooseCoding(acceptEncoding);
  if (cached.size >= CACHED_MAX) cached.clear();
  cached.set(acceptEncoding, coding);
  return coding;
}

/**
 * Returns the coding that an `Accept-Encoding` header asks for: the one with the highest q-value. On a tie, compression
 * wins over plain bytes. Without the header, or if it rejects every coding that we have, the answer is "identity".
 */
export function chooseCoding(acceptEncoding: string | undefined, codings = CODINGS): Coding {
  const weights = new Map<string, number>();
  for (const [coding, weight] of weightedValues(acceptEncoding ?? "")) {
    if (coding !== "") weights.set(coding.replace(/^x-gzip$/, "gzip"), weight);
  }
  let best: Coding = "identity";
  let highest = weights.get("identity") ?? 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > 0 && (weight > highest || (best === "identity" && weight >= highest))) {
      best = coding;
      highest = weight;
    }
  }
  return best;
}

/** Returns a strong ETag for the bytes that `digest` identifies. Each coding gets its own tag. */
export function entityTag(digest: string, coding: Coding): string {
  return coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`;
}

/**
 * Whether an `If-None-Match` header names the tag. The header may be a list or `*`. The comparison is weak, since a
 * cache in between may have weakened our tag. Our tags contain no comma and no space, so a match never spans two tags
 * of a list.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.includes(tag);
}

/** The header that states the sha256 of a body (RFC 9530). @param sha256 in hex */
export function reprDigest(sha256: string): string {
  const bytes = Array.from({ length: sha256.length / 2 }, (_, at) =>
    Number.parseInt(sha256.slice(2 * at, 2 * at + 2), 16),
  );
  return `sha-256=:${btoa(String.fromCharCode(...bytes))}:`;
}
