import { AwsClient } from "aws4fetch";
import type { ByteSource } from "../store/source.js";
import { readFile } from "./store.js";

/** Options of `s3Store`. */
export interface S3StoreOptions {
  readonly bucket: string;
  /** The prefix of every key. */
  readonly prefix?: string;
  /** The address of an S3-compatible service, which then has the bucket in its paths. Default: Amazon S3. */
  readonly endpoint?: string;
  /** Default: "us-east-1". */
  readonly region?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The store in a private bucket of an S3-compatible service. A public one needs only `httpStore`. */
export function s3Store({ bucket, prefix = "", endpoint, ...access }: S3StoreOptions): ByteSource {
  const { region = "us-east-1" } = access;
  const client = new AwsClient({ ...access, region, service: "s3", retries: 0 });
  const folder = prefix === "" ? "" : prefix.replace(/(?<!\/)\/*$/, "/");
  const base =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com/`
      : `${endpoint.replace(/(?<!\/)\/*$/, "")}/${bucket}/`;
  const request = {
    fetch: (url: string, sent: RequestInit) => client.fetch(url, sent),
    // Each request has credentials, so no redirect is followed.
    mayGoTo: () => false,
  };
  return async (path, range, most) =>
    readFile({ ...request, url: new URL(base + folder + path) }, path, range, most);
}
