import { rangeHeader, replyTo, type Send } from "../lib/http.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { Segment } from "../store/format.js";
import { dataName, type PackPiece, packPieces } from "../store/segments/directory.js";
import { type ByteRange, type ByteSource, FILE_BYTES_MAX } from "../store/source.js";
import { storedJson } from "../store/stored-json.js";
import { inflate } from "./bytes.js";

/** Milliseconds after which a request counts as failed. */
const TIMEOUT_MS = 30_000;

/** The options of a request that stores use. */
interface StoreRequest {
  readonly headers: Record<string, string>;
  readonly cache?: "no-cache";
  readonly redirect: "manual" | "follow";
  readonly signal: AbortSignal;
}

/** The platform's `fetch`, or another function with its behaviour. */
type Fetch = (input: string, init: StoreRequest) => Promise<Response>;

/** Options of `httpStore`. */
export interface HttpStoreOptions {
  /** Headers of every request, for example for authorization. With headers, no redirect is followed. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether to follow redirects to other origins, but never from https to http. They may lead into the network of the
   * machine that runs the handler. Default: false.
   */
  readonly allowRedirects?: boolean;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch;
}

/**
 * A store behind HTTP: a web server, a CDN or a public bucket. Works with servers that ignore `Range`, too.
 * @param url the address of the store's folder
 */
