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
import { SERVER_LIMITS, type ServerLimits } from "../limits.js";
import { Connections, Turns } from "./connections.js";
import { type Handling, handle, refuse } from "./handler.js";
import { refusalOfError } from "./request-head.js";

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
  answering: Omit<Handling, "connections" | "turns" | "closing">,
): Promise<Listener> {
  const connections = new Connections(limits);
  const handling: Handling = {
    ...answering,
    connections,
    turns: new Turns(),
    closing: false,
  };
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
  const slow = setInterval(() => connections.cutSlow(), limits.checkingMs).unref();
  server.once("close", () => clearInterval(slow));
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
