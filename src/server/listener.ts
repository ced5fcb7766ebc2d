import {
  createServer,
  type IncomingMessage,
  Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { ListenOptions, Socket } from "node:net";
import { type Answer, errorAnswer, methodRefusal } from "../answer/answer.js";
import { RETRY_AFTER } from "../answer/content.js";
import { SERVER_LIMITS, type ServerLimits } from "../answer/limits.js";
import { type Handling, handle, refuse } from "./handler.js";
import { bareAnswer, refusalOfError } from "./request.js";

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Accepts no new connections and resolves once the running answers are sent, within the drain time. */
  close(): Promise<void>;
}

/** The address that a listener opens. */
export interface ListenerOptions {
  readonly host: string;
  /** A TCP port; 0 takes a free one. */
  readonly port: number;
  readonly limits?: ServerLimits;
}

/**
 * Milliseconds for which idle connections stay open after shutdown starts, so that requests on their way are answered.
 */
const UNDER_WAY_MS = 500;
/** Milliseconds between two checks for idle connections during shutdown. */
const IDLE_LOOK_MS = 50;

/**
 * Answers HTTP at an address.
 * @throws if the port is not available
 */
export async function openListener(
  { host, port, limits = SERVER_LIMITS }: ListenerOptions,
  answering: Omit<Handling, "connections" | "closing">,
): Promise<Listener> {
  const connections = new Connections(limits);
  const handling: Handling = { ...answering, connections, closing: false };
  const server = createServer(optionsFor(limits), (req, res) => handle(req, res, handling));
  server.maxHeadersCount = limits.headersMax;
  server.setTimeout(limits.idleMs, (socket) => {
    if (!connections.of(socket).isWaiting) socket.destroy();
  });
  server.maxConnections = limits.connectionsMax + limits.refusedMax;
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    if (connections.count <= limits.connectionsMax) return;
    const crowd = errorAnswer(503, "Too many connections are open.", [], RETRY_AFTER);
    refuseBare(handling, socket, crowd);
  });
  answerWhatIsNoRequest(server, handling);
  await listen(server, { port, host, backlog: limits.backlogMax });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new TypeError("the server has no TCP address");
  }
  return {
    host: address.address,
    port: address.port,
    close: () => {
      handling.closing = true;
      return drain(server, connections, limits.drainMs);
    },
  };
}

function optionsFor(limits: ServerLimits): ServerOptions {
  return {
    maxHeaderSize: limits.headBytesMax,
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkingMs,
    keepAliveTimeout: limits.keepAliveMs,
    // The handler rejects a request without a host itself, with the contract's error body.
    requireHostHeader: false,
  };
}

/** Handles the cases that node would otherwise answer itself, without the contract's error body. */
function answerWhatIsNoRequest(server: Server, handling: Handling): void {
  const { connections } = handling;
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else refuseBare(handling, socket, refusalOfError(error));
  });
  server.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) => {
    const error = "The only supported expectation is 100-continue.";
    refuse(req, res, handling, errorAnswer(417, error));
  });
  server.on("connect", (req: IncomingMessage) => {
    // After CONNECT node has handed the socket over. It sends no more of a running answer than the socket takes at
    // once.
    if (connections.of(req.socket).isAnswering) req.socket.destroy();
    else refuseBare(handling, req.socket, methodRefusal(), req);
  });
}

/**
 * Sends a refusal over a connection for which node has made no response.
 * @param req the request, if there is one
 */
function refuseBare(
  { connections, observer }: Handling,
  socket: Socket,
  refusal: Answer,
  { method, url: target }: Partial<IncomingMessage> = {},
): void {
  if (!connections.of(socket).refuse(refusal)) return;
  const bytes = Number(refusal.headers["Content-Length"]);
  const none = { route: undefined, snapshot: null, wasKept: false, ms: 0 };
  observer?.({ ...none, method, target, status: refusal.status, bytes });
}

function listen(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, resolve);
  });
}

function drain(server: Server, connections: Connections, drainMs: number): Promise<void> {
  // Node counts a connection as idle once its answer is handed over, even if it is not sent yet, and would cut it.
  server.closeIdleConnections = () => {};
  const start = performance.now();
  const closeIdle = () => {
    const areUnderWay = performance.now() - start < UNDER_WAY_MS || connections.hasUnsent;
    if (!areUnderWay) Server.prototype.closeIdleConnections.call(server);
  };
  return new Promise((resolve) => {
    const look = setInterval(closeIdle, IDLE_LOOK_MS);
    const hardStop = setTimeout(() => connections.cut(), drainMs);
    const stop = () =>
      server.close(() => {
        clearInterval(look);
        clearTimeout(hardStop);
        resolve();
      });
    // Waits one turn of the event loop, so that clients that have connected by now are accepted and not reset.
    setImmediate(() => setImmediate(stop));
  });
}

