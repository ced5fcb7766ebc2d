import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { BadSnapshotError } from "../store/reader.js";
import { type Answer, answer, methodRefusal } from "./answer.js";
import { Connections } from "./connections.js";
import { expectationRefusal, refusalOf, refusalOfError, refuseConnection } from "./refusals.js";
import { type Log, SnapshotFollower } from "./reload.js";
import type { LoadedSnapshot } from "./snapshot.js";

export interface ServeOptions {
  /** The store's folder. */
  readonly store: string;
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Told what an operator should know. */
  readonly log: Log;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Where the server is reached, without a trailing slash. */
  readonly url: string;
  /** A host that has a report, for examples; null while no snapshot is loaded. */
  exampleHost(): string | null;
  /** Ends it: no new connections, running answers finish within the drain time. */
  close(): Promise<void>;
}

/** Bounds on what a client may take of the server; times in milliseconds. */
const SERVER_LIMITS = {
  /** Bytes of a request's head; a browser's is about 1 kB. */
  maxHeaderSize: 16_384,
  /** Until the head is there: cuts those who send it a byte at a time. */
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** Between two requests of a connection. */
  keepAliveTimeout: 5_000,
  /** We refuse a request without a host ourselves, with the error body. */
  requireHostHeader: false,
} as const;
/** Of a connection without traffic, a reader that does not read included. */
const IDLE_MS = 10_000;
const CONNECTIONS_MAX = 10_000;
/** For running answers when the server ends. */
const DRAIN_MS = 5_000;

/** Different damages that are logged of one snapshot; a store that is gone would fill the log otherwise. */
const DAMAGES_LOGGED = 1_000;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Starts the runtime over a store; it answers 503 until a snapshot is there. @throws where the port cannot be had. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const follower = new SnapshotFollower(options.store, options.log);
  const handling = { follower, connections: new Connections(), log: options.log, closing: false };
  const server = createServer(SERVER_LIMITS, (req, res) => {
    void handle(req, res, handling);
  });
  answerWhatIsNoRequest(server, handling.connections);
  server.setTimeout(IDLE_MS);
  server.maxConnections = CONNECTIONS_MAX;
  await follower.start();
  try {
    await listen(server, options);
  } catch (error) {
    await follower.close();
    throw error;
  }
  const { address, port } = server.address() as AddressInfo;
  const name = address.includes(":") ? `[${address}]` : address;
  return {
    host: address,
    port,
    url: `http://${name}:${port}`,
    exampleHost: () => follower.current?.exampleHost ?? null,
    close: async () => {
      handling.closing = true;
      await drain(server);
      await follower.close();
    },
  };
}

interface Handling {
  readonly follower: SnapshotFollower;
  readonly connections: Connections;
  readonly log: Log;
  /** Every further answer ends its connection. */
  closing: boolean;
}

async function handle(
  req: IncomingMessage,
  res: ServerResponse,
  { follower, connections, log, closing }: Handling,
): Promise<void> {
  const snapshot = follower.current?.retain() ?? null;
  connections.track(req.socket, res, () => snapshot?.release());
  const refusal = refusalOf(req);
  if (refusal !== null || closing) res.setHeader("Connection", "close");
  if (refusal !== null) {
    send(req, res, refusal, null);
    return;
  }
  const facts = {
    method: req.method ?? "GET",
    target: req.url ?? "",
    acceptEncoding: req.headers["accept-encoding"],
    ifNoneMatch: req.headers["if-none-match"],
  };
  const onDamage = (error: Error) =>
    logOnce(log, snapshot, `answered 502: ${descriptionOf(error)}`);
  send(req, res, await answer(facts, { snapshot, compress, onDamage }), snapshot);
}

/** Puts an answer on the wire; a public document's body comes from its file. */
function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body, document }: Answer,
  snapshot: LoadedSnapshot | null,
): void {
  if (document !== undefined && req.method === "GET") {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    snapshot?.documents.send(req, res, document);
    return;
  }
  res.writeHead(status, headers);
  res.end(body);
}

/** What node handles itself, and would answer without the error body. */
function answerWhatIsNoRequest(server: Server, connections: Connections): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    // Bytes of ours in the midst of an answer under way would forge a part of it.
    else if (!connections.endAfterAnswers(socket)) refuseConnection(socket, refusalOfError(error));
  });
  server.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) => {
    send(req, res, expectationRefusal(), null);
  });
  server.on("connect", (_, socket: Duplex) => refuseConnection(socket, methodRefusal()));
}

async function compress(bytes: Uint8Array, coding: "br" | "gzip"): Promise<Uint8Array> {
  if (coding === "gzip") return gzipAsync(bytes);
  return brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

function listen(server: Server, { port, host }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const hardStop = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(hardStop);
      resolve();
    });
  });
}

/** A damaged file is asked for again and again, and is worth a line once a loaded snapshot. */
function logOnce(log: Log, snapshot: LoadedSnapshot | null, message: string): void {
  const said = snapshot?.damages;
  if (said === undefined || said.has(message) || said.size >= DAMAGES_LOGGED) return;
  said.add(message);
  log(message, "trouble");
}

/** A stored file's damage says all by its message; anything else is a mistake of ours, to be found. */
function descriptionOf(error: Error): string {
  return error instanceof BadSnapshotError ? error.message : String(error.stack);
}
