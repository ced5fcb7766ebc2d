import { setMaxListeners } from "node:events";
import { codeOf } from "../files/errors.js";
import type { ByteRange } from "../store/source.js";
import { RemoteError } from "./errors.js";
import { PATIENCE, PassingFailure } from "./retrying.js";

/** A request, ready to be sent. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Sent chunk by chunk as it is read. The headers state its length. */
  readonly body?: AsyncIterable<Uint8Array> | undefined;
}

/**
 * Sends a request and hands the reply to `use`. If `use` leaves part of the body unread, the connection is closed.
 * Follows no redirect. Errors carry no cause: the system's errors may hold headers, and headers hold credentials.
 * @param name the request's target as messages name it
 * @throws PassingFailure if the connection fails or no byte moves for a minute; the signal's reason
 */
export async function sendRequest<T>(
  name: string,
  { method, url, headers, body }: PreparedRequest,
  signal: AbortSignal | undefined,
  use: (reply: OpenReply) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort();
  if (signal !== undefined) {
    // One listener for each request that is under way. Node warns about more than ten.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", stop);
  }
  let isIdle = false;
  const idle = setTimeout(() => {
    isIdle = true;
    stop();
  }, PATIENCE.idleMs);
  const failed = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    const seconds = PATIENCE.idleMs / 1_000;
    const problem = isIdle ? `no byte has moved for ${seconds} seconds` : connectionProblem(error);
    return new PassingFailure(`${name}: ${problem}`);
  };
  // Without the header, servers may compress what we would only decompress again.
  headers.set("accept-encoding", "identity");
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: controller.signal,
      ...(body === undefined
        ? {}
        : { body: ReadableStream.from(noted(body, () => idle.refresh())), duplex: "half" }),
    }).catch((error: unknown) => {
      throw failed(error);
    });
    idle.refresh();
    return await use(new OpenReply(name, response, () => idle.refresh(), failed));
  } finally {
    clearTimeout(idle);
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

/** @param onByte called for each chunk that is sent */
async function* noted(chunks: AsyncIterable<Uint8Array>, onByte: () => void) {
  for await (const chunk of chunks) {
    onByte();
    yield chunk;
  }
}

/** A reply whose head has arrived. */
export class OpenReply {
  readonly status: number;
  readonly #name: string;
  readonly #response: Response;
  readonly #onByte: () => void;
  readonly #failed: (error: unknown) => unknown;

  constructor(
    name: string,
    response: Response,
    onByte: () => void,
    failed: (error: unknown) => unknown,
  ) {
    this.#name = name;
    this.status = response.status;
    this.#response = response;
    this.#onByte = onByte;
    this.#failed = failed;
  }

  /** The value of a header; "" if the reply does not have it. */
  header(name: string): string {
    return this.#response.headers.get(name) ?? "";
  }

  /**
   * Reads the body piece by piece until `onChunk` returns false.
   * @throws PassingFailure if the connection is cut; what `onChunk` throws
   */
  async read(onChunk: (chunk: Uint8Array) => boolean): Promise<void> {
    const reader = this.#response.body?.getReader();
    while (reader !== undefined) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw this.#failed(error);
      });
      this.#onByte();
      if (done || !onChunk(value)) return;
    }
  }

  /**
   * Reads the whole body. @throws RemoteError if it has more than `max` bytes; PassingFailure if the connection is
   * cut
   */
  async bytes(max: number): Promise<Buffer> {
    const bytes = await this.start(max + 1);
    if (bytes.length > max) throw tooLarge(this.#name, max);
    return bytes;
  }

  /**
   * Reads at most the first `max` bytes of the body, and asks for no more. @throws PassingFailure if the connection
   * is cut
   */
  async start(max: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    await this.read((chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      return length < max;
    });
    return Buffer.concat(chunks).subarray(0, max);
  }
}

/** Whether a reply has the part of a file that was asked for. */
export function isPart(reply: OpenReply, range: ByteRange | undefined): boolean {
  return range !== undefined && reply.status === 206;
}

/** The error for a body that is longer than its kind may be. */
export function tooLarge(name: string, max: number): RemoteError {
  return new RemoteError(`${name} has more than ${max} bytes, the limit for such a file`);
}

const PROBLEMS: Record<string, string> = {
  ECONNREFUSED: "the server refuses connections",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  ENOTFOUND: "there is no server with this name",
  EAI_AGAIN: "the server's name cannot be resolved",
  ETIMEDOUT: "the server does not answer",
  UND_ERR_CONNECT_TIMEOUT: "the server does not answer",
};

/** Describes a failed connection. */
function connectionProblem(error: unknown): string {
  const code = codeOf(error instanceof Error ? error.cause : error);
  if (code === undefined) return "the connection failed";
  return PROBLEMS[code] ?? `the connection failed: ${code}`;
}
