import { weightedValues } from "../../contract/headers.js";

/** Codings that answers are compressed with, the preferred first. */
const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number] | "identity";

/** Bytes from which compressing pays (decisions, HTTP: answers over 1 kB). */
export const COMPRESS_OVER = 1024;

/** Codings by header. Clients send few different headers; when a client has sent many, all are forgotten. */
const known = new Map<string, Coding>();
const KNOWN_MAX = 256;
/** Characters of a header that is remembered. */
const KNOWN_LENGTH_MAX = 100;

/** `chooseCoding`, remembered. */
export function codingFor(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return "identity";
  if (acceptEncoding.length > KNOWN_LENGTH_MAX) return chooseCoding(acceptEncoding);
  const found = known.get(acceptEncoding);
  if (found !== undefined) return found;
  const coding = chooseCoding(acceptEncoding);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(acceptEncoding, coding);
  return coding;
}

/**
 * The coding that an `Accept-Encoding` asks for: the highest q-value, ours before the plain bytes where
 * equal. Without the header, and where it refuses everything that we have, the bytes go out plain.
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  const weights = new Map<string, number>();
  for (const [coding, weight] of weightedValues(acceptEncoding ?? "")) {
    if (coding !== "") weights.set(coding.replace(/^x-gzip$/, "gzip"), weight);
  }
  let best: Coding = "identity";
  let highest = weights.get("identity") ?? 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > 0 && (weight > highest || (best === "identity" && weight >= highest))) {
      best = coding;
      highest = weight;
    }
  }
  return best;
}

/** A strong ETag for bytes named by `digest`, one for each coding of them. */
export function entityTag(digest: string, coding: Coding): string {
  return coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`;
}

/**
 * Whether an `If-None-Match` names the tag: a list or `*`, compared weakly, since a cache on the way
 * may have weakened ours. Our tags have no comma and no space, so that none is found across two of a list.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.includes(tag);
}
