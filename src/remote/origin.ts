import { bucketAddress, originAddress } from "./address.js";
import { s3Access } from "./credentials.js";
import { RemoteError } from "./errors.js";
import { exchange, type OpenReply, type PreparedRequest } from "./exchange.js";
import { PassingFailure, retrying } from "./retrying.js";
import { S3Bucket } from "./s3-bucket.js";

/** How a file is read from an origin. */
export interface GetOptions {
  /** Asks caches on the way for the origin's own answer. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A place with published snapshots. */
export interface Origin {
  /** The address, for messages. */
  readonly name: string;
  /**
   * Reads a file, in one try.
   * @param use reads the body to its end
   * @returns the result of `use`; null if the file does not exist
   * @throws PassingFailure if another try may succeed; RemoteError
   */
  get<T>(
    path: string,
    use: (reply: OpenReply) => Promise<T>,
    options?: GetOptions,
  ): Promise<T | null>;
}

/** The origin at an address that `PULL_ADDRESS` accepts. @throws RemoteError if a bucket's credentials are missing */
export function originAt(address: string): Origin {
  const bucket = bucketAddress(address);
  const url = originAddress(address);
  if (bucket !== null) return new S3Bucket(bucket, s3Access());
  if (url === null) throw new TypeError(`${address} is no address`);
  return new HttpOrigin(url);
}

/** Reads a whole small file, with retries. @returns null if the file does not exist */
export function readWhole(
  origin: Origin,
  path: string,
  max: number,
  options: GetOptions = {},
): Promise<Buffer | null> {
  return retrying(options.signal, () => origin.get(path, (reply) => reply.bytes(max), options));
}

/** Servers of buckets answer 403 for a missing object if the reader may not list the bucket. */
const MISSING = [403, 404, 410];
const PASSING = [408, 429, 500, 502, 503, 504];
const REDIRECTS = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;
/** Bytes of an error's body that are read, so that the connection can be used again. */
const DISCARDED_MAX = 1024;

/** Any server of plain files. */
class HttpOrigin implements Origin {
  readonly name: string;
  readonly #url: URL;

  constructor(url: URL) {
    this.#url = url;
    this.name = url.href.replace(/\/$/, "");
  }

  async get<T>(
    path: string,
    use: (reply: OpenReply) => Promise<T>,
    { fresh = false, signal }: GetOptions = {},
  ): Promise<T | null> {
    const place = `${this.name}/${path}`;
    const headers = new Headers(fresh ? { "cache-control": "no-cache", pragma: "no-cache" } : {});
    let url: URL | null = new URL(path, this.#url);
    for (let hops = 0; url !== null && hops <= REDIRECTS_MAX; hops += 1) {
      const request: PreparedRequest = { method: "GET", url, headers };
      let next: URL | null = null;
      const result = await exchange(place, request, signal, async (reply) => {
        if (reply.status === 200) return use(reply);
        await reply.bytes(DISCARDED_MAX);
        if (REDIRECTS.includes(reply.status)) next = redirectOf(request.url, reply);
        if (next !== null || MISSING.includes(reply.status)) return null;
        const message = `${place} answered ${reply.status}`;
        throw PASSING.includes(reply.status)
          ? new PassingFailure(message)
          : new RemoteError(message);
      });
      if (next === null) return result;
      url = next;
    }
    throw new RemoteError(`${place} redirects in a circle`);
  }
}

/** Where a reply redirects to; null if that is no address, or one without the encryption that this one had. */
function redirectOf(from: URL, reply: OpenReply): URL | null {
  try {
    const to = new URL(reply.header("location"), from);
    return to.protocol === from.protocol || to.protocol === "https:" ? to : null;
  } catch {
    return null;
  }
}
