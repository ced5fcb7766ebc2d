import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Answer, methodRefusal } from "./answer.js";
import { Connections } from "./connections.js";
import { type Handling, handle, send } from "./handler.js";
import { SERVER_LIMITS } from "./limits.js";
import { expectationRefusal, refusalOfError, refuseConnection } from "./refusals.js";

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** No new connections; running answers finish within the drain time. */
  close(): Promise<void>;
}

const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: SERVER_LIMITS.headBytesMax,
  headersTimeout: SERVER_LIMITS.headMs,
  requestTimeout: SERVER_LIMITS.requestMs,
  connectionsCheckingInterval: SERVER_LIMITS.checkingMs,
  keepAliveTimeout: SERVER_LIMITS.keepAliveMs,
  // We refuse a request without a host ourselves, with the error body.
  requireHostHeader: false,
};

/** Answers HTTP at an address. @param port 0 takes a free one @throws where the port cannot be had */
export async function openListener(
  { host, port }: { readonly host: string; readonly port: number },
  answering: Omit<Handling, "connections" | "closing">,
): Promise<Listener> {
  const handling: Handling = { ...answering, connections: new Connections(), closing: false };
  const server = createServer(SERVER_OPTIONS, (req, res) => handle(req, res, handling));
  server.maxHeadersCount = SERVER_LIMITS.headersMax;
  answerWhatIsNoRequest(server, handling);
  server.setTimeout(SERVER_LIMITS.idleMs);
  server.maxConnections = SERVER_LIMITS.connectionsMax;
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  return {
    host: address.address,
    port: address.port,
    close: () => {
      handling.closing = true;
      return drain(server);
    },
  };
}

/** What node handles itself, and would answer without the error body. */
function answerWhatIsNoRequest(server: Server, { connections, observer }: Handling): void {
  const observe = ({ status, headers }: Answer, req?: IncomingMessage) => {
    const { method, url: target } = req ?? {};
    const bytes = Number(headers["Content-Length"]);
    const none = { route: undefined, snapshot: null, wasKept: false, ms: 0 };
    observer?.({ ...none, method, target, status, bytes });
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      // Bytes of ours in the midst of an answer under way would forge a part of it.
    } else if (!connections.endAfterAnswers(socket)) {
      const refusal = refusalOfError(error);
      refuseConnection(socket, refusal);
      observe(refusal);
    }
  });
  server.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) => {
    const refusal = expectationRefusal();
    send(req, res, refusal, null);
    observe(refusal, req);
  });
  server.on("connect", (req: IncomingMessage, socket: Duplex) => {
    const refusal = methodRefusal();
    refuseConnection(socket, refusal);
    observe(refusal, req);
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const hardStop = setTimeout(() => server.closeAllConnections(), SERVER_LIMITS.drainMs);
    server.close(() => {
      clearTimeout(hardStop);
      resolve();
    });
  });
}
