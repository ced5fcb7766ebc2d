import { codeOf } from "../files/errors.js";
import { PATIENCE, PassingFailure } from "./retrying.js";

/** A request, ready to be sent. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Sent chunk by chunk as it is read. The headers state its length. */
  readonly body?: AsyncIterable<Uint8Array> | undefined;
  /** Signed requests follow no redirects: another host must not receive their headers. */
  readonly redirect: "follow" | "manual";
}

/**
 * Sends a request and hands the reply to `use`, which must read the body to its end. Errors carry no cause: the
 * system's errors may hold headers, and headers hold credentials.
 * @param place the request's target as messages name it
 * @throws PassingFailure if the connection fails or no byte moves for a minute; the signal's reason
 */
export async function exchange<T>(
  place: string,
  { url, body: given, ...request }: PreparedRequest,
  signal: AbortSignal | undefined,
  use: (reply: OpenReply) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const idle = setTimeout(() => controller.abort(), PATIENCE.idleMs);
  const stop = () => controller.abort();
  signal?.addEventListener("abort", stop);
  const failed = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    const idleSeconds = PATIENCE.idleMs / 1_000;
    return new PassingFailure(
      controller.signal.aborted
        ? `${place}: no byte has moved for ${idleSeconds} seconds`
        : `${place}: ${connectionProblem(error)}`,
    );
  };
  const body = given === undefined ? null : streamOf(given, () => idle.refresh());
  try {
    const sent = { ...request, body, duplex: "half", signal: controller.signal } as const;
    const response = await fetch(url, sent).catch((error: unknown) => {
      throw failed(error);
    });
    idle.refresh();
    return await use(new OpenReply(response, () => idle.refresh(), failed));
  } finally {
    clearTimeout(idle);
    signal?.removeEventListener("abort", stop);
    controller.abort();
  }
}

/** A reply whose head has arrived. */
export class OpenReply {
  readonly status: number;
  readonly headers: Headers;
  readonly #response: Response;
  readonly #onBytes: () => void;
  readonly #failed: (error: unknown) => unknown;

  constructor(response: Response, onBytes: () => void, failed: (error: unknown) => unknown) {
    this.status = response.status;
    this.headers = response.headers;
    this.#response = response;
    this.#onBytes = onBytes;
    this.#failed = failed;
  }

  /** Reads the body piece by piece. @throws PassingFailure if the connection is cut */
  async *chunks(): AsyncGenerator<Uint8Array, void> {
    const reader = this.#response.body?.getReader();
    for (;;) {
      const read = await reader?.read().catch((error: unknown) => {
        throw this.#failed(error);
      });
      if (read === undefined || read.done) return;
      this.#onBytes();
      yield read.value;
    }
  }

  /** Reads the whole body, at most `max` bytes of it. @throws PassingFailure if the connection is cut */
  async bytes(max: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.chunks()) {
      if (length < max) chunks.push(chunk);
      length += chunk.length;
    }
    return Buffer.concat(chunks).subarray(0, max);
  }
}

/** @param onBytes called for each chunk */
function streamOf(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      onBytes();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

const PROBLEMS: Record<string, string> = {
  ECONNREFUSED: "the server refuses connections",
  ECONNRESET: "the connection was cut",
  ENOTFOUND: "there is no server with this name",
  EAI_AGAIN: "the server's name cannot be resolved",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "the server does not answer",
};

/** Describes a failure of `fetch`. It wraps the system's error, sometimes twice. */
function connectionProblem(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    const code = codeOf(at);
    if (code !== undefined) return PROBLEMS[code] ?? `the connection failed: ${code}`;
  }
  return "the connection failed";
}
