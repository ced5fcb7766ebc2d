import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { PATIENCE } from "../../../src/extras/remote/failures.js";
import type { Files } from "../../fetch/plain-host.js";
import { sha256 } from "../../store/trees.js";

export const ACCESS_KEY = "AKIAIMITATION";
export const SECRET_KEY = "secret/of+the=imitation";
export const SESSION_TOKEN = "token/of+the=session";
export const BUCKET = "s3://bucket/some/prefix";
const PREFIX = "some/prefix/";

/** A request that the imitation has received. Its path is below the prefix; null for the list. */
export interface Received {
  readonly method: string;
  readonly path: string | null;
  /** Counted from 1. */
  readonly number: number;
}

/**
 * How a request fails. `cut before`: the connection ends before the store has done what was asked. `truncated`: half of
 * the body arrives, then the connection ends. `short`: half of it, as if it were all.
 */
export type Fault =
  | { readonly status: number; readonly code: string; readonly after?: boolean }
  | "cut before"
  | "truncated"
  | "short"
  | "tampered";

interface StoredObject {
  readonly bytes: Buffer;
  readonly modified: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A store with the S3 protocol in this process, for what real servers cannot be made to do. The tests `*.stores.ts` run
 * against real ones.
 */
export class Imitation {
  readonly objects = new Map<string, StoredObject>();
  readonly received: Received[] = [];
  conditions: "honoured" | "ignored" | "refused" = "honoured";
  /** Whether entity tags in conditions must not have quotes, as for Ceph. */
  wantsBareTags = false;
  /** What the store's clock says beyond the machine's, in milliseconds. */
  ahead = 0;
  /** Objects in a page of the list. */
  pageSize = 1_000;
  fault: (request: Received) => Fault | null | Promise<Fault | null> = () => null;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  url = "";

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  now(): number {
    return Date.now() + this.ahead;
  }

  /** The paths of all objects below the prefix, sorted. */
  paths(): string[] {
    return [...this.objects.keys()].map((key) => key.slice(PREFIX.length)).sort();
  }

  text(path: string): string | null {
    return this.objects.get(PREFIX + path)?.bytes.toString() ?? null;
  }

  json(path: string): unknown {
    return JSON.parse(this.text(path) ?? "null");
  }

  headers(path: string): Readonly<Record<string, string>> | undefined {
    return this.objects.get(PREFIX + path)?.headers;
  }

  put(path: string, bytes: Buffer | string): void {
    const object = { bytes: Buffer.from(bytes), modified: this.now(), headers: {} };
    this.objects.set(PREFIX + path, object);
  }

  delete(path: string): void {
    this.objects.delete(PREFIX + path);
  }

  /** The snapshot that `current.json` names; null if it does not exist. */
  currentId(): string | null {
    const pointer = this.json("current.json") as { id: string } | null;
    return pointer?.id ?? null;
  }

  /** How many requests there were with a method, or in all. */
  count(method?: string): number {
    return this.received.filter((one) => method === undefined || one.method === method).length;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\//, "");
    const path = key === "" ? null : key.slice(PREFIX.length);
    const received = { method: request.method ?? "", path, number: this.received.length + 1 };
    this.received.push(received);
    const fault = await this.fault(received);
    response.setHeader("date", new Date(this.now()).toUTCString());
    if (fault === "cut before") {
      request.socket.destroy();
      return;
    }
    const isObject = typeof fault === "object" && fault !== null;
    if (isObject && fault.after !== true) {
      request.resume();
      error(response, fault.status, fault.code);
      return;
    }
    const body = await buffer(request).catch(() => null);
    // The client has ended before it had sent all bytes.
    if (body === null) return;
    const answer = this.#do(request, key, url, body);
    if (isObject) error(response, fault.status, fault.code);
    else send(response, answer, fault);
  }

