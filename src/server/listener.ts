import {
  createServer,
  type IncomingMessage,
  Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { ListenOptions, Server as NetServer, Socket } from "node:net";
import { type Answer, errorAnswer, methodRefusal } from "../answer/answer.js";
import { RETRY_AFTER } from "../answer/content.js";
import { SERVER_LIMITS, type ServerLimits } from "../answer/limits.js";
import { copiedSocket } from "./copied-socket.js";
import { type Handling, handle, refuse } from "./handler.js";
import { bareAnswer, refusalOfError } from "./request.js";

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** The descriptor of its socket; undefined if the system has none. */
  readonly descriptor: number | undefined;
  /** Accepts no new connections and resolves once the running answers are sent, within the drain time. */
  close(): Promise<void>;
}

/** Where a listener accepts connections: at an address, or at a socket that another thread has opened. */
export type ListenerOptions = (
  | {
      readonly host: string;
      /** A TCP port; 0 takes a free one. */
      readonly port: number;
    }
  | { readonly descriptor: number }
) & { readonly limits?: ServerLimits };

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
  options: ListenerOptions,
  answering: Omit<Handling, "connections" | "closing">,
): Promise<Listener> {
  const { limits = SERVER_LIMITS } = options;
  const connections = new Connections(limits);
  const handling: Handling = { ...answering, connections, closing: false };
  const server = createServer(optionsFor(limits), (req, res) => handle(req, res, handling));
  server.maxHeadersCount = limits.headersMax;
  server.setTimeout(limits.idleMs, (socket) => {
    if (!connections.isWaiting(socket)) socket.destroy();
  });
  server.maxConnections = limits.connectionsMax + limits.refusedMax;
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    if (connections.count <= limits.connectionsMax) return;
    const crowd = errorAnswer(503, "Too many connections are open.", [], RETRY_AFTER);
    refuseBare(handling, socket, crowd);
  });
  answerWhatIsNoRequest(server, handling);
  if ("descriptor" in options) {
    const accept = (connection: Socket) => server.emit("connection", connection);
    await listen(server, await copiedSocket(options.descriptor, accept));
  } else {
    const { host, port } = options;
    await listen(server, { port, host, backlog: limits.backlogMax });
  }
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new TypeError("the server has no TCP address");
  }
  return {
    host: address.address,
    port: address.port,
    descriptor: descriptorOf(server),
    close: () => {
      handling.closing = true;
      return drain(server, connections, limits.drainMs);
    },
  };
}

/** The descriptor of a server's socket. Node's own documentation of `listen` names the member. */
function descriptorOf(server: Server & { readonly _handle?: { readonly fd?: number } | null }) {
  const { fd = -1 } = server._handle ?? {};
  return fd < 0 ? undefined : fd;
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
    if (connections.isAnswering(req.socket)) req.socket.destroy();
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
  if (!connections.refuse(socket, refusal)) return;
  const bytes = Number(refusal.headers["Content-Length"]);
  const none = { route: undefined, snapshot: null, wasKept: false, ms: 0 };
  observer?.({ ...none, method, target, status: refusal.status, bytes });
}

function listen(server: Server, where: ListenOptions | NetServer): Promise<void> {
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

interface Connection {
  /** Answers under way, in order. */
  readonly pending: Set<ServerResponse>;
  /** Resolve the turns of answers that wait for earlier ones, in order. */
  readonly waiting: (() => void)[];
  /** Whether bytes that are not HTTP followed the pending requests. The connection ends once those are answered. */
  broken: boolean;
}

/** The answers under way on each connection. */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Socket>();
  readonly #refused = new Set<Socket>();
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
    for (const { writableLength } of this.#open) if (writableLength > 0) return true;
    return false;
  }

  add(socket: Socket): void {
    this.#open.add(socket);
    // A client may send many requests on one connection: node must not warn about their listeners.
    socket.setMaxListeners(0);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#refused.delete(socket);
    });
  }

  /**
   * Tracks a response, which waits for earlier ones of its connection. The response that fills the
   * connection's queue ends the connection: the server ignores the requests behind it, and the client has to repeat
   * them.
   * @returns a promise that resolves once the earlier responses of the connection are sent; null if there are none. A
   * caller that waits for it before making an answer holds at most one answer for a client that does not read.
   */
  track(socket: Socket, res: ServerResponse): Promise<void> | null {
    const connection = this.#connectionOf(socket);
    const turn =
      connection.pending.size === 0
        ? null
        : new Promise<void>((resolve) => connection.waiting.push(resolve));
    connection.pending.add(res);
    // `close` fires once. With `once`, removing the listener would take 2% of the time of a cached answer.
    res.on("close", () => {
      connection.pending.delete(res);
      connection.waiting.shift()?.();
      if (connection.broken && connection.pending.size === 0) this.#hangUp(socket, "");
    });
    if (connection.pending.size >= this.#limits.waitingMax) {
      res.setHeader("Connection", "close");
      this.#refused.add(socket);
    }
    return turn;
  }

  /**
   * Ends a connection that cannot carry another request: after the answers under way, or if there are none, with the
   * given answer.
   * @returns whether the given answer is sent
   */
  refuse(socket: Socket, answer: Answer): boolean {
    if (this.isRefused(socket)) return false;
    // Node no longer listens for errors on a socket that it has handed over, as after CONNECT.
    socket.on("error", () => {});
    const connection = this.#connectionOf(socket);
    // Our bytes in the middle of a running answer would become a part of it.
    if (connection.pending.size > 0) {
      connection.broken = true;
      return false;
    }
    this.#hangUp(socket, bareAnswer(answer));
    return true;
  }

  /** Whether the connection has answers under way. */
  isAnswering(socket: Socket): boolean {
    return this.#connectionOf(socket).pending.size > 0;
  }

  /** Whether the client waits for the server: its next answer is still being made. */
  isWaiting(socket: Socket): boolean {
    const [next] = this.#connectionOf(socket).pending;
    return next?.writableEnded === false;
  }

  /** Whether the server ignores everything that still arrives on a connection. */
  isRefused(socket: Socket): boolean {
    return this.#refused.size > 0 && this.#refused.has(socket);
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Ends a connection. Destroys the socket if the client does not close it within `lingerMs`. */
  #hangUp(socket: Socket, bytes: string): void {
    if (socket.destroyed) return;
    this.#refused.add(socket);
    socket.end(bytes);
    socket.resume();
    const cut = setTimeout(() => socket.destroy(), this.#limits.lingerMs);
    socket.once("close", () => clearTimeout(cut));
  }

  #connectionOf(socket: Socket): Connection {
    const tracked = this.#connections.get(socket);
    if (tracked !== undefined) return tracked;
    const connection: Connection = { pending: new Set(), waiting: [], broken: false };
    this.#connections.set(socket, connection);
    return connection;
  }
}
