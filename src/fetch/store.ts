/** A part of a file. */
export interface ByteRange {
  /** Bytes before the part. */
  readonly offset: number;
  /** Bytes of the part. */
  readonly length: number;
}

/**
 * Reads a file of a store by its path, or a part of it. Rejects if the file cannot be read. May give other bytes than
 * those that were asked for: each use checks them.
 */
export type FetchStore = (path: string, range?: ByteRange) => Promise<Uint8Array>;

/** Milliseconds after which a request counts as failed. */
export const TIMEOUT_MS = 30_000;

/** The options of a request that stores use. */
interface StoreRequest {
  readonly headers: Record<string, string>;
  readonly cache?: "no-cache";
  readonly signal: AbortSignal;
}

/** The platform's `fetch`, or another function with its behaviour. */
type Fetch = (input: string, init: StoreRequest) => Promise<Response>;

/** Options of `httpStore`. */
export interface HttpStoreOptions {
  /** Headers of every request, for example for authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch;
}

/**
 * A store behind HTTP: a web server, a CDN or a public bucket. Works with servers that ignore `Range`, too.
 * @param url the address of the store's folder
 */
export function httpStore(url: string | URL, options: HttpStoreOptions = {}): FetchStore {
  const { headers = {}, fetch = globalThis.fetch } = options;
  const base = String(url).replace(/(?<!\/)\/*$/, "/");
  return async (path, range) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const init = { headers: { ...headers, ...rangeHeader(range) }, signal, ...freshness(path) };
    return bytesIn(await fetch(base + path, init), path, range);
  };
}

/**
 * The store of a worker's static assets.
 * @param assets the binding, such as `env.ASSETS`
 * @param folder the path of the store's folder among the assets
 */
export function assetsStore(assets: { readonly fetch: Fetch }, folder = "/"): FetchStore {
  // Assets have no host of their own; the binding ignores it.
  const url = new URL(folder, "https://assets.invalid");
  return httpStore(url, { fetch: (input, init) => assets.fetch(input, init) });
}

/** The part of a Workers R2 bucket that `r2Store` uses. */
export interface R2BucketLike {
  get(
    key: string,
    options?: { readonly range?: ByteRange },
  ): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
}

/**
 * The store in a Workers R2 bucket.
 * @param bucket the binding, such as `env.BUCKET`
 * @param prefix what every key begins with
 */
export function r2Store(bucket: R2BucketLike, prefix = ""): FetchStore {
  const folder = prefix === "" ? "" : prefix.replace(/(?<!\/)\/*$/, "/");
  return async (path, range) => {
    const object = await bucket.get(folder + path, range === undefined ? {} : { range });
    if (object === null) throw new Error(`the bucket has no ${folder}${path}`);
    return new Uint8Array(await object.arrayBuffer());
  };
}

/** The `Range` header of a request; none for a whole file. */
export function rangeHeader(range: ByteRange | undefined): Record<string, string> {
  if (range === undefined) return {};
  return { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
}

/** The bytes of a response. A server that ignores `Range` sends the whole file. */
export async function bytesIn(
  response: Response,
  path: string,
  range: ByteRange | undefined,
): Promise<Uint8Array> {
  const { status } = response;
  if (status !== 200 && status !== 206) {
    await response.body?.cancel();
    throw new Error(`the store answered ${status} for ${path}`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (range === undefined || status === 206) return bytes;
  // A copy, so that the rest of the file can be freed.
  return bytes.slice(range.offset, range.offset + range.length);
}

/** Files whose content changes under their names. */
const CHANGING = /^(?:current\.json|generations\/.*)$/;

/** Makes a browser ask the server for a file that may have changed. Some platforms do not know the option. */
function freshness(path: string): Pick<StoreRequest, "cache"> {
  if (!CHANGING.test(path)) return {};
  const fresh: Partial<StoreRequest> = { headers: {}, cache: "no-cache" };
  try {
    new Request("https://store.invalid", fresh);
    return { cache: "no-cache" };
  } catch {
    return {};
  }
}
