import { bucketUrl } from "../../lib/bucket-url.js";
import type { Rule } from "../../lib/options.js";
import { RemoteError } from "./failures.js";

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
  isSecret: true,
  expected: "the address of a bucket, such as s3://bucket/prefix (letters, digits, . _ - and /)",
  accepts: (value): value is string => typeof value === "string" && bucketAddress(value) !== null,
};

/** The addresses that `pull` takes. */
export const PULL_ADDRESS: Rule<string> = {
  isSecret: true,
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

/** The variables that name a proxy, by the protocol of the address. The first one that is set counts. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  "http:": ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"],
  "https:": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
};

/** What decides whether requests pass through a proxy. */
export interface ProxyFacts {
  readonly environment: NodeJS.ProcessEnv;
  /** The version of Node.js, such as 24.5.0. */
  readonly node: string;
  /** The options that Node.js was started with. */
  readonly flags: readonly string[];
}

function factsOfProcess(): ProxyFacts {
  const { env: environment, versions, execArgv: flags } = process;
  return { environment, node: versions.node, flags };
}

/**
 * A warning that requests go directly to an address, though the environment names a proxy for it; null if they do not.
 * @param address a bucket, or an address of http or https
 */
export function unusedProxy(
  address: string,
  { environment, node, flags }: ProxyFacts = factsOfProcess(),
): string | null {
  const url = requestUrl(address, environment);
  const variable = VARIABLES[url?.protocol ?? ""]?.find((name) => environment[name]);
  if (url === null || variable === undefined || isExempt(url, environment)) return null;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const canUse = major >= 24 || (major === 22 && minor >= 21);
  const flag = [environment.NODE_OPTIONS, ...flags].join(" ").includes("--use-env-proxy");
  const isAsked = flag || environment.NODE_USE_ENV_PROXY === "1";
  // Node.js does not know this variable.
  const isOfAll = variable.toUpperCase() === "ALL_PROXY";
  if (canUse && isAsked && !isOfAll) return null;
  const own = isOfAll ? `${url.protocol === "http:" ? "HTTP" : "HTTPS"}_PROXY and ` : "";
  const set = `set ${own}NODE_USE_ENV_PROXY=1`;
  const remedy = canUse
    ? `${set} to use the proxy`
    : `Node.js ${node} cannot use a proxy: install Node.js 24, and ${set}`;
  return `${variable} is set, but requests go directly to ${url.host}; ${remedy}, or add ${url.hostname} to NO_PROXY`;
}

/** The address that requests go to; null if the environment does not say. */
function requestUrl(address: string, environment: NodeJS.ProcessEnv): URL | null {
  const bucket = bucketAddress(address);
  if (bucket === null) return originAddress(address);
  try {
    return bucketUrl(bucket.bucket, s3Access(environment));
  } catch {
    // The command itself reports it.
    return null;
  }
}

/** Whether `NO_PROXY` lists a host, or a domain above it. */
function isExempt(url: URL, environment: NodeJS.ProcessEnv): boolean {
  const port = url.port || (url.protocol === "http:" ? "80" : "443");
  return (environment.no_proxy || environment.NO_PROXY || "").split(/[\s,]+/).some((entry) => {
    const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (entry === "*") return true;
    const isHost = name !== "" && (url.hostname === name || url.hostname.endsWith(`.${name}`));
    return isHost && (only === undefined || only === port);
  });
}
