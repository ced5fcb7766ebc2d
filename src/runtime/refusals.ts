import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type Answer, errorAnswer } from "./answer.js";
import type { RequestHead } from "./head.js";

/** What node lets through, though it must not be answered: it would part requests otherwise than a proxy does. */
export function refusalOf(
  { method, httpVersion }: IncomingMessage,
  { hosts, hasBody }: RequestHead,
): Answer | null {
  if (hosts > 1) return errorAnswer(400, "The request names more than one host.");
  if (hosts === 0 && httpVersion !== "1.0") return errorAnswer(400, "The request names no host.");
  if (method !== "GET" && method !== "HEAD") return null;
  return hasBody ? errorAnswer(400, "A read has no body.") : null;
}

/** The answer to what never became a request: a broken, oversized or overdue head. */
export function refusalOfError({ code }: NodeJS.ErrnoException): Answer {
  if (code === "HPE_HEADER_OVERFLOW") return errorAnswer(431, "The request's head is too large.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return errorAnswer(408, "The request took too long.");
  return errorAnswer(400, "The request is not valid HTTP.");
}

/** The answer to an `Expect` that we do not meet. */
export function expectationRefusal(): Answer {
  return errorAnswer(417, "No expectation but 100-continue is met here.");
}

/** Answers over a bare connection, where node has made no response for it, and ends it. */
export function refuseConnection(socket: Duplex, { status, headers, body }: Answer): void {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`);
  socket.end(body ?? "");
}