/** The connections that are open. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #limits: ServerLimits;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** The number of open connections. */
  get count(): number {
    return this.#open.size;
  }

  /** Whether any client still has bytes of answers to read. */
  get hasUnsent(): boolean {
    for (const { writableLength } of this.#open.keys()) if (writableLength > 0) return true;
    return false;
  }

  add(socket: Socket): void {
    this.#open.set(socket, new Connection(socket, this.#limits));
    // A client may send many requests on one connection: node must not warn about their listeners.
    socket.setMaxListeners(0);
    socket.once("close", () => this.#open.delete(socket));
  }

  of(socket: Socket): Connection {
    return this.#open.get(socket) ?? new Connection(socket, this.#limits);
  }

  cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

/** A connection with its responses under way. */
class Connection {
  readonly #socket: Socket;
  readonly #limits: ServerLimits;
  /** The response to the latest request; null before the first one. */
  #latest: ServerResponse | null = null;
  /** The responses under way, in order, once there is more than one. */
  readonly #pending: ServerResponse[] = [];
  /** Resolve the turns of answers that wait for earlier ones, in order. */
  readonly #waiting: (() => void)[] = [];
  /** Whether bytes that are not HTTP followed the pending requests. The connection ends once those are answered. */
  #isBroken = false;
  #isRefused = false;

  constructor(socket: Socket, limits: ServerLimits) {
    this.#socket = socket;
    this.#limits = limits;
  }

  /** Whether the server ignores everything that still arrives. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether there are answers under way. */
  get isAnswering(): boolean {
    return this.#first !== null;
  }

  /** Whether the client waits for the server: its next answer is still being made. */
  get isWaiting(): boolean {
    return this.#first?.writableEnded === false;
  }

  /** The earliest response under way; null if there is none. */
  get #first(): ServerResponse | null {
    const latest = this.#latest;
    return this.#pending[0] ?? (latest === null || latest.closed ? null : latest);
  }

  /**
   * Tracks a response, which waits for earlier ones. The response that fills the queue ends the connection: the server
   * ignores the requests behind it, and the client has to repeat them.
   * @returns a promise that resolves once the earlier responses of the connection are sent; null if there are none. A
   * caller that waits for it before making an answer holds at most one answer for a client that does not read.
   */
  track(res: ServerResponse): Promise<void> | null {
    const first = this.#first;
    this.#latest = res;
    const turn = first === null ? null : this.#turnBehind(first, res);
    if (Math.max(1, this.#pending.length) >= this.#limits.waitingMax) {
      res.setHeader("Connection", "close");
      this.#isRefused = true;
    }
    return turn;
  }

  /**
   * Ends a connection that cannot carry another request: after the answers under way, or if there are none, with the
   * given answer.
   * @returns whether the given answer is sent
   */
  refuse(answer: Answer): boolean {
    if (this.#isRefused) return false;
    // Node no longer listens for errors on a socket that it has handed over, as after CONNECT.
    this.#socket.on("error", () => {});
    const first = this.#first;
    if (first === null) {
      this.#hangUp(bareAnswer(answer));
      return true;
    }
    // Our bytes in the middle of a running answer would become a part of it.
    this.#isBroken = true;
    if (this.#pending.length === 0) this.#watch(first);
    return false;
  }

  #turnBehind(first: ServerResponse, res: ServerResponse): Promise<void> {
    // A response that nothing waits for needs no listener, which would cost 2 % of the time of a cached answer.
    if (this.#pending.length === 0) this.#watch(first);
    this.#watch(res);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #watch(res: ServerResponse): void {
    this.#pending.push(res);
    res.once("close", () => {
      this.#pending.splice(this.#pending.indexOf(res), 1);
      this.#waiting.shift()?.();
      if (this.#isBroken && this.#pending.length === 0) this.#hangUp("");
    });
  }

  /** Ends the connection. Destroys the socket if the client does not close it within `lingerMs`. */
  #hangUp(bytes: string): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    this.#isRefused = true;
    socket.end(bytes);
    socket.resume();
    const cut = setTimeout(() => socket.destroy(), this.#limits.lingerMs);
    socket.once("close", () => clearTimeout(cut));
  }
}
