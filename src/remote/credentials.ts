import { RemoteError } from "./errors.js";

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
 * Reads the credentials, the region and the endpoint from the environment. No message shows a value: a secret may have
 * been pasted into the wrong variable.
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
      "the store's credentials are missing: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL_S3 if the store is not AWS",
    );
  }
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: printable("AWS_SESSION_TOKEN"),
    region: printable("AWS_REGION") ?? USUAL_REGION,
    endpoint: endpointIn(environment.AWS_ENDPOINT_URL_S3),
  };
}

function endpointIn(text: string | undefined): URL | null {
  if (text === undefined || text === "") return null;
  try {
    const url = new URL(text);
    const isHttp = url.protocol === "http:" || url.protocol === "https:";
    if (isHttp && url.username === "" && url.search === "" && url.hash === "") return url;
  } catch {
    // The message below says what is expected.
  }
  throw new RemoteError(
    "AWS_ENDPOINT_URL_S3 must be an address such as https://s3.example.com, without a user or a query",
  );
}
