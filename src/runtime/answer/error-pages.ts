import { ERROR_TEXTS } from "../../contract/error.js";
import { andThen, type Soon } from "../../engine/soon.js";
import {
  type ErrorSuggestions,
  errorPage,
  errorPageHeaders,
  lostPage,
  nothingPage,
} from "../../pages/kit/error-page.js";
import { PAGE_ROUTES, pageHeaders } from "../../pages/kit/routes.js";
import type { Answer } from "./answer.js";
import type { SnapshotView } from "./content.js";
import { type Failed, failureAnswer } from "./error-answers.js";
import { errorSuggestionsFrom } from "./error-suggestions.js";
import type { PageMatch } from "./pages.js";

/* Answers without content for people: pages in place of the contract's error body. */

const encoder = new TextEncoder();

/** The headers of a redirect. It may end with the next snapshot, as a page may. */
const REDIRECT_HEADERS = { ...pageHeaders("sitemap", "", "", false), "Content-Length": "0" };

/** `Pages.redirect` */
export function redirectAnswer(location: string, isForBrowsers: boolean): Answer {
  const varied = isForBrowsers ? { Vary: "Accept, Accept-Encoding" } : {};
  // A header has no other characters. A client may send some of them in a query.
  const Location = location.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return { status: 308, headers: { ...REDIRECT_HEADERS, ...varied, Location }, body: null };
}
/** Failures of a scan's report, of which the listing has another one. */
const OTHER_SCAN: readonly string[] = [ERROR_TEXTS.noHistory, ERROR_TEXTS.noScan];

/** `Pages.failure` */
export function failurePage(
  failed: Failed,
  { name, parameter }: PageMatch,
  target: string,
  snapshot: SnapshotView | null,
): Soon<Answer> {
  const latest = OTHER_SCAN.includes(failed.error) ? parameter : null;
  const draw =
    name === "page"
      ? errorPage
      : (error: string, way: ErrorSuggestions) => otherPage(failed, error, way);
  return answerWith(draw, failed, target, snapshot, latest);
}

/** How many levels below `/api` an address may be for its error page; deeper ones are no one's mistyped addresses. */
const LEVELS_MAX = 4;
const LOST = new RegExp(`^/api(?:/[^/?]*){1,${LEVELS_MAX}}(?:\\?|$)`);

/** `Pages.lost` */
export function lostPageAnswer(
  failed: Failed,
  target: string,
  snapshot: SnapshotView | null,
): Soon<Answer> {
  const isRead = LOST.test(target);
  if (/^\/api\//.test(target) && !isRead) return failureAnswer(failed);
  const draw = (error: string, way: ErrorSuggestions) =>
    isRead && failed.status === 404 ? lostPage(error, way) : otherPage(failed, error, way);
  return answerWith(draw, failed, target, snapshot, null);
}

const LATER = "Please try again in a moment";

function otherPage({ status }: Failed, error: string, way: ErrorSuggestions): string {
  return status === 404 ? nothingPage(error, way) : nothingPage(error, way, LATER);
}

function answerWith(
  draw: (error: string, way: ErrorSuggestions) => string,
  failed: Failed,
  target: string,
  snapshot: SnapshotView | null,
  latest: string | null,
): Soon<Answer> {
  const { status, error, headers } = failed;
  // A failure of the store would only fail again.
  const source = status < 500 ? snapshot : null;
  return andThen(errorSuggestionsFrom(target, source, latest), (way) => {
    if (way === null) return failureAnswer(failed);
    const body = encoder.encode(draw(error, way));
    const own = {
      "Content-Type": PAGE_ROUTES.page.contentType,
      "Content-Length": `${body.length}`,
    };
    return { status, headers: { ...own, ...errorPageHeaders(), ...headers }, body };
  });
}
