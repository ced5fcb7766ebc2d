import { ERROR_TEXTS } from "../../contract/error.js";
import { andThen, type Soon } from "../../engine/soon.js";
import {
  errorPage,
  errorPageHeaders,
  lostPage,
  nothingPage,
  type WayOn,
} from "../../pages/kit/error-page.js";
import { PAGE_ROUTES } from "../../pages/kit/routes.js";
import type { Answer } from "./answer.js";
import type { SnapshotView } from "./content.js";
import { type Failed, failureAnswer } from "./error-answers.js";
import type { PageMatch } from "./pages.js";
import { wayOnFrom } from "./way-on.js";

/* Answers without content for people: pages in place of the contract's error body. */

const encoder = new TextEncoder();
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
    name === "page" ? errorPage : (error: string, way: WayOn) => otherPage(failed, error, way);
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
  if (!/^\/api\//.test(target)) return answerWith(nothingPage, failed, target, snapshot, null);
  return LOST.test(target)
    ? answerWith(lostPage, failed, target, snapshot, null)
    : failureAnswer(failed);
}

const LATER = "Please try again in a moment";

function otherPage({ status }: Failed, error: string, way: WayOn): string {
  return status === 404 ? nothingPage(error, way) : nothingPage(error, way, LATER);
}

function answerWith(
  draw: (error: string, way: WayOn) => string,
  failed: Failed,
  target: string,
  snapshot: SnapshotView | null,
  latest: string | null,
): Soon<Answer> {
  const { status, error, headers } = failed;
  // A failure of the store would only fail again.
  const source = status < 500 ? snapshot : null;
  return andThen(wayOnFrom(target, source, latest), (way) => {
    if (way === null) return failureAnswer(failed);
    const body = encoder.encode(draw(error, way));
    const own = {
      "Content-Type": PAGE_ROUTES.page.contentType,
      "Content-Length": `${body.length}`,
    };
    return { status, headers: { ...own, ...errorPageHeaders(), ...headers }, body };
  });
}
