import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { ErrorBody } from "../../src/contract/bodies.js";
import { build } from "../../src/publish/build.js";
import type { ServeOptions } from "../../src/server/options.js";
import { serve } from "../../src/server/serve.js";
import type { RunningServer } from "../../src/server/server.js";
import { type PublishedFiles, temporaryFolder, writePublished } from "../fixtures.js";
import { NO_PICTURES } from "../pictures.js";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** Sends one request exactly as written: nothing of the target is normalised. */
export function send(
  server: Pick<RunningServer, "host" | "port">,
  target: string,
  sent: Sent = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers: asked = {} } = sent;
    const { host, port } = server;
    const options = { host, port, path: target, agent: false, method, headers: asked };
    const req = httpRequest(options, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode = 0, headers } = res;
        resolve({ status: statusCode, headers, bytes, text: bytes.toString("utf8") });
      });
    });
    req.on("error", reject);
    req.end(sent.body);
  });
}

/** Sends bytes over a connection of their own and gives all that comes back until it closes. */
export function sendRaw(server: RunningServer, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, server.host, () => socket.write(bytes));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(received));
  });
}

/** Asserts what every error has in common (docs/contract.md#7-errors, docs/contract.md#8-http) and gives its body. */
export function expectError(reply: Reply, status: number): ErrorBody {
  expect(reply.status).toBe(status);
  expect(reply.headers).toMatchObject({
    "content-type": "application/json",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag, Link, Repr-Digest, Retry-After, X-Crawldex-Generation",
    "x-content-type-options": "nosniff",
  });
  expect(reply.headers.etag).toBeUndefined();
  const body = ErrorBody.parse(JSON.parse(reply.text));
  expect(reply.text).not.toMatch(/node_modules|\.ts|\.js:|ENOENT|snapshots|\/tmp/);
  return body;
}

/** The issues' paths of an error, in a fixed order. */
export function issuePaths(body: ErrorBody): string[] {
  return (body.issues ?? []).map(({ path }) => path).sort();
}

export interface Service {
  readonly server: RunningServer;
  readonly store: string;
  /** What the server logged. */
  readonly logged: string[];
  /** Builds another published directory into the store, and has the server look at it at once. */
  publish(files: PublishedFiles): Promise<string>;
}

/** Serves a store of its own on a random port; `files` null: nothing is published yet. */
export async function aService(
  files: PublishedFiles | null,
  finished: (cleanUp: () => Promise<void>) => void = onTestFinished,
  { store: served, ...options }: ServeOptions & { readonly store?: string } = {},
): Promise<Service> {
  const folder = await temporaryFolder(finished);
  const store = join(folder, "store");
  let built = 0;
  const publish = async (next: PublishedFiles) => {
    built += 1;
    const published = await writePublished(join(folder, `published-${built}`), next);
    const { id } = await build(published, { store, jobs: 1, keep: 3 });
    server?.reload();
    return id;
  };
  let server: RunningServer | undefined;
  if (files !== null) await publish(files);
  const logged: string[] = [];
  server = await serve(served ?? store, {
    port: 0,
    host: "127.0.0.1",
    ...NO_PICTURES,
    log: (line) => logged.push(line),
    ...options,
  });
  const { close } = server;
  finished(close);
  return { server, store, logged, publish };
}

/** The same for all tests of a file: it is there from before the first until after the last. */
export function sharedService(files: PublishedFiles, options: Partial<ServeOptions> = {}): Service {
  const service = {};
  const cleanUps: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
    Object.assign(service, await aService(files, finished, options));
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return service as Service;
}
