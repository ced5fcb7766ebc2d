import { ERROR_TEXTS } from "../../contract/error.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import type { Answer } from "../answer/answer.js";
import { errorAnswer } from "../answer/error-answers.js";

/** Prometheus' text format, version 0.0.4. */
const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const ALLOWED_METHODS = "GET, HEAD";

/**
 * The answer at `/metrics` (decisions, HTTP, extra addresses). It serves the operator of the server, not pages of other
 * origins, so it has no CORS headers and no preflight.
 */
export function metricsAnswer(method: string, text: string): Answer {
  if (method !== "GET") {
    const refusal = errorAnswer(405, ERROR_TEXTS.badMethod, [], { Allow: ALLOWED_METHODS });
    return { ...refusal, route: "metrics" };
  }
  const body = new TextEncoder().encode(text);
  const headers = {
    "Content-Type": CONTENT_TYPE,
    "Content-Length": String(body.length),
    "Cache-Control": CACHE_CONTROL.error,
    "X-Content-Type-Options": "nosniff",
  };
  return { status: 200, headers, body, route: "metrics" };
}
