import type { ErrorBody, Issue } from "./bodies.js";
import { METHODS } from "./headers.js";

export type { ErrorBody, Issue } from "./bodies.js";

/** The most issues that an answer lists. */
export const ISSUES_MAX = 20;

/** The texts of errors (docs/contract.md#7-errors), for answers and for the examples of the OpenAPI document. */
export const ERROR_TEXTS = {
  invalid: "The request is not valid; see its issues.",
  invalidInMany: `The request is not valid; these are the first ${ISSUES_MAX} of its issues.`,
  noHistory: "This listing's plan does not include historical reports.",
  noReport: "No report is published for this host.",
  noScan: "No such scan is published for this host.",
  damaged: "The stored answer is not valid; try again later.",
  away: "The stored answer cannot be reached at the moment; try again shortly.",
  noAddress: "There is nothing at this address.",
  tooLong: "The request target is too long.",
  tooManyRequests: "You have sent too many requests; try again shortly.",
  bodyTooLarge: "The body of the request is too large.",
  badBody: "The body of the request must be JSON in UTF-8.",
  badMethod: `This address answers ${METHODS} only.`,
  notLoaded: "No directory is loaded yet; try again shortly.",
} as const;

/**
 * Makes the error body, the same form for all errors (docs/contract.md#7-errors). Leaves `issues` out if there are
 * none.
 */
export function errorBody(error: string, issues: readonly Issue[] = []): ErrorBody {
  return issues.length > 0 ? { error, issues: [...issues] } : { error };
}
