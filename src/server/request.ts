import { type IncomingMessage, STATUS_CODES } from "node:http";
import { type Answer, errorAnswer } from "../answer/answer.js";
import { SERVER_LIMITS } from "../answer/limits.js";
import { type RequestBody, UnreadBodyError } from "../answer/request-body.js";
import { prefersMarkdown } from "../contract/headers.js";

/*
 * The request headers that we use, read in one pass over the raw headers. Node's own header table costs more than a
 * whole cached answer, and hides headers that were sent twice.
 */

/** The headers that the server uses. The values of a repeated header are joined as in RFC 9110 section 5.3. */
export interface RequestHeaders {
  /** The number of all headers, used or not. */
  readonly count: number;
  readonly hosts: number;
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  /** Whether the head announces a body: by any transfer coding, or by a length other than 0. */
  readonly hasBody: boolean;
  /**
   * Whether it asks for another protocol. The server ignores that (RFC 9110 section 7.8), and node drops what
   * follows.
   */
  readonly hasUpgrade: boolean;
}

export function readRequestHeaders({ rawHeaders }: IncomingMessage): RequestHeaders {
  let hosts = 0;
  let accept: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  let range: string | undefined;
  let ifRange: string | undefined;
  let hasBody = false;
  let hasUpgrade = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    // Compares lengths first, since nearly every header is none of these.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === "host") hosts += 1;
        break;
      case 5:
        range = added("range", range, name, rawHeaders[at + 1]!);
        break;
      case 6:
        accept = added("accept", accept, name, rawHeaders[at + 1]!);
        break;
      case 7:
        if (name.toLowerCase() === "upgrade") hasUpgrade = true;
        break;
      case 8:
        ifRange = added("if-range", ifRange, name, rawHeaders[at + 1]!);
        break;
      case 13:
        ifNoneMatch = added("if-none-match", ifNoneMatch, name, rawHeaders[at + 1]!);
        break;
      case 14:
        if (name.toLowerCase() === "content-length") hasBody ||= rawHeaders[at + 1]!.trim() !== "0";
        break;
      case 15:
        acceptEncoding = added("accept-encoding", acceptEncoding, name, rawHeaders[at + 1]!);
        break;
      case 17:
        if (name.toLowerCase() === "transfer-encoding") hasBody = true;
        break;
    }
  }
  const count = rawHeaders.length / 2;
  const conditions = { ifNoneMatch, range, ifRange };
  return { count, hosts, accept, acceptEncoding, ...conditions, hasBody, hasUpgrade };
}

/** Appends a header's value to the earlier values if its name is the wanted one. */
function added(
  wanted: string,
  before: string | undefined,
  name: string,
  value: string,
): string | undefined {
  if (name.toLowerCase() !== wanted) return before;
  return before === undefined ? value : `${before}, ${value}`;
}

/** Whether the client prefers a page as Markdown. All other addresses have one content type. */
export function isMarkdownAsked(target: string, { accept }: RequestHeaders): boolean {
  return accept !== undefined && target.startsWith("/sites/") && prefersMarkdown(accept);
}

/** Refuses requests that Node lets through, but a proxy might frame differently (request smuggling). */
export function refusalOf(
  { method, httpVersion }: IncomingMessage,
  { count, hosts, hasBody }: RequestHeaders,
): Answer | null {
  const { headersMax } = SERVER_LIMITS;
  if (count > headersMax) return errorAnswer(431, `The request has over ${headersMax} headers.`);
  if (hosts > 1) return errorAnswer(400, "The request names more than one host.");
  if (hosts === 0 && httpVersion !== "1.0") return errorAnswer(400, "The request names no host.");
  if (method !== "GET" && method !== "HEAD") return null;
  return hasBody ? errorAnswer(400, "A read has no body.") : null;
}

/** The answer to a client whose request was never complete: its head is malformed, too large or too late. */
export function refusalOfError({ code }: NodeJS.ErrnoException): Answer {
  if (code === "HPE_HEADER_OVERFLOW") return errorAnswer(431, "The request's head is too large.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return errorAnswer(408, "The request took too long.");
  return errorAnswer(400, "The request is not valid HTTP.");
}

/** Returns an answer as HTTP text for a connection for which node has made no response. */
export function bareAnswer({ status, headers, body }: Answer): string {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const text = body === null ? "" : new TextDecoder().decode(body);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`;
}

/** Bodies that are being read. Clients that send slowly must not fill the memory. */
let reading = 0;

/** The body of a request to the server. */
export function nodeBody(req: IncomingMessage): RequestBody {
  return {
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    read: async (most) => {
      if (reading >= SERVER_LIMITS.bodiesMax) throw new UnreadBodyError(503);
      reading += 1;
      try {
        return await received(req, most);
      } finally {
        reading -= 1;
      }
    },
  };
}

function received(req: IncomingMessage, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const end = (settle: () => void) => {
      clearTimeout(late);
      req.off("data", add).off("end", done).off("close", cut).off("error", cut);
      settle();
    };
    const add = (chunk: Uint8Array) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > most) end(() => reject(new UnreadBodyError(413)));
    };
    const done = () => end(() => resolve(Buffer.concat(chunks)));
    const cut = () => end(() => reject(new UnreadBodyError(408)));
    const late = setTimeout(cut, SERVER_LIMITS.requestMs);
    req.on("data", add).on("end", done).on("close", cut).on("error", cut);
  });
}
