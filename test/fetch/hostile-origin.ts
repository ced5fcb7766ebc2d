import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { STORE_FORMAT } from "../../src/store/names.js";
import { pointerText } from "../../src/store/pointer.js";
import { sha256 } from "../store/trees.js";
import type { Files } from "./plain-host.js";

/** The origin's other host answers this below `/internal/`, with status 418. No message may repeat either. */
export const SECRET = "the-answer-of-an-internal-address";
export const INTERNAL_STATUS = 418;

/** The highest generation that fits in a number, but for one. */
export const HUGE_GENERATION = Number.MAX_SAFE_INTEGER - 1;

/** A request that a trick may answer. */
export interface Visit {
  /** Without a slash at its beginning, such as `current.json`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
  /** The id of the snapshot that the files publish. */
  readonly id: string;
  /** The address of the origin's other host, which has the same files. */
  readonly elsewhere: string;
}

/** Answers a request. @returns false for a request that is answered honestly */
export type Trick = (visit: Visit) => boolean;

const MANIFEST = /^[0-9a-f]{32}\/manifest\.json$/;
const SIGNATURE = /\.minisig$/;
const PACK = /^segments\/[0-9a-f]{32}\.pack$/;

/** A manifest of 12 MB that is no manifest, and takes minutes to check entry by entry. */
const EMPTY_ENTRIES = Buffer.from(
  `{"format":${STORE_FORMAT},"segments":[${"{},".repeat(4_000_000)}{}]}`,
);
const EMPTY_ENTRIES_ID = sha256(EMPTY_ENTRIES).slice(0, 32);

/** Each trick with its name. */
export const TRICKS = {
  "a pointer with a huge generation": ({ path, response, id }) =>
    path === "current.json" && json(response, pointerTo(id, HUGE_GENERATION)),
  "a manifest of empty entries": ({ path, response }) => {
    if (path === "current.json") return json(response, pointerTo(EMPTY_ENTRIES_ID, 1));
    if (path !== `${EMPTY_ENTRIES_ID}/manifest.json`) return false;
    response.writeHead(200, { "content-length": EMPTY_ENTRIES.length }).end(EMPTY_ENTRIES);
    return true;
  },
  "an endless pointer": endless((path) => path === "current.json"),
  "an endless manifest": endless((path) => MANIFEST.test(path)),
  "an endless signature": endless((path) => SIGNATURE.test(path)),
  "an endless file": endless((path) => PACK.test(path)),
  "an endless 404": endless((path) => path !== "current.json" && !MANIFEST.test(path), 404),
  "an endless error": endless(() => true, 500),
  "a compressed endless manifest": ({ path, response }) => {
    if (!MANIFEST.test(path)) return false;
    response.writeHead(200, { "content-encoding": "gzip" });
    return pour(response, COMPRESSED);
  },
  "a drip of a pointer": drip((path) => path === "current.json"),
  "a drip of a manifest": drip((path) => MANIFEST.test(path)),
  "a drip of a file": drip((path) => PACK.test(path)),
  "a drip of a head": ({ response }) => {
    const socket = response.socket;
    socket?.write("HTTP/1.1 200 OK\r\nx-");
    repeat(response, () => socket?.write("x"));
    return true;
  },
  "a drip of early hints": ({ response }) => {
    repeat(response, () => response.writeEarlyHints({ link: "</a>; rel=preload" }));
    return true;
  },
  "redirects for ever": ({ path, response }) => {
    const [, hop = "0"] = /^hop-([0-9]+)/.exec(path) ?? [];
    return redirect(response, `/hop-${Number(hop) + 1}`);
  },
  "a redirect to another path": ({ path, response }) =>
    !path.startsWith("moved/") && redirect(response, `/moved/${path}`),
  "a redirect to another host": ({ path, response, elsewhere }) =>
    redirect(response, `${elsewhere}/${path}`),
  "a redirect to an internal address": ({ path, response, elsewhere }) =>
    redirect(response, `${elsewhere}/internal/${path}`),
  "lists with ever new tokens": ({ query, response }) => {
    if (!query.has("list-type")) return false;
    const token = Number(query.get("continuation-token") ?? 0) + 1;
    response
      .writeHead(200, { date: new Date().toUTCString() })
      .end(
        `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`,
      );
    return true;
  },
} satisfies Record<string, Trick>;

