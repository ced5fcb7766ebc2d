import { ERROR_TEXTS, errorBody, ISSUES_MAX, type Issue } from "../../contract/error.js";
import { COMMON_HEADERS, METHODS } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import type { Answer } from "./answer.js";
import type { Failure } from "./content.js";

/* Answers for requests that have no content: the contract's error body. */

const encoder = new TextEncoder();

/** A failure with any status. */
export type Failed = Omit<Failure, "status"> & { readonly status: number };

/** The answer to a method that an address does not support. @param methods those that it supports */
export function methodRefusal(methods: string = METHODS): Answer {
  const error = ERROR_TEXTS.badMethod.replace(METHODS, methods);
  return errorAnswer(405, error, [], { Allow: methods });
}

/** An answer with the contract's error body (section 7). */
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
