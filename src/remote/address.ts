import type { Rule } from "../options/defaults.js";

/** Where the snapshots of a bucket lie: the bucket's name, and a prefix without slashes at its ends, or "". */
export interface BucketAddress {
  readonly bucket: string;
  readonly prefix: string;
}

/** A bucket's name as S3 allows it, then a prefix of characters that need no escape in an address, an XML or a shell. */
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

/** Reads `s3://bucket/prefix`; null for any other text. */
export function bucketAddress(text: string): BucketAddress | null {
  const [, bucket, path = ""] = BUCKET.exec(text) ?? [];
  const isPlain = path.split("/").every((part) => part !== "." && part !== "..");
  return bucket === undefined || !isPlain ? null : { bucket, prefix: path.slice(1) };
}

/** Reads an `http:` or `https:` address, and ends it with a slash; null for any other text. */
export function originAddress(text: string): URL | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  // Credentials and queries would appear in messages.
  if (!isHttp || /[?#]/.test(text) || url.username !== "" || url.password !== "") return null;
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** The addresses that `push` takes. */
export const PUSH_ADDRESS: Rule<string> = {
  expected: "the address of a bucket, such as s3://bucket/prefix (letters, digits, . _ - and /)",
  accepts: (value): value is string => typeof value === "string" && bucketAddress(value) !== null,
};

/** The addresses that `pull` takes. */
export const PULL_ADDRESS: Rule<string> = {
  expected:
    "an address such as s3://bucket/prefix or https://host/path, without a user, a ? or a #",
  accepts: (value): value is string =>
    typeof value === "string" && (bucketAddress(value) !== null || originAddress(value) !== null),
};
