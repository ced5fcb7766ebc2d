import type { Issue } from "./answers.js";

/**
 * Why a read failed:
 * - `status`: the API answered with an error; see `status` and `issues` (docs/contract.md#7-errors).
 * - `network`: no complete answer arrived; `cause` is the error from `fetch`.
 * - `timeout`: the time-out expired.
 * - `body`: there was an answer, but not one from this API.
 * - `host`: the host cannot be part of an address; nothing was sent.
 */
export type ErrorKind = "status" | "network" | "timeout" | "body" | "host";

export interface ErrorDetails {
  readonly kind: ErrorKind;
  readonly url: string;
  readonly status?: number;
  readonly issues?: readonly Issue[];
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** The client's only error class. An aborted read rejects with its signal's reason instead, as `fetch` does. */
export class CrawldexError extends Error {
  override readonly name = "CrawldexError";
  readonly kind: ErrorKind;
  /** The requested address. */
  readonly url: string;
  /** The HTTP status; null if no answer arrived. */
  readonly status: number | null;
  /** Problems with the request, by parameter; empty if the API names none. */
  readonly issues: readonly Issue[];
  /** The wait that the API asks for before the next request, in milliseconds; null if it gives none. */
  readonly retryAfterMs: number | null;

  constructor(message: string, details: ErrorDetails) {
    super(`${message} (${details.url})`, { cause: details.cause });
    this.kind = details.kind;
    this.url = details.url;
    this.status = details.status ?? null;
    this.issues = details.issues ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** The error for an answer other than 200 or 304. It takes the message and issues from the body if they are there. */
export function statusError(
  url: string,
  status: number,
  text: string,
  retryAfterMs: number | null,
): CrawldexError {
  const body = parsed(text);
  const error = memberOf(body, "error");
  const issues = memberOf(body, "issues");
  const message = typeof error === "string" ? error : "The answer is an error.";
  return new CrawldexError(`${status}: ${message}`, {
    kind: "status",
    url,
    status,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    retryAfterMs,
  });
}

function isIssue(value: unknown): value is Issue {
  return (
    typeof memberOf(value, "path") === "string" && typeof memberOf(value, "message") === "string"
  );
}

/** A key's value; undefined if the value is not an object with that key. */
function memberOf(value: unknown, key: string): unknown {
  return Object(value)[key];
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
