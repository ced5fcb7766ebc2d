import {
  createServer,
  type IncomingMessage,
  Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, ListenOptions, Socket } from "node:net";
import type { Answer } from "../answer/answer.js";
import { methodRefusal } from "../answer/error-answers.js";
import { SERVER_LIMITS, type ServerLimits } from "../limits.js";
import { Connections } from "./connections.js";
import { type Handling, handle, refuse } from "./handler.js";
import { Outbox } from "./outbox.js";
import {
  crowdRefusal,
  expectationRefusal,
  refusalOfError,
  upgradeRefusal,
  withoutUpgrade,
} from "./refusals.js";
import { Turns } from "./turns.js";

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** No new connections; running answers finish within the drain time. */
  close(): Promise<void>;
}

/** Where a listener listens. */
export interface ListenerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly limits?: ServerLimits;
}

/** Milliseconds in which the requests that were on their way when the server ends are answered. */
const UNDER_WAY_MS = 500;
/** Between two looks at who is idle while the server ends, milliseconds. */
const IDLE_LOOK_MS = 50;

/** Answers HTTP at an address. @throws where the port cannot be had */
export async function openListener(
  { host, port, limits = SERVER_LIMITS }: ListenerOptions,
  answering: Omit<Handling, "connections" | "outbox" | "turns" | "closing">,
): Promise<Listener> {
  const connections = new Connections(limits);
  const handling: Handling = {
    ...answering,
    connections,
    outbox: new Outbox(),
    turns: new Turns(),
    closing: false,
  };
  const server = createServer(optionsFor(limits), (req, res) => handle(req, res, handling));
  server.maxHeadersCount = limits.headersMax;
  server.setTimeout(limits.idleMs);
  server.maxConnections = limits.connectionsMax + limits.refusedMax;
  server.on("connection", (socket: Socket) => {
    if (connections.add(socket)) return;
    if (connections.count > limits.connectionsMax) refuseBare(handling, socket, crowdRefusal());
  });
  answerWhatIsNoRequest(server, handling);
  const slow = setInterval(() => connections.cutSlow(), limits.checkingMs).unref();
  server.once("close", () => clearInterval(slow));
  await listen(server, { port, host, backlog: limits.backlogMax });
  const address = server.address() as AddressInfo;
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
    // We refuse a request without a host ourselves, with the error body.
    requireHostHeader: false,
  };
}

/** What node handles itself, and would answer without the error body. */
function answerWhatIsNoRequest(server: Server, handling: Handling): void {
  const { connections } = handling;
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else refuseBare(handling, socket, refusalOfError(error));
  });
  server.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) => {
    refuse(req, res, handling, expectationRefusal());
  });
  server.on("upgrade", (req: IncomingMessage, socket: Socket, behind: Buffer) => {
    const refusal = upgradeRefusal(req);
    if (refusal !== null) {
      refuseBare(handling, socket, refusal, req);
      return;
    }
    // Until then node does not listen for errors.
    const ignore = () => {};
    socket.on("error", ignore);
    void connections.whenAnswered(socket).then(() => {
      readAgain(server, req, socket, behind);
      socket.off("error", ignore);
    });
  });
  server.on("connect", (req: IncomingMessage) => {
    // Node sends no more over what it has handed over, beyond what the connection takes at once.
    if (connections.isAnswering(req.socket)) req.socket.destroy();
    else refuseBare(handling, req.socket, methodRefusal(), req);
  });
}

/**
 * Reads a request again without its `Upgrade`, which a server may ignore (RFC 9110 section 7.8), and then the bytes
 * behind it: node has given the connection up, and would drop those where nobody listens for an upgrade.
 */
function readAgain(server: Server, req: IncomingMessage, socket: Socket, behind: Buffer): void {
  if (socket.destroyed) return;
  socket.unshift(Buffer.concat([withoutUpgrade(req), behind]));
  server.emit("connection", socket);
}

/** Refuses over a connection of which node has made no response. @param req the request, where there is one */
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
  // Node takes a connection for idle whose answer is handed over though not sent, and would cut it.
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
    // Once around the loop: who has connected by now is let in first, and not reset.
    setImmediate(() => setImmediate(stop));
  });
}
