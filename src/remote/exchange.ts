import { once, setMaxListeners } from "node:events";
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { pipeline } from "node:stream/promises";
import { codeOf } from "../files/errors.js";
import { RemoteError } from "./errors.js";
import { PATIENCE, PassingFailure } from "./retrying.js";

/*
 * One request over node:http. The global fetch takes twice the processor time for the same bytes: for the 1.7 GB of
 * 100,000 listings, 5 s instead of 2.4 s in the one thread that also hashes and writes them.
 */

/**
 * As Node's own agents, but a reply is read on while its reader writes the last piece: with Node's 16 kB, each piece
 * stops and starts the socket, which costs a pull a seventh of its processor time.
 */
const CONNECTIONS = { keepAlive: true, timeout: 5_000, highWaterMark: 1024 * 1024 };
const AGENTS = { http: new HttpAgent(CONNECTIONS), https: new HttpsAgent(CONNECTIONS) };

/** A request, ready to be sent. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Sent chunk by chunk as it is read. The headers state its length. */
  readonly body?: AsyncIterable<Uint8Array> | undefined;
}

/**
 * Sends a request and hands the reply to `use`. If that leaves a part of the body, the connection is closed. Errors
 * carry no cause: the system's errors may hold headers, and headers hold credentials.
 * @param place the request's target as messages name it
 * @throws PassingFailure if the connection fails or no byte moves for a minute; the signal's reason
 */
export async function sendRequest<T>(
  place: string,
  { method, url, headers, body }: PreparedRequest,
  signal: AbortSignal | undefined,
  use: (reply: OpenReply) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const [start, agent] =
    url.protocol === "https:" ? [requestHttps, AGENTS.https] : [requestHttp, AGENTS.http];
  const request = start(url, { method, agent, headers: Object.fromEntries(headers) });
  const stop = () => request.destroy();
  if (signal !== undefined) {
    // One listener for each request that is under way. Node warns about more than ten.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", stop);
  }
  let isIdle = false;
  request.setTimeout(PATIENCE.idleMs, () => {
    isIdle = true;
    request.destroy();
  });
  const failed = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    const idle = `no byte has moved for ${PATIENCE.idleMs / 1_000} seconds`;
    return new PassingFailure(`${place}: ${isIdle ? idle : connectionProblem(error)}`);
  };
  let response: IncomingMessage | null = null;
  try {
    response = await responseTo(request, body).catch((error: unknown) => {
      throw failed(error);
    });
    return await use(new OpenReply(place, response, failed));
  } finally {
    signal?.removeEventListener("abort", stop);
    // The next request can use the connection if this one is over in both directions.
    if (!request.writableFinished || response?.readableEnded !== true) request.destroy();
  }
}

async function responseTo(
  request: ClientRequest,
  body: AsyncIterable<Uint8Array> | undefined,
): Promise<IncomingMessage> {
  const answered = once(request, "response");
  // A server may refuse a request before it has read the body, and then cut the connection.
  request.on("error", () => {});
  if (body === undefined) request.end();
  else pipeline(body, request).catch(() => {});
  const [response] = await answered;
  return response;
}

/** A reply whose head has arrived. */
export class OpenReply {
  readonly status: number;
  readonly #place: string;
  readonly #response: IncomingMessage;
  readonly #failed: (error: unknown) => unknown;

  constructor(place: string, response: IncomingMessage, failed: (error: unknown) => unknown) {
    this.#place = place;
    this.status = response.statusCode ?? 0;
    this.#response = response;
    this.#failed = failed;
  }

  /** The value of a header; "" if the reply does not have it once. */
  header(name: string): string {
    const value = this.#response.headers[name];
    return typeof value === "string" ? value : "";
  }

  /** Reads the body piece by piece. @throws PassingFailure if the connection is cut */
  async *chunks(): AsyncGenerator<Uint8Array, void> {
    const chunks: AsyncIterator<Uint8Array> = this.#response[Symbol.asyncIterator]();
    for (;;) {
      const read = await chunks.next().catch((error: unknown) => {
        throw this.#failed(error);
      });
      if (read.done) return;
      yield read.value;
    }
  }

  /** Reads the whole body. @throws RemoteError if it has more than `max` bytes; PassingFailure if the connection is cut */
  async bytes(max: number): Promise<Buffer> {
    const bytes = await this.start(max + 1);
    if (bytes.length > max) throw tooLarge(this.#place, max);
    return bytes;
  }

  /** Reads at most the first `max` bytes of the body, and asks for no more. @throws PassingFailure if the connection is cut */
  async start(max: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.chunks()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= max) break;
    }
    return Buffer.concat(chunks).subarray(0, max);
  }
}

/** The error for a body that is longer than its kind may be. */
export function tooLarge(place: string, max: number): RemoteError {
  return new RemoteError(`${place} has more than ${max} bytes, the limit for such a file`);
}

const PROBLEMS: Record<string, string> = {
  ECONNREFUSED: "the server refuses connections",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ENOTFOUND: "there is no server with this name",
  EAI_AGAIN: "the server's name cannot be resolved",
  ETIMEDOUT: "the server does not answer",
};

/** Describes a failed connection. */
function connectionProblem(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return "the connection failed";
  return PROBLEMS[code] ?? `the connection failed: ${code}`;
}