export type TrickName = keyof typeof TRICKS;

/** A hostile origin, and what its readers took from it. */
export interface HostileOrigin {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly requested: string[];
  /** The requests that the origin's other host has received. */
  readonly receivedElsewhere: {
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
  }[];
  /** Bytes that the origin has sent so far, heads included. */
  bytesSent(): number;
  /** Plays another trick from now on; null for none. */
  play(trick: TrickName | Trick | null): void;
}

/**
 * Starts a server on 127.0.0.1 that has the files of an honest origin, and plays a trick on its readers. It ends with
 * the test.
 */
export async function hostileOrigin(
  files: Files,
  trick: TrickName | Trick | null,
): Promise<HostileOrigin> {
  let play: Trick | null = null;
  const requested: string[] = [];
  const receivedElsewhere: HostileOrigin["receivedElsewhere"] = [];
  const honest = async (path: string, response: ServerResponse) => {
    const bytes = await files(path.replace(/^moved\//, ""));
    if (bytes === null) response.writeHead(404).end();
    else response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  };
  const other = await listening(async (request, response) => {
    const path = pathOf(request);
    receivedElsewhere.push({ path, headers: request.headers });
    if (path.startsWith("internal/")) response.writeHead(INTERNAL_STATUS).end(SECRET);
    else await honest(path, response);
  });
  const main = await listening(async (request, response) => {
    const path = pathOf(request);
    requested.push(path);
    const query = new URL(request.url ?? "", "http://origin").searchParams;
    const current = await files("current.json");
    const { id = "" } = current === null ? {} : JSON.parse(current.toString());
    const visit = { path, query, response, id, elsewhere: other.url };
    if (play?.(visit) !== true) await honest(path, response);
  });
  const origin: HostileOrigin = {
    url: main.url,
    requested,
    receivedElsewhere,
    bytesSent: () => main.bytesSent(),
    play: (next) => {
      play = typeof next === "string" ? TRICKS[next] : next;
    },
  };
  origin.play(trick);
  return origin;
}

async function listening(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
) {
  let closed = 0;
  const open = new Set<Socket>();
  const server = createServer((request, response) => void answer(request, response));
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      closed += socket.bytesWritten;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytesSent: () => [...open].reduce((sum, socket) => sum + socket.bytesWritten, closed),
  };
}

function pathOf(request: IncomingMessage): string {
  return decodeURIComponent(new URL(request.url ?? "", "http://origin").pathname.slice(1));
}

const pointerTo = (id: string, generation: number) =>
  JSON.parse(pointerText({ id, generation, origin: "0".repeat(8) }));

function json(response: ServerResponse, value: unknown): true {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  return true;
}

function redirect(response: ServerResponse, location: string): true {
  response.writeHead(302, { location }).end();
  return true;
}

/** Spaces are good JSON, so that no reader can stop for their sake. */
const SPACES = Buffer.alloc(64 * 1024, " ");
/** Bytes that decompress to a thousand times as many. A stream may have several gzip members. */
const COMPRESSED = gzipSync(Buffer.alloc(16 * 1024 * 1024, " "));

function endless(isChosen: (path: string) => boolean, status = 200): Trick {
  return ({ path, response }) => {
    if (!isChosen(path)) return false;
    response.writeHead(status);
    return pour(response);
  };
}

/** Sends a piece again and again until the reader ends the connection. */
function pour(response: ServerResponse, piece = SPACES): true {
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
  return true;
}

function drip(isChosen: (path: string) => boolean): Trick {
  return ({ path, response }) => {
    if (!isChosen(path)) return false;
    response.writeHead(200);
    repeat(response, () => response.write(" "));
    return true;
  };
}

/** Milliseconds between two bytes of a drip. */
const DRIP_MS = 20;

function repeat(response: ServerResponse, action: () => unknown): void {
  const timer = setInterval(action, DRIP_MS);
  response.on("close", () => clearInterval(timer));
}
