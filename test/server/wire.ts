import { connect, type Socket } from "node:net";

/** An answer as it came over the connection. */
export interface WireReply {
  readonly status: number;
  /** The head's lines, without the first. */
  readonly head: string;
  readonly body: Buffer;
}

/** A header of an answer; null where it has none. */
export function headerOf({ head }: WireReply, name: string): string | null {
  return new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim() ?? null;
}

interface Asked {
  readonly hasBody: boolean;
  resolve(reply: WireReply): void;
  reject(error: Error): void;
}

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** One kept connection over which requests go exactly as they are written, any number at a time. */
export class Wire {
  readonly #socket: Socket;
  readonly #asked: Asked[] = [];
  #received: Buffer = Buffer.alloc(0);
  #end: Error | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the connection has ended")));
  }

  static open({ host, port }: Place): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, host, () => {
        socket.off("error", reject);
        resolve(new Wire(socket));
      });
      socket.once("error", reject);
    });
  }

  /** Whether nothing can be asked any more. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  /** The answer to a request as it is written. @param isHead whether its answer has no body */
  ask(request: string, isHead = false): Promise<WireReply> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) {
        reject(this.#end);
        return;
      }
      this.#asked.push({ hasBody: !isHead, resolve, reject });
      this.#socket.write(request, "latin1");
    });
  }

  get(target: string, headers = ""): Promise<WireReply> {
    return this.ask(`GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      const [asked] = this.#asked;
      if (end < 0 || asked === undefined) break;
      const [first = "", ...lines] = this.#received.toString("latin1", 0, end).split("\r\n");
      const head = lines.join("\n");
      const status = Number(first.slice(9, 12));
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
      const hasBody = asked.hasBody && status !== 304 && status !== 204;
      const bodyEnd = end + 4 + (hasBody ? length : 0);
      if (this.#received.length < bodyEnd) break;
      this.#asked.shift();
      asked.resolve({ status, head, body: this.#received.subarray(end + 4, bodyEnd) });
      this.#received = this.#received.subarray(bodyEnd);
    }
    if (this.#asked.length === 0 && this.#received.length > 0) {
      this.#fail(new Error("bytes came that nobody asked for"));
      this.#socket.destroy();
    }
  }

  #fail(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(error);
  }
}

/** Requests that are under way on a connection at a time. */
const WINDOW = 16;

/** Answers in the order of the requests, which go over a few connections, several at a time. */
export async function askAll(
  place: Place,
  requests: readonly string[],
  connections = 4,
): Promise<WireReply[]> {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(place)));
  const replies: Promise<WireReply>[] = [];
  try {
    for (const [i, request] of requests.entries()) {
      await replies[i - WINDOW * connections];
      replies.push(wires[i % connections]!.ask(request, request.startsWith("HEAD ")));
    }
    return await Promise.all(replies);
  } finally {
    for (const wire of wires) wire.end();
  }
}
