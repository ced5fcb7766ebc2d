import { ERROR_TEXTS } from "../../contract/error.js";
import { percentDecoded } from "../../contract/host.js";
import { NOT_VALID } from "../../pages/kit/error-page.js";
import { PAGE_ROUTES, pageHeaders } from "../../pages/kit/routes.js";
import type { Answer } from "./answer.js";
import type { SnapshotView } from "./content.js";
import type { Failed } from "./error-answers.js";
import type { PageMatch } from "./page-types.js";
import { meantHost, originForm } from "./routing.js";

/*
 * Addresses of reports' pages whose host is not spelled as the directory spells it: with `www.`, in capitals, or as a
 * whole pasted address. They lead to the listing that they mean. The API takes canonical hosts alone.
 */

/** The headers of a redirect. It may end with the next snapshot, as a page may. */
const REDIRECT_HEADERS = { ...pageHeaders("sitemap", "", "", false), "Content-Length": "0" };

/** `Pages.redirect` */
export function redirectAnswer(location: string, isForBrowsers: boolean): Answer {
  const varied = isForBrowsers ? { Vary: "Accept, Accept-Encoding" } : {};
  // A header has no other characters. A client may send some of them in a query.
  const Location = location.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return { status: 308, headers: { ...REDIRECT_HEADERS, ...varied, Location }, body: null };
}

/** `Pages.misnamed` */
export async function misnamedPage(
  { name, parameter }: PageMatch,
  target: string,
  snapshot: SnapshotView,
): Promise<Answer | Failed> {
  const host = meantHost(parameter ?? "");
  if (host === null || host === parameter) return { status: 400, error: NOT_VALID };
  if ((await snapshot.listing(host)) === undefined) {
    return { status: 404, error: ERROR_TEXTS.noReport };
  }
  return redirectTo(PAGE_ROUTES[name].path.replace("/sites/{host}", host), target);
}

/** A path that has a web address after `/sites/`. Some proxies merge its slashes. */
const PASTED = /^\/sites\/(https?):\/+([^?]*)/i;

/** The host of the address that was pasted after `/sites/`; null if there is none. */
export function pastedIn(target: string): string | null {
  const [, scheme, rest] = PASTED.exec(originForm(target)) ?? [];
  const address = rest === undefined ? null : percentDecoded(rest);
  return address === null ? null : meantHost(`${scheme}://${address}`);
}

/** `Pages.pasted` */
export async function pastedPage(target: string, snapshot: SnapshotView): Promise<Answer | null> {
  const host = pastedIn(target);
  if (host === null || (await snapshot.listing(host)) === undefined) return null;
  return redirectTo(host, target.replace(/\?.*/s, ""));
}

/** @param path of a page, below `/sites/` @param target below `/sites/` too, with the query that the page gets */
function redirectTo(path: string, target: string): Answer {
  const [sent = "", ...query] = originForm(target).split("?");
  const up = "../".repeat(sent.split("/").length - 3);
  return redirectAnswer([up + path, ...query].join("?"), false);
}
