import { ERROR_TEXTS, errorBody, ISSUES_MAX, type Issue } from "../../contract/error.js";
import { COMMON_HEADERS, METHODS } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { errorPage, errorPageHeaders, lostPage } from "../../pages/kit/error-page.js";
import { PAGE_ROUTES } from "../../pages/kit/routes.js";
import type { Answer } from "./answer.js";
import type { Failure } from "./content.js";

/* Answers for requests that have no content. Programs get the contract's error body, a person gets a page. */

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

/** The page that shows a failure to a person. */
export function errorPageAnswer({ status, error, headers }: Failed): Answer {
  return pageAnswer(status, errorPage(error), headers);
}

/** How many levels below `/api` an address may be for its error page; deeper ones are no one's mistyped addresses. */
const LEVELS_MAX = 4;
const LOST = new RegExp(`^/api((?:/[^/?]*){1,${LEVELS_MAX}})(?:\\?|$)`);

/**
 * The page for a person at an address below `/api` that does not exist.
 * @param target the request target as sent: the browser resolves the page's links against it
 * @returns null at any other address
 */
export function lostPageAnswer({ status, error }: Failed, target: string): Answer | null {
  const [, below] = LOST.exec(target) ?? [];
  if (below === undefined) return null;
  return pageAnswer(status, lostPage(error, `..${"/..".repeat(below.split("/").length - 2)}`));
}

function pageAnswer(status: number, text: string, headers: Failed["headers"] = {}): Answer {
  const body = encoder.encode(text);
  const own = { "Content-Type": PAGE_ROUTES.page.contentType, "Content-Length": `${body.length}` };
  return { status, headers: { ...own, ...errorPageHeaders(), ...headers }, body };
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
