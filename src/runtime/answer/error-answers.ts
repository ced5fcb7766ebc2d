import { ERROR_TEXTS, errorBody, ISSUES_MAX, type Issue } from "../../contract/error.js";
import { COMMON_HEADERS, METHODS } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import type { HealthName } from "./address.js";
import type { Answer, AnswerContext } from "./answer.js";
import type { Failure } from "./content.js";

/* Answers without content from a snapshot: the contract's error body, and the health of the process. */

const encoder = new TextEncoder();

/** A failure with any status. */
export type Failed = Omit<Failure, "status"> & { readonly status: number };

export const NO_ADDRESS: Failure = { status: 404, error: ERROR_TEXTS.noAddress };

/** The answer to a method that an address does not support. @param methods those that it supports */
export function methodRefusal(methods: string = METHODS): Answer {
  const error = ERROR_TEXTS.badMethod.replace(METHODS, methods);
  return errorAnswer(405, error, [], { Allow: methods });
}

/** An answer with the error body (docs/contract.md#7-errors). */
export function errorAnswer(
  status: number,
  error: string,
  issues: readonly Issue[] = [],
  headers: Record<string, string> = {},
): Answer {
  return jsonAnswer(status, errorBody(error, issues), headers);
}

/** The answer to an invalid request. It lists at most ISSUES_MAX issues, and says so if there are more. */
export function refusal(issues: readonly Issue[]): Answer {
  const { invalid, invalidInMany } = ERROR_TEXTS;
  const error = issues.length > ISSUES_MAX ? invalidInMany : invalid;
  return errorAnswer(400, error, issues.slice(0, ISSUES_MAX));
}

export function failureAnswer({ status, error, issues, headers }: Failed): Answer {
  return errorAnswer(status, error, issues, headers);
}

/** A JSON answer that caches must not store. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Answer {
  const body = encoder.encode(JSON.stringify(value));
  return {
    status,
    headers: {
      ...COMMON_HEADERS,
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      "Cache-Control": CACHE_CONTROL.error,
      ...headers,
    },
    body,
  };
}

/** In seconds. A new snapshot answers within about two seconds. */
export const RETRY_AFTER = { "Retry-After": "2" };

/** What `/readyz` and the metrics report about a server besides its snapshot. */
export interface Readiness {
  /** When the snapshot that answers was published in the server's store; undefined if that is unknown. */
  readonly publishedAt?: Date | undefined;
  /** Why the server is not ready, even if it has a snapshot; undefined if that depends on the snapshot alone. */
  readonly unready?: string | undefined;
}

/**
 * Reports the health of the process (docs/contract.md#88-health-and-metrics): that it answers, or which snapshot it has
 * loaded.
 */
export async function healthAnswer(path: HealthName, context: AnswerContext): Promise<Answer> {
  if (path === "healthz") return jsonAnswer(200, { ok: true });
  const { snapshot } = context;
  const { publishedAt, unready } = (await context.readiness?.()) ?? {};
  const generation = snapshot?.history.generation;
  const facts = { snapshot: snapshot?.id, generation, publishedAt };
  const trouble = unready ?? context.trouble;
  return snapshot !== null && unready === undefined
    ? jsonAnswer(200, { ready: true, ...facts, trouble })
    : jsonAnswer(503, { ready: false, ...facts, trouble }, RETRY_AFTER);
}
