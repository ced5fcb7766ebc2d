import { AwsClient } from "aws4fetch";

/** What a test needs to use a server with the S3 protocol; it can be handed to another process. */
export interface Access {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A server with the S3 protocol. */
export interface Store extends Access {
  /** Creates an empty bucket. @returns its name */
  bucket(): Promise<string>;
  /** The variables with which commands find the store. */
  readonly env: Readonly<Record<string, string>>;
  /** The process that the server is, or all of them, ends. */
  stop(): Promise<void>;
}

const REGION = "us-east-1";
let buckets = 0;

/** A running server, made usable. @param stop ends it, where it is the caller's to end */
export function storeAt(access: Access, stop: () => Promise<void> = async () => {}): Store {
  const { endpoint, accessKey, secretKey } = access;
  const env = {
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: secretKey,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL_S3: endpoint,
  };
  return { ...access, env, stop, bucket: () => createBucket(access) };
}

async function createBucket({ endpoint, accessKey, secretKey }: Access): Promise<string> {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    region: REGION,
    service: "s3",
  });
  buckets += 1;
  const name = `crawldex-${process.pid}-${buckets}`;
  const response = await client.fetch(`${endpoint}/${name}`, { method: "PUT" });
  if (!response.ok) throw new Error(`no bucket: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return name;
}
