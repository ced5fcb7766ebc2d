import { ERROR_TEXTS, errorBody, type Issue } from "../../contract/error.js";
import { HOST_RULE } from "../../contract/host.js";
import { errorPage, lostPage, NOT_VALID, plainWay } from "../../pages/kit/error-page.js";

/** The error body as the runtime sends it. */
const body = (text: string, issues?: readonly Issue[]) => JSON.stringify(errorBody(text, issues));

/** The path from `/sites/<host>` to the tree. */
const FROM_REPORT = "../";

/** The errors that the rules of hosts answer, by name: the JSON to programs, and the page to people if there is one. */
export const HOST_ERRORS = {
  address: { status: 404, json: body(ERROR_TEXTS.noAddress), page: null },
  host: {
    status: 400,
    json: body(ERROR_TEXTS.invalid, [{ path: "host", message: HOST_RULE }]),
    page: NOT_VALID,
  },
  query: { status: 400, json: body("The query is not valid."), page: NOT_VALID },
  report: { status: 404, json: body(ERROR_TEXTS.noReport), page: ERROR_TEXTS.noReport },
  scan: { status: 404, json: body(ERROR_TEXTS.noScan), page: ERROR_TEXTS.noScan },
  method: { status: 405, json: body(ERROR_TEXTS.badMethod), page: null },
  damaged: { status: 502, json: body(ERROR_TEXTS.damaged), page: null },
} as const;

/** The page of an error at `/sites/<host>`. @param name the directory's name; "" if it is not known */
export function reportErrorPage(error: string, name: string): string {
  return errorPage(error, plainWay(FROM_REPORT, name));
}

/** How many levels below `/api` an unknown address has a page for people. */
export const LOST_LEVELS = 4;

/** The page for people at an unknown address so many levels below `/api`. @param name as of `reportErrorPage` */
export function lostPageAt(level: number, name: string): string {
  return lostPage(ERROR_TEXTS.noAddress, plainWay("../".repeat(level), name));
}