  #do(request: IncomingMessage, key: string, url: URL, body: Buffer): Answer {
    if (!request.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`)) {
      return failed(403, "InvalidAccessKeyId");
    }
    if (key === "") return this.#list(url);
    const found = this.objects.get(key);
    if (request.method === "GET") {
      if (found === undefined) return failed(404, "NoSuchKey");
      const headers = {
        etag: `"${tagOf(found)}"`,
        "last-modified": new Date(found.modified).toUTCString(),
      };
      return { status: 200, body: found.bytes, headers };
    }
    if (request.method === "DELETE") {
      this.objects.delete(key);
      return { status: 204, body: Buffer.alloc(0) };
    }
    const modified = this.now();
    if (request.headers["x-amz-content-sha256"] !== sha256(body)) {
      return failed(400, "XAmzContentSHA256Mismatch");
    }
    const unmet = this.#unmet(request.headers, found);
    if (unmet !== null) return unmet;
    const names = ["content-type", "cache-control"] as const;
    const headers = Object.fromEntries(names.map((name) => [name, request.headers[name] ?? ""]));
    this.objects.set(key, { bytes: body, modified, headers });
    return { status: 200, body: Buffer.alloc(0) };
  }

  /** The answer to a write whose condition is not met; null if it is. */
  #unmet(headers: IncomingHttpHeaders, found: StoredObject | undefined): Answer | null {
    const { "if-none-match": none, "if-match": match } = headers;
    const isConditional = none !== undefined || match !== undefined;
    if (!isConditional || this.conditions === "ignored") return null;
    if (this.conditions === "refused") return failed(501, "NotImplemented");
    const tag = found && (this.wantsBareTags ? tagOf(found) : `"${tagOf(found)}"`);
    if (match !== undefined && found === undefined) return failed(404, "NoSuchKey");
    const isMet = match === undefined ? found === undefined : match === tag;
    return isMet ? null : failed(412, "PreconditionFailed");
  }

  #list(url: URL): Answer {
    const prefix = url.searchParams.get("prefix") ?? "";
    const after = url.searchParams.get("continuation-token") ?? "";
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const rest = keys.filter((key) => key > after);
    const page = rest.slice(0, this.pageSize);
    const contents = page.map((key) => {
      const { bytes, modified } = this.objects.get(key)!;
      const time = new Date(modified).toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const isTruncated = rest.length > page.length;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    const text = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join("")}${next}</ListBucketResult>`;
    return { status: 200, body: Buffer.from(text) };
  }
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Another write of the same bytes has the same tag, as in S3. */
function tagOf({ bytes }: StoredObject): string {
  return sha256(bytes).slice(0, 32);
}

/** As AWS does: the body repeats the access key and the signed request. */
function failed(status: number, code: string): Answer {
  const signed = `<AWSAccessKeyId>${ACCESS_KEY}</AWSAccessKeyId><CanonicalRequest>x-amz-security-token:${SESSION_TOKEN}</CanonicalRequest>`;
  return { status, body: Buffer.from(`<Error><Code>${code}</Code>${signed}</Error>`) };
}

function error(response: ServerResponse, status: number, code: string): void {
  send(response, failed(status, code), null);
}

function send(response: ServerResponse, answer: Answer, fault: Fault | null): void {
  const { status, body, headers = {} } = answer;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const half = body.subarray(0, Math.floor(body.length / 2));
  if (fault === "truncated") {
    response.writeHead(status, { "content-length": body.length });
    response.write(half, () => response.destroy());
    return;
  }
  let sent = fault === "short" ? half : body;
  if (fault === "tampered") {
    sent = Buffer.from(body);
    sent[half.length] = (sent[half.length] ?? 0) ^ 1;
  }
  if (status === 204) response.writeHead(status).end();
  else response.writeHead(status, { "content-length": sent.length }).end(sent);
}

/** Starts an imitation for one test, and makes it the store of the environment. Waits between tries are short. */
export async function anImitation(): Promise<Imitation> {
  const store = new Imitation();
  await store.start();
  const before = { ...PATIENCE };
  Object.assign(PATIENCE, { firstWaitMs: 1, longestWaitMs: 4, tries: 4 });
  const variables = {
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    AWS_SESSION_TOKEN: SESSION_TOKEN,
    AWS_REGION: "",
    AWS_ENDPOINT_URL_S3: store.url,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => {
    store.stop();
    Object.assign(PATIENCE, before);
    vi.unstubAllEnvs();
  });
  return store;
}

/** The files of a bucket, for a web server. */
export const filesOf =
  (bucket: Imitation): Files =>
  async (path) =>
    bucket.objects.get(`some/prefix/${path}`)?.bytes ?? null;
