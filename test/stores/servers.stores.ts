import { AwsClient } from "aws4fetch";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "./servers/access.js";
import { startMiniflare } from "./servers/miniflare.js";
import { needWorkerd, shared } from "./shared.js";

/** Requests to a new bucket of a store. */
async function bucketOf({ endpoint, accessKey, secretKey, bucket }: Store) {
  const keys = { accessKeyId: accessKey, secretAccessKey: secretKey, region: "us-east-1" };
  const client = new AwsClient({ ...keys, service: "s3", retries: 0 });
  const base = `${endpoint}/${await bucket()}`;
  const send = (key: string, init: RequestInit = {}) => client.fetch(`${base}/${key}`, init);
  return {
    put: async (key: string, body: string, headers: Record<string, string> = {}) => {
      const response = await send(key, { method: "PUT", body, headers });
      await response.arrayBuffer();
      return response.status;
    },
    read: async (key: string, headers: Record<string, string> = {}) => {
      const response = await send(key, { headers });
      return [response.status, await response.text()];
    },
  };
}

const CREATE = { "if-none-match": "*" };

describe("the real servers behave as the product expects of their kind", () => {
  it("Ceph RGW creates an object once, whatever the number of writers", async (context) => {
    const { put, read } = await bucketOf(shared(context));
    const writers = Array.from({ length: 16 }, (_, i) => put("one", `writer ${i}`, CREATE));
    const statuses = await Promise.all(writers);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await read("one")).toEqual([200, `writer ${statuses.indexOf(200)}`]);
  });

  it("Ceph RGW answers ranges, with and without slashes in a key", async (context) => {
    const { put, read } = await bucketOf(shared(context));
    for (const key of ["one", "a/b/c.bin"]) {
      await put(key, "0123456789");
      expect(await read(key, { range: "bytes=2-4" })).toEqual([206, "234"]);
    }
  });

  it("a worker in workerd reads its R2 bucket by ranges", async (context) => {
    needWorkerd(context);
    const script = `export default { async fetch(request, env) {
      const found = await env.STORE.get("one", { range: { offset: 2, length: 3 } });
      return new Response(found.body);
    } }`;
    const worker = await startMiniflare({ script, r2: ["STORE"] });
    onTestFinished(() => worker.stop());
    const bucket = await worker.bucket("STORE");
    await bucket.put("one", new TextEncoder().encode("0123456789"));
    expect(await (await fetch(worker.url)).text()).toBe("234");
  });
});
