/** Codings that answers are compressed with, the preferred first. */
const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number] | "identity";

/** Bytes from which compressing pays (decisions, HTTP: answers over 1 kB). */
export const COMPRESS_OVER = 1024;

/** Codings by header; clients send few different ones, and whoever sends many gets no memory for them. */
const known = new Map<string, Coding>();
const KNOWN_MAX = 256;

/** `chooseCoding`, remembered. */
export function codingFor(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return "identity";
  const found = known.get(acceptEncoding);
  if (found !== undefined) return found;
  const coding = chooseCoding(acceptEncoding);
  if (known.size < KNOWN_MAX) known.set(acceptEncoding, coding);
  return coding;
}

/**
 * The coding that an `Accept-Encoding` asks for: the highest q-value, ours before the plain bytes where
 * equal. Without the header, and where it refuses everything that we have, the bytes go out plain.
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  const weights = new Map<string, number>();
  for (const part of (acceptEncoding ?? "").split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (coding !== "") weights.set(coding.replace(/^x-gzip$/, "gzip"), weightOf(parameters));
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
 * 128 bits of a text in hex, by four mixed multiplicative hashes (cyrb128). They tell apart the answers of one
 * address, which nobody gains anything by confusing, at a tenth of a sha256's cost and without Node.
 */
export function textDigest(text: string): string {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a]
    .map((word) => (word >>> 0).toString(16).padStart(8, "0"))
    .join("");
}

/**
 * Whether an `If-None-Match` names the tag: a list or `*`, compared weakly, since a cache on the way
 * may have weakened ours.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false;
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
