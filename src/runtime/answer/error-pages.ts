import { errorPage, errorPageHeaders, lostPage } from "../../pages/kit/error-page.js";
import { PAGE_ROUTES } from "../../pages/kit/routes.js";
import type { Answer } from "./answer.js";
import type { Failed } from "./error-answers.js";

/* Answers without content for people: pages in place of the contract's error body. */

const encoder = new TextEncoder();

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
