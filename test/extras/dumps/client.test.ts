import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createClient } from "../../../src/client/index.js";
import { aPublishedDirectory } from "../../fixtures.js";
import { send, sharedService } from "../../server/http.js";

const service = sharedService(aPublishedDirectory());

it("the client reads the index of the dump", async () => {
  const client = createClient({ baseUrl: service.server.url });
  const { data } = await client.dump();
  expect(data.rows).toBe((await client.sites()).pagination.total);
  const [parquet] = data.files;
  const { pathname, search } = new URL(parquet!.url);
  const file = await fetch(service.server.url + pathname + search);
  expect((await file.arrayBuffer()).byteLength).toBe(parquet!.bytes);
});

it("a list of hosts states the sha256 of its bytes (RFC 9530)", async () => {
  const { headers, bytes } = await send(service.server, "/api/dump/hosts.txt");
  const digest = createHash("sha256").update(bytes).digest("base64");
  expect(headers["repr-digest"]).toBe(`sha-256=:${digest}:`);
});
