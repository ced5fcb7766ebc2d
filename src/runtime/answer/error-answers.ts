import { ERROR_TEXTS, errorBody, ISSUES_MAX, type Issue } from "../../contract/error.js";
import { COMMON_HEADERS, METHODS } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { pageHeaders } from "../../pages/kit/routes.js";
import type { Answer } from "./answer.js";
import type { Failure } from "./content.js";

/* Answers for requests that have no content: the contract's error body. */

const encoder = new TextEncoder();

/** A failure with any status. */
export type Failed = Omit<Failure, "status"> & { readonly status: number };

/** The answer to a method that no address supports. */
export function methodRefusal(): Answer {
  return errorAnswer(405, ERROR_TEXTS.badMethod, [], { Allow: METHODS });
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

export function failureAnswer({ status, error, headers }: Failed): Answer {
  return errorAnswer(status, error, [], headers);
}

/** The headers of a redirect. It may end with the next snapshot, as a page may. */
const REDIRECT_HEADERS = { ...pageHeaders("sitemap", "", "", false), "Content-Length": "0" };

/**
 * Sends a client to another address for good, with the same method.
 * @param location relative to the address that was asked for
 * @param isForBrowsers whether programs get another answer
 */
export function redirect(location: string, isForBrowsers: boolean): Answer {
  const varied = isForBrowsers ? { Vary: "Accept, Accept-Encoding" } : {};
  // A header has no other characters. A client may send some of them in a query.
  const Location = location.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return { status: 308, headers: { ...REDIRECT_HEADERS, ...varied, Location }, body: null };
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
