import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request on its way to a store. */
export interface Passing {
  /** Counted from 1. */
  readonly number: number;
  readonly method: string;
  /** With the bucket and the prefix; a list has the bucket alone. */
  readonly path: string;
}

/**
 * What happens to a request. `cut before`: the store never sees it. `cut in the request`: the store gets half of its
 * body. `cut in the answer`: half of the answer's body arrives. `answer lost`: the store has done what was asked.
 */
export type Interference =
  | { readonly status: number; readonly code: string }
  | "cut before"
  | "cut in the request"
  | "cut in the answer"
  | "answer lost";

/**
 * A proxy in front of a real store. It forwards the Host header as it is, so the signatures stay right, and fails the
 * requests that a test chooses.
 */
export class Passage {
  readonly #upstream: URL;
  #server: Server | null = null;
  #port = 0;
  readonly passed: Passing[] = [];
  /** Called for each request, which waits for the result. */
  interfere: (passing: Passing) => Interference | null | Promise<Interference | null> = () => null;

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
  }

  /** Opens a passage to a server. @param finished gets the function that closes it */
  static async to(
    upstream: string,
    finished: (close: () => Promise<void>) => unknown,
  ): Promise<Passage> {
    const passage = new Passage(upstream);
    await passage.up();
    finished(() => passage.down());
    return passage;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async up(): Promise<void> {
    const server = createServer((request, response) => {
      this.#pass(request, response).catch(() => request.socket.destroy());
    });
    this.#server = server;
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Refuses connections, and cuts those that are open. */
  async down(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "/" } = request;
    const path = decodeURIComponent(new URL(url, this.#upstream).pathname);
    const passing = { number: this.passed.length + 1, method, path };
    this.passed.push(passing);
    const action = await this.interfere(passing);
    if (action === "cut before") return void request.socket.destroy();
    if (typeof action === "object" && action !== null) {
      request.resume();
      const body = `<Error><Code>${action.code}</Code></Error>`;
      response.writeHead(action.status, { date: new Date().toUTCString() }).end(body);
      return;
    }
    const { hostname, port } = this.#upstream;
    const { headers } = request;
    const onward = requestHttp({
      ...{ hostname, port, method, path: url, headers, setHost: false, agent: false },
    });
    // A client that is killed takes its request with it.
    response.once("close", () => onward.destroy());
    const answered = once(onward, "response");
    if (action === "cut in the request") {
      answered.catch(() => {});
      const body = await buffer(request);
      onward.write(body.subarray(0, Math.floor(body.length / 2)), () => {
        request.socket.destroy();
      });
      return;
    }
    request.pipe(onward);
    const [answer]: IncomingMessage[] = await answered;
    if (answer !== undefined) await this.#answer(answer, response, action);
  }

  async #answer(answer: IncomingMessage, response: ServerResponse, action: Interference | null) {
    const { connection: _, "keep-alive": __, ...headers } = answer.headers;
    response.sendDate = false;
    if (action === null) {
      response.writeHead(answer.statusCode ?? 0, headers);
      answer.pipe(response);
      await once(answer, "end");
      return;
    }
    const body = await buffer(answer);
    if (action === "answer lost") return void response.destroy();
    response.writeHead(answer.statusCode ?? 0, headers);
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  }
}
