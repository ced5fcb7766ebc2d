import { z } from "zod";
import { field } from "./field.js";

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