export function httpStore(url: string | URL, options: HttpStoreOptions = {}): ByteSource {
  const { headers = {}, allowRedirects = false, fetch } = options;
  // In a browser, the address may be relative to the page. A request has the absolute one.
  const { url: base } = new Request(String(url).replace(/(?<!\/)\/*$/, "/"));
  const { origin, protocol } = new URL(base);
  const hasHeaders = Object.keys(headers).length > 0;
  // Without encryption, anyone on the network path could answer in the place of the store.
  const isSafe = (to: URL) => to.protocol === protocol || to.protocol === "https:";
  const mayGoTo = (to: URL) =>
    !hasHeaders && (to.origin === origin || (allowRedirects && isSafe(to)));
  return async (path, range, most) => {
    const request = { url: new URL(base + path), headers, fetch, mayGoTo, ...freshness(path) };
    return readFile(request, path, range, most);
  };
}

/**
 * The store of a worker's static assets.
 * @param assets the binding, such as `env.ASSETS`
 * @param folder the path of the store's folder among the assets
 */
export function assetsStore(assets: { readonly fetch: Fetch }, folder = "/"): ByteSource {
  // Assets have no host: the binding ignores it.
  const url = new URL(folder, "https://assets.invalid");
  return httpStore(url, { fetch: (input, init) => assets.fetch(input, init) });
}

/** The part of a Workers R2 bucket that `r2Store` uses. */
export interface R2BucketLike {
  get(
    key: string,
    options?: { readonly range?: ByteRange },
  ): Promise<{
    /** Bytes of the whole object. */
    readonly size?: number;
    arrayBuffer(): Promise<ArrayBuffer>;
  } | null>;
}

/**
 * The store in a Workers R2 bucket.
 * @param bucket the binding, such as `env.BUCKET`
 * @param prefix what every key begins with
 */
export function r2Store(bucket: R2BucketLike, prefix = ""): ByteSource {
  const folder = prefix === "" ? "" : prefix.replace(/(?<!\/)\/*$/, "/");
  return async (path, range, most = FILE_BYTES_MAX) => {
    const object = await bucket.get(folder + path, range === undefined ? {} : { range });
    if (object === null) throw new Error(`the bucket has no ${folder}${path}`);
    if (range === undefined && object.size !== undefined && object.size > most)
      throw new Error(`${path} has more than ${most} bytes`);
    return new Uint8Array(await object.arrayBuffer());
  };
}

/** The one file whose content changes under its name. */
const POINTER = "current.json";

/** Makes a browser ask the server for a file that may have changed. Some platforms do not know the option. */
function freshness(path: string): Pick<StoreRequest, "cache"> {
  if (path !== POINTER) return {};
  const fresh: Partial<StoreRequest> = { headers: {}, cache: "no-cache" };
  try {
    new Request("https://store.invalid", fresh);
    return { cache: "no-cache" };
  } catch {
    return {};
  }
}

/** A request for a file of a store. */
interface FileRequest extends Omit<Partial<StoreRequest>, "redirect" | "signal"> {
  readonly url: URL;
  /** Default: the platform's. */
  readonly fetch?: Fetch | undefined;
  /** Whether a redirect may lead to an address. */
  readonly mayGoTo: (to: URL) => boolean;
}

/** Reads a file of a store over HTTP. The path names it in messages, which do not repeat where a redirect leads. */
export async function readFile(
  { url, mayGoTo, fetch = globalThis.fetch, ...request }: FileRequest,
  path: string,
  range: ByteRange | undefined,
  most = FILE_BYTES_MAX,
): Promise<Uint8Array> {
  const onRedirect = (to: URL | null): void => {
    if (to !== null && mayGoTo(to)) return;
    throw new Error(
      `the store redirects ${path}, which is not followed with credentials, nor to another host: use ` +
        "the address to which it leads",
    );
  };
  const headers = { ...request.headers, ...rangeHeader(range) };
  const init = { ...request, headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const send: Send = ({ href }, redirect) => fetch(href, { ...init, redirect });
  const reply = await replyTo({ name: path, url, onRedirect }, send);
  if (reply.status === 200 || reply.status === 206) return reply.file(range, most);
  await reply.discard();
  throw new Error(`the store answered ${reply.status} for ${path}`);
}

/*
 * The store inside an exported tree. Its files are in `data/`, and its public documents are those of the tree. A packed
 * tree has the packs in compressed pieces: no host needs to answer ranges.
 */

/** The files whose content stays in memory: reports of one file are often read in a row. */
const REMEMBERED_MAX = 2;

/**
 * The store in a tree.
 * @param read reads a file of the tree by its path
 */
export function treeStore(read: ByteSource): ByteSource {
  /** By the paths of packs. */
  const packs = new Map<string, Segment>();
  /** Manifests whose packs are not in `packs` yet. Readers check their bytes before they read a pack. */
  const manifests: Uint8Array[] = [];
  const contents = new Map<string, Promise<Uint8Array>>();
  const contentOf = ({ file, length }: PackPiece, isAgain: boolean): Promise<Uint8Array> => {
    const known = contents.get(file);
    if (known !== undefined && !isAgain) return known;
    const made = read(`data/${file}`, undefined, undefined, isAgain).then((bytes) =>
      inflate(bytes, Math.min(length, FILE_BYTES_MAX), "deflate-raw"),
    );
    contents.set(file, made);
    made.catch(() => contents.delete(file));
    const [oldest = ""] = contents.keys();
    if (contents.size > REMEMBERED_MAX) contents.delete(oldest);
    return made;
  };
  const fromPack = async (path: string, range: ByteRange, isAgain: boolean) => {
    for (const manifest of manifests.splice(0)) notePacks(manifest, packs);
    const own = packs.get(path);
    if (own === undefined) throw new BadSnapshotError(`${path} is not in this tree`);
    const bytes = new Uint8Array(range.length);
    const end = range.offset + range.length;
    for (const piece of packPieces(own, range)) {
      const { offset, length } = piece;
      const start = Math.max(0, range.offset - offset);
      const part = (await contentOf(piece, isAgain)).subarray(
        start,
        Math.min(length, end - offset),
      );
      bytes.set(part, offset + start - range.offset);
    }
    return bytes;
  };
  return async (path, range, most, isAgain = false) => {
    if (range !== undefined && path.endsWith(".pack")) return fromPack(path, range, isAgain);
    const [folder = "", next] = path.split("/", 2);
    if (next === "public") return read(path.slice(`${folder}/public/`.length), range, most);
    const bytes = await read(`data/${dataName(path)}`, range, most, isAgain);
    if (next === "manifest.json") manifests.push(bytes);
    return bytes;
  };
}

/** Notes a manifest's packs. */
function notePacks(manifest: Uint8Array, packs: Map<string, Segment>): void {
  const { segments } = storedJson<{ readonly segments: readonly Segment[] }>(manifest);
  for (const segment of segments) packs.set(segment.pack.file, segment);
}
