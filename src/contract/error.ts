import { z } from "zod";
import { field } from "./field.js";
import { METHODS } from "./headers.js";

/** One violation of a request. `path` is the parameter's name; `category[2]` is the third value of a repeated one. */
export const Issue = z
  .strictObject({
    path: field(
      z.string(),
      "The parameter; `category[2]` is the third value of a repeated one.",
      "minScore",
    ),
    message: field(z.string(), "What is wrong with it.", "must not exceed maxScore"),
  })
  .meta({ id: "Issue" });
export type Issue = z.infer<typeof Issue>;

/** Contract section 7: the body of every answer that is not 2xx or 304. */
export const ErrorBody = z
  .strictObject({
    error: field(
      z.string(),
      "What went wrong, in a sentence.",
      "No report is published for this host.",
    ),
    issues: field(
      z.array(Issue).optional(),
      "Everything that is wrong with the request; left out for other errors.",
    ),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The most issues that an answer lists. */
export const ISSUES_MAX = 20;

/** The texts of the errors of section 7, for answers and for the examples of the OpenAPI document. */
export const ERROR_TEXTS = {
  invalid: "The request is not valid; see its issues.",
  invalidInMany: `The request is not valid; these are the first ${ISSUES_MAX} of its issues.`,
  noHistory: "This listing's plan does not include historical reports.",
  noReport: "No report is published for this host.",
  noScan: "No such scan is published for this host.",
  damaged: "The stored answer is not valid; try again later.",
  noAddress: "There is nothing at this address.",
  tooLong: "The request target is too long.",
  badMethod: `This address answers ${METHODS} only.`,
  notLoaded: "No directory is loaded yet; try again shortly.",
} as const;

/** Makes the error body, the same form for all errors (contract section 7). Leaves `issues` out if there are none. */
export function errorBody(error: string, issues: readonly Issue[] = []): ErrorBody {
  return issues.length > 0 ? { error, issues: [...issues] } : { error };
}
