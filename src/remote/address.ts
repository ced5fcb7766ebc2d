import type { Rule } from "../options/defaults.js";
import { RemoteError } from "./errors.js";

/** Where the snapshots of a bucket lie: the bucket's name, and a prefix without slashes at its ends, or "". */
export interface BucketAddress {
  readonly bucket: string;
  readonly prefix: string;
}

/** A bucket's name as S3 allows it, then a prefix of characters that need no escape in addresses, XML or shells. */
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

/** How to reach and use an S3-compatible store. */
export interface S3Access {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  readonly region: string;
  /** The store's own address; null for AWS. */
  readonly endpoint: URL | null;
}

/** Works on AWS for buckets in this region, and on all other stores that we know of. */
const USUAL_REGION = "us-east-1";

/**
 * Reads the credentials, the region and the endpoint from the environment, with the precedence of AWS's own tools: the
 * variable of the service before the general one, and `AWS_REGION` before `AWS_DEFAULT_REGION`. An empty variable
 * counts as unset. No message shows a value: a secret may have been pasted into the wrong variable.
 * @throws RemoteError if a variable is missing or malformed
 */
export function s3Access(environment: NodeJS.ProcessEnv = process.env): S3Access {
  // Characters outside this range cannot be sent in a header.
  const printable = (name: string): string | undefined => {
    const value = environment[name] || undefined;
    if (value === undefined || /^[!-~]+$/.test(value)) return value;
    throw new RemoteError(`${name} has a space or another character that no credential has`);
  };
  const accessKeyId = printable("AWS_ACCESS_KEY_ID");
  const secretAccessKey = printable("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new RemoteError(
      "the store's credentials are missing: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and " +
        "AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL if the store is not AWS",
    );
  }
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: printable("AWS_SESSION_TOKEN"),
    region: printable("AWS_REGION") ?? printable("AWS_DEFAULT_REGION") ?? USUAL_REGION,
    endpoint: endpointIn(environment),
  };
}

/** The variables with the store's address. The first one that is set counts. */
const ENDPOINTS = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] as const;

function endpointIn(environment: NodeJS.ProcessEnv): URL | null {
  if (environment.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS?.toLowerCase() === "true") return null;
  const name = ENDPOINTS.find((one) => environment[one]);
  if (name === undefined) return null;
  const text = environment[name] ?? "";
  try {
    const url = new URL(text);
    const isHttp = url.protocol === "http:" || url.protocol === "https:";
    if (isHttp && url.username === "" && url.search === "" && url.hash === "") return url;
  } catch {
    // The message below says what is expected.
  }
  throw new RemoteError(
    `${name} must be an address such as https://s3.example.com, without a user or a query`,
  );
}
