import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Answer } from "../answer/answer.js";
import { errorAnswer, methodRefusal } from "../answer/error-answers.js";
import { SERVER_LIMITS } from "../limits.js";
import { type RequestHeaders, readRequestHeaders } from "./request-headers.js";

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

/**
 * Returns the answer to a request with an `Upgrade` header that must not be read again without it; null if it may be. A
 * second reading could find another end of the request if some of its headers are unknown, or if it has a body.
 */
export function upgradeRefusal(req: IncomingMessage): Answer | null {
  const head = readRequestHeaders(req);
  return refusalOf(req, head) ?? (head.hasBody ? methodRefusal() : null);
}

/** Returns a request's head as it was sent, without its `Upgrade` header. */
export function withoutUpgrade(req: IncomingMessage): Buffer {
  const { method, url, httpVersion, rawHeaders } = req;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** The answer to an `Expect` header that the server does not support. */
export function expectationRefusal(): Answer {
  return errorAnswer(417, "The only supported expectation is 100-continue.");
}

/** The answer to a connection beyond the limit. */
export function crowdRefusal(): Answer {
  return errorAnswer(503, "Too many connections are open.", [], { "Retry-After": "2" });
}

/** Returns an answer as HTTP text for a connection for which node has made no response. */
export function bareAnswer({ status, headers, body }: Answer): string {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const text = body === null ? "" : new TextDecoder().decode(body);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`;
}
