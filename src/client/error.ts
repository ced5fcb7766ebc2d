import type { Issue } from "../contract/error.js";

/**
 * What kept a read from its answer:
 * - `status`: the API answered with an error; `status` and `issues` say which (contract section 7).
 * - `network`: no whole answer came; `cause` is what `fetch` said.
 * - `timeout`: it took longer than the time-out.
 * - `body`: there was an answer, but not one of this API.
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

/** The one error of the client. An aborted read rejects with its signal's reason instead, as `fetch` does. */
export class CrawldexError extends Error {
  override readonly name = "CrawldexError";
  readonly kind: ErrorKind;
  /** The address that was asked for. */
  readonly url: string;
  /** The HTTP status; null where no answer came. */
  readonly status: number | null;
  /** What is wrong with the request, by parameter; empty where the API does not say. */
  readonly issues: readonly Issue[];
  /** How long the API asks to be left alone, in milliseconds; null where it does not say. */
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

/** The error of an answer that is neither a 200 nor a 304; what its body does not say stays out. */
export function statusError(
  url: string,
  status: number,
  text: string,
  retryAfterMs: number | null,
): CrawldexError {
  const body = parsed(text) as { readonly error?: unknown; readonly issues?: unknown } | null;
  const message = typeof body?.error === "string" ? body.error : "The answer is an error.";
  const issues = Array.isArray(body?.issues) ? body.issues.filter(isIssue) : [];
  return new CrawldexError(`${status}: ${message}`, {
    kind: "status",
    url,
    status,
    issues,
    retryAfterMs,
  });
}

function isIssue(value: unknown): value is Issue {
  const issue = value as Partial<Issue> | null;
  return typeof issue?.path === "string" && typeof issue.message === "string";
}

/** The value of a JSON text; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
