/*
 * The one reader of replies over HTTP, for every platform: it uses only web standards. Its callers send the requests,
 * and limit time, bytes and redirects.
 */

/** A reply exceeds a limit. */
export class ReplyLimitError extends Error {}

/** What a request asks for. */
export interface HttpTarget {
  /** The target, as messages name it. */
  readonly name: string;
  readonly url: URL;
  /**
   * Called with the address to which a reply redirects, or null if that is not an address. It throws if the redirect
   * must not be followed. Default: a redirect is a reply like any other.
   */
  readonly onRedirect?: (to: URL | null) => void;
}

const REDIRECTS = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;
/** Bytes of a body that nobody needs which are read, so that the connection can be used again. Most have less. */
const DISCARDED_MAX = 64 * 1024;

/** Sends the request to an address, and tells the platform what to do with a redirect. */
export type Send = (url: URL, redirect: "manual" | "follow") => Promise<Response>;

/** Waits for a step of the connection. @throws the step's error, or another one in its place */
export type Wait = <T>(step: Promise<T>) => Promise<T>;

/**
 * Sends a request, again for each redirect.
 * @param wait waits for each step of the connection. Default: for any time
 * @returns the first reply that does not redirect
 * @throws ReplyLimitError for too many redirects
 */
export async function replyTo(
  { name, url, onRedirect }: HttpTarget,
  send: Send,
  wait: Wait = (step) => step,
): Promise<Reply> {
  let from = url;
  for (let hops = 0; ; hops += 1) {
    let response = await wait(send(from, "manual"));
    if (onRedirect !== undefined && response.type === "opaqueredirect") {
      // Browsers hide where a redirect leads. They follow it themselves, or not at all.
      onRedirect(from);
      response = await wait(send(from, "follow"));
      onRedirect(new URL(response.url));
    }
    const location = response.headers.get("location");
    const isRedirect = location !== null && REDIRECTS.includes(response.status);
    if (onRedirect === undefined || !isRedirect) return new Reply(name, response, wait);
    if (hops === REDIRECTS_MAX) {
      throw new ReplyLimitError(`${name} redirects more than ${hops} times, the limit`);
    }
    if (response.body !== null) await readStart(response.body, DISCARDED_MAX).catch(() => {});
    const to = addressIn(location, from);
    onRedirect(to);
    from = to ?? from;
  }
}

function addressIn(location: string, from: URL): URL | null {
  try {
    return new URL(location, from);
  } catch {
    return null;
  }
}

/** A reply whose head has arrived. Its methods throw what waiting for the connection throws. */
export class Reply {
  readonly status: number;
  readonly #name: string;
  readonly #response: Response;
  readonly #wait: Wait;

  constructor(name: string, response: Response, wait: Wait) {
    this.status = response.status;
    this.#name = name;
    this.#response = response;
    this.#wait = wait;
  }

  /** The value of a header; "" if the reply does not have it. */
  header(name: string): string {
    return this.#response.headers.get(name) ?? "";
  }

  /** Reads the body piece by piece until `onChunk` returns false. @throws what `onChunk` throws */
  async read(onChunk: (chunk: Uint8Array) => boolean): Promise<void> {
    const { body } = this.#response;
    if (body !== null) await readChunks(body, onChunk, this.#wait);
  }

  /** Reads at most `max` bytes of the body, after the first `skip` ones. */
  start(max: number, skip = 0): Promise<Uint8Array> {
    return firstBytes((onChunk) => this.read(onChunk), max, skip);
  }

  /** Reads the whole body. @throws ReplyLimitError if it has more than `max` bytes */
  async bytes(max: number): Promise<Uint8Array> {
    const bytes = await this.start(max + 1);
    if (bytes.length > max) throw tooLarge(this.#name, max);
    return bytes;
  }

  /**
   * Reads the part of a file that was requested with `rangeHeader`, or the whole file. A server that ignores ranges
   * sends the whole file with status 200.
   * @throws ReplyLimitError if the whole file has more than `max` bytes
   */
  async file(range: ByteRange | undefined, max: number): Promise<Uint8Array> {
    if (range === undefined) return this.bytes(max);
    if (this.status === 200) return this.start(range.length, range.offset);
    // Reads to the end, so that the connection can be used again.
    return (await this.start(range.length + 1)).subarray(0, range.length);
  }

  /** Ends a reply whose body is of no use. */
  async discard(): Promise<void> {
    await this.start(DISCARDED_MAX);
  }
}

/** The error for a body that is longer than its kind may be. */
export function tooLarge(name: string, max: number): ReplyLimitError {
  return new ReplyLimitError(`${name} has more than ${max} bytes, the limit for such a file`);
}

/** A part of a file. */
interface ByteRange {
  /** Bytes before the part. */
  readonly offset: number;
  /** Bytes of the part. */
  readonly length: number;
}

/** The header that asks for a part of a file; none for a whole file. */
export function rangeHeader(range: ByteRange | undefined): Record<string, string> {
  if (range === undefined) return {};
  return { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
}

/** Reads at most `max` bytes of a stream, and then cancels it. */
export function readStart(stream: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array> {
  return firstBytes((onChunk) => readChunks(stream, onChunk, (step) => step), max, 0);
}

/** Reads a stream until `onChunk` returns false, and then cancels it. */
async function readChunks(
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => boolean,
  wait: Wait,
): Promise<void> {
  // Not all browsers can iterate over a stream.
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await wait(reader.read());
    if (done) return;
    if (onChunk(value)) continue;
    reader.cancel().catch(() => {});
    return;
  }
}

async function firstBytes(
  read: (onChunk: (chunk: Uint8Array) => boolean) => Promise<void>,
  max: number,
  skip: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let left = skip;
  await read((bytes) => {
    const chunk = bytes.subarray(left);
    left -= bytes.length - chunk.length;
    chunks.push(chunk);
    length += chunk.length;
    return length < max;
  });
  const whole = new Uint8Array(Math.min(length, max));
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk.subarray(0, whole.length - end), end);
    end += chunk.length;
  }
  return whole;
}
