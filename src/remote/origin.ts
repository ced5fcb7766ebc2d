import { type ByteRange, rangeHeader } from "../store/source.js";
import { bucketAddress, originAddress, s3Access } from "./address.js";
import { RemoteError } from "./errors.js";
import { isPart, type OpenReply, sendRequest, tooLarge } from "./request.js";
import { PassingFailure, retrying, WrongBytes } from "./retrying.js";
import { S3Bucket } from "./s3-bucket.js";

/** How a file is read from an origin. */
export interface GetOptions {
  /** Asks caches on the way for the origin's own answer. */
  readonly fresh?: boolean;
  /** The part of the file that is wanted. The origin may send the whole file with status 200. */
  readonly range?: ByteRange | undefined;
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

/**
 * The origin at an address that `PULL_ADDRESS` accepts.
 * @param allowRedirects whether a web server may redirect to other hosts. A bucket never may: requests to it are signed
 * @throws RemoteError if a bucket's credentials are missing
 */
export function originAt(address: string, allowRedirects: boolean): Origin {
  const bucket = bucketAddress(address);
  const url = originAddress(address);
  if (bucket !== null) return new S3Bucket(bucket, s3Access());
  if (url === null) throw new TypeError(`${address} is not an address`);
  return new HttpOrigin(url, allowRedirects);
}

/**
 * Reads a whole file, with retries. @returns null if it does not exist @throws RemoteError if it has more than `max`
 * bytes
 */
export function readWholeObject(
  origin: Origin,
  path: string,
  max: number,
  options: GetOptions = {},
): Promise<Buffer | null> {
  return retrying(options.signal, () => origin.get(path, (reply) => reply.bytes(max), options));
}

/**
 * Reads the text of a small file, with retries and past all caches.
 * @returns null if it does not exist. Some hosts answer 200 with a page for every address that they do not have
 * @throws RemoteError if it has more than `max` bytes
 */
export async function readSmallText(
  origin: Origin,
  path: string,
  max: number,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const start = await retrying(signal, () =>
    origin.get(path, (reply) => reply.start(max + 1), { fresh: true, signal }),
  );
  const text = start?.toString("utf8") ?? null;
  if (start === null || text === null || text.trimStart().startsWith("<")) return null;
  if (start.length > max) throw tooLarge(`${origin.name}/${path}`, max);
  return text;
}

/** Servers of buckets answer 403 for a missing object if the reader may not list the bucket. */
const MISSING = [403, 404, 410];
const PASSING = [408, 429, 500, 502, 503, 504];
const REDIRECTS = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;
/** Bytes of an error's body that are read, so that the connection can be used again. Error pages have less. */
const DISCARDED_MAX = 64 * 1024;

/** Any server of plain files. It gets no credentials. */
class HttpOrigin implements Origin {
  readonly name: string;
  readonly #url: URL;
  readonly #allowRedirects: boolean;

  constructor(url: URL, allowRedirects: boolean) {
    this.#url = url;
    this.#allowRedirects = allowRedirects;
    this.name = url.href.replace(/\/$/, "");
  }

  async get<T>(
    path: string,
    use: (reply: OpenReply) => Promise<T>,
    options: GetOptions = {},
  ): Promise<T | null> {
    const place = `${this.name}/${path}`;
    let url = new URL(path, this.#url);
    for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
      const got = await this.#getAt(url, place, use, options);
      if (!(got instanceof URL)) return got;
      url = got;
    }
    throw new RemoteError(`${place} redirects more than ${REDIRECTS_MAX} times, the limit`);
  }

  /** @returns the result of `use`; an address that the reply redirects to; null if the file does not exist */
  async #getAt<T>(
    url: URL,
    place: string,
    use: (reply: OpenReply) => Promise<T>,
    { fresh = false, range, signal }: GetOptions,
  ): Promise<T | URL | null> {
    const isElsewhere = url.origin !== this.#url.origin;
    // Another host may be an internal one: no message repeats any part of its answer.
    const unlike = `${place} redirects to ${url.host}, which does not send the file`;
    const past = fresh ? { "cache-control": "no-cache", pragma: "no-cache" } : {};
    const headers = new Headers({ ...past, ...rangeHeader(range) });
    try {
      return await sendRequest(place, { method: "GET", url, headers }, signal, async (reply) => {
        if (reply.status === 200 || isPart(reply, range)) return use(reply);
        await reply.start(DISCARDED_MAX);
        if (MISSING.includes(reply.status)) return null;
        if (REDIRECTS.includes(reply.status)) return this.#redirect(url, place, reply);
        const message = isElsewhere ? unlike : `${place} answered ${reply.status}`;
        throw PASSING.includes(reply.status)
          ? new PassingFailure(message)
          : new RemoteError(message);
      });
    } catch (error) {
      const isConnection = error instanceof PassingFailure && !(error instanceof WrongBytes);
      throw isElsewhere && isConnection ? new PassingFailure(unlike) : error;
    }
  }

  /** @throws RemoteError if the reply redirects to an address that must not be followed */
  #redirect(from: URL, place: string, reply: OpenReply): URL {
    const to = redirectTarget(reply.header("location"), from);
    // Without the encryption that this one had, anyone on the way could answer.
    if (to === null || (to.protocol !== from.protocol && to.protocol !== "https:")) {
      throw new RemoteError(`${place} redirects to an address that cannot be followed`);
    }
    if (to.origin !== this.#url.origin && !this.#allowRedirects) {
      throw new RemoteError(
        `${place} redirects to ${to.host}, another host: pull from there, or use --allow-redirects if ` +
          "every host that this one names may be asked",
      );
    }
    return to;
  }
}

function redirectTarget(location: string, from: URL): URL | null {
  try {
    return new URL(location, from);
  } catch {
    return null;
  }
}
