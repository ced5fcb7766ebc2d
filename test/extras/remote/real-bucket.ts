import { AwsClient } from "aws4fetch";
import { onTestFinished, type TestContext, vi } from "vitest";
import { PATIENCE } from "../../../src/extras/remote/failures.js";
import { shared } from "../../stores/shared.js";

const PREFIX = "some/prefix/";

/**
 * A bucket of a real server, which is the store of the environment until the test ends. Waits between tries are
 * short.
 */
export async function aRealBucket(context: TestContext) {
  const store = shared(context);
  const bucket = await store.bucket();
  useStore(store.env);
  const patience = { ...PATIENCE };
  Object.assign(PATIENCE, { firstWaitMs: 20, longestWaitMs: 100 });
  onTestFinished(() => {
    Object.assign(PATIENCE, patience);
    vi.unstubAllEnvs();
  });
  const keys = { accessKeyId: store.accessKey, secretAccessKey: store.secretKey };
  const client = new AwsClient({ ...keys, region: "us-east-1", service: "s3", retries: 0 });
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await client.fetch(`${store.endpoint}/${bucket}${path}`, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${path}: ${response.status} ${bytes}`);
    return bytes;
  };
  return {
    store,
    url: `s3://${bucket}/${PREFIX.slice(0, -1)}`,
    /** The paths below the prefix, of at most 1,000 objects. */
    paths: async (below = "") => {
      const list = await send(`?list-type=2&prefix=${encodeURIComponent(PREFIX + below)}`);
      const keys = list.toString().matchAll(/<Key>([^<]*)<\/Key>/g);
      return [...keys].map(([, key = ""]) => key.slice(PREFIX.length));
    },
    read: (path: string) => send(`/${PREFIX}${path}`),
    write: (path: string, body: Buffer | string) =>
      send(`/${PREFIX}${path}`, { method: "PUT", body: new Uint8Array(Buffer.from(body)) }),
    remove: (path: string) => send(`/${PREFIX}${path}`, { method: "DELETE" }),
  };
}

export type RealBucket = Awaited<ReturnType<typeof aRealBucket>>;

export function useStore(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}
