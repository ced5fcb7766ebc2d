import { ERROR_TEXTS } from "../contract/error.js";
import { meantHost, percentDecoded } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import { editDistance } from "../contract/near.js";
import { foldText } from "../contract/order.js";
import { firstPairs } from "../contract/query.js";
import { CACHE_CONTROL } from "../contract/routes.js";
import type { Engine } from "../engine/answering.js";
import {
  type ErrorSuggestions,
  errorPage,
  errorPageHeaders,
  lostPage,
  NOT_VALID,
  nothingPage,
} from "../pages/kit/error-page.js";
import { type NamedRoute, NEGOTIATED, PAGE_ROUTES, pageHeaders } from "../pages/kit/routes.js";
import { hostInScript } from "../pages/kit/words.js";
import { missingBadge } from "../pages/report/badge.js";
import { badgeLook } from "../pages/report/badge-look.js";
import { originForm } from "./address.js";
import { type Answer, type Failed, failureAnswer } from "./answer.js";
import { hostsOf } from "./bodies.js";
import type { SnapshotView } from "./content.js";
import type { PageMatch } from "./page-types.js";

/* Answers without content for people: pages in place of the contract's error body. */

const encoder = new TextEncoder();

/** Errors about one scan of a listing that has the report of another scan. */
const OTHER_SCAN: readonly string[] = [ERROR_TEXTS.noHistory, ERROR_TEXTS.noScan];

/** How many levels below `/api` an address may be for its error page; nobody mistypes a deeper one. */
const LEVELS_MAX = 4;
const LOST = new RegExp(`^/api(?:/[^/?]*){1,${LEVELS_MAX}}(?:\\?|$)`);
const LATER = "Please try again in a moment";

/** @param pages the routes of all pages; for the others, see `Pages` */
export async function failurePage(
  pages: readonly NamedRoute[],
  failed: Failed,
  match: PageMatch | null,
  target: string,
  snapshot: SnapshotView | null,
): Promise<Answer> {
  if (match?.page.name === "badge") return badgeAnswer(target, failed);
  const { status, error, headers } = failed;
  const isLost = match === null && LOST.test(target);
  if (match === null && /^\/api\//.test(target) && !isLost) return failureAnswer(failed);
  const host = match?.parameter ?? null;
  const hosts = {
    latest: OTHER_SCAN.includes(error) ? host : null,
    unlisted: match !== null && error === ERROR_TEXTS.noReport ? meantHost(host ?? "") : null,
  };
  // If the store has failed, asking it again would fail too.
  const found = await errorSuggestionsFrom(target, status < 500 ? snapshot : null, hosts);
  if (found === null) return failureAnswer(failed);
  const suggestions = { ...found, pages };
  let page =
    status === 404 ? nothingPage(error, suggestions) : nothingPage(error, suggestions, LATER);
  if (match?.page.name === "page") page = errorPage(error, suggestions);
  else if (isLost && status === 404) page = lostPage(error, suggestions);
  const body = encoder.encode(page);
  const own = {
    "Content-Type": PAGE_ROUTES.page.contentType,
    "Content-Length": `${body.length}`,
  };
  return { status, headers: { ...own, ...errorPageHeaders(), ...headers }, body };
}

/** The badge of a site without a report, with the look that the address asks for. */
function badgeAnswer(target: string, { status }: Failed): Answer {
  const [, query = ""] = originForm(target).split("?", 2);
  const body = encoder.encode(missingBadge(badgeLook(firstPairs(query))));
  const headers = {
    ...pageHeaders(PAGE_ROUTES.badge),
    "Cache-Control": CACHE_CONTROL.error,
    "Content-Type": PAGE_ROUTES.badge.contentType,
    "Content-Length": `${body.length}`,
  };
  return { status, headers, body };
}

type KnownHosts = Pick<ErrorSuggestions, "latest" | "unlisted">;

/* Where an error page leads: what the visitor was probably looking for, found in the address. */

/** How deep an address may be for its error page. The page's links repeat `../` for each level. */
const DEPTH_MAX = 16;
/** Endings of file names that no host has. */
const FILE_END = /\.(?:html?|php|aspx?|json|xml|txt)$/i;

/**
 * What an error page suggests at an address.
 * @param target the request target as sent: the browser resolves the page's links against it
 * @param snapshot null if there is none to look for sites in
 * @param hosts see `ErrorSuggestions`
 * @returns null if the address is too deep for a page
 */
async function errorSuggestionsFrom(
  target: string,
  snapshot: SnapshotView | null,
  hosts: KnownHosts,
): Promise<ErrorSuggestions | null> {
  const [path = ""] = originForm(target).split("?", 1);
  const segments = path.split("/").slice(1);
  if (segments.length > DEPTH_MAX) return null;
  const text = pastedIn(target) ?? soughtText(segments);
  const root = "../".repeat(segments.length - 1);
  const name = snapshot?.directory.name ?? "";
  const { publisher } = snapshot?.directory ?? {};
  const isSought = hosts.latest === null && snapshot !== null;
  const nearest = isSought ? await nearestHosts(text, await snapshot.engine) : [];
  return { root, name, text, nearest, publisher, ...hosts };
}

/** The words of an address, or its host: for `/sites/exmaple.com` "exmaple.com", for `/some-page` "some page". */
function soughtText(segments: readonly string[]): string {
  const [first, second, ...more] = segments.map((one) => percentDecoded(one) ?? "");
  const isSite = first === "sites" && second !== undefined;
  const last = [first, second, ...more].findLast((one) => one !== undefined && one !== "") ?? "";
  const part = isSite ? second : last.replace(FILE_END, "");
  const host = part.includes(".") ? meantHost(part) : null;
  const words = host ?? part.replace(/[^\p{L}\p{M}\p{N}.]+/gu, " ").trim();
  return [...words].slice(0, LIMITS.queryTextMax).join("").trim();
}

/** The end that many hosts share. */
const HOST_END = /(?<=\S)\.[^\s.]+$/;

/**
 * The hosts that a text is likely to mean, at most five. If the whole text finds none, its longest word is looked up.
 */
async function nearestHosts(text: string, engine: Engine): Promise<string[]> {
  const found = await hostsFor(text, engine);
  if (found.length > 0) return found;
  const words = text.replace(HOST_END, "").split(/[ .-]+/);
  const [longest = text] = words.sort((one, other) => other.length - one.length);
  if (longest === text) return [];
  return (await hostsFor(longest, engine)).filter((host) => isLike(host, longest));
}

/**
 * The hosts that are suggested for a text, or else those that a search finds with its first correction, if these are
 * like the text.
 */
async function hostsFor(text: string, engine: Engine): Promise<string[]> {
  if ([...text].length < LIMITS.suggestionTextMin) return [];
  const { summaries, didYouMean } = await engine.suggest(text);
  if (summaries.length > 0) return hostsOf(summaries);
  const [meant] = didYouMean ?? [];
  if (meant === undefined) return [];
  const corrected = hostsOf((await engine.suggest(meant, false)).summaries);
  return corrected.filter((host) => isLike(host, text.replace(HOST_END, "")));
}

/** The letters of a text for each one in which a host may differ. */
const EDITS_PER = 3;

/** Whether a host without its end, or one of its labels, is like a text. */
function isLike(host: string, text: string): boolean {
  const core = (hostInScript(host) ?? host).replace(HOST_END, "");
  const sought = plainLetters(hostInScript(text) ?? text);
  const bound = Math.floor((sought.length - 1) / EDITS_PER);
  return [core, ...core.split(".")].some(
    (one) => editDistance(sought, plainLetters(one), bound) <= bound,
  );
}

function plainLetters(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/*
 * Addresses of reports' pages whose host is not spelled as the directory spells it: with `www.`, in capitals, or as a
 * complete pasted address. They redirect to the listing that they mean. The API accepts canonical hosts only.
 */

/** The headers of a redirect. Like a page, it may change with the next snapshot. */
const REDIRECT_HEADERS = { ...pageHeaders(PAGE_ROUTES.sitemap), "Content-Length": "0" };

export function redirectAnswer(location: string, isForBrowsers = false): Answer {
  const varied = isForBrowsers
    ? { Vary: "Accept, Accept-Encoding", "Cache-Control": NEGOTIATED }
    : {};
  // A header cannot hold other characters. A client may send some of them in a query.
  const Location = location.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return { status: 308, headers: { ...REDIRECT_HEADERS, ...varied, Location }, body: null };
}

export async function misnamedPage(
  { page, parameter }: PageMatch,
  target: string,
  snapshot: SnapshotView,
): Promise<Answer | Failed> {
  const host = meantHost(parameter ?? "");
  if (host === null || host === parameter) return { status: 400, error: NOT_VALID };
  if ((await snapshot.listing(host)) === undefined) {
    return { status: 404, error: ERROR_TEXTS.noReport };
  }
  return redirectTo(page.path.replace("/sites/{host}", host), target);
}

/** A path that has a web address after `/sites/`. Some proxies merge its slashes. */
const PASTED = /^\/sites\/(https?):\/+([^?]*)/i;

/** The host of the address that was pasted after `/sites/`; null if there is none. */
function pastedIn(target: string): string | null {
  const [, scheme, rest] = PASTED.exec(originForm(target)) ?? [];
  const address = rest === undefined ? null : percentDecoded(rest);
  return address === null ? null : meantHost(`${scheme}://${address}`);
}

export async function pastedPage(target: string, snapshot: SnapshotView): Promise<Answer | null> {
  const host = pastedIn(target);
  if (host === null || (await snapshot.listing(host)) === undefined) return null;
  return redirectTo(host, target.replace(/\?.*/s, ""));
}

/** @param path the page's, below `/sites/` @param target the request's, below `/sites/`; the page gets its query */
function redirectTo(path: string, target: string): Answer {
  const [sent = "", ...query] = originForm(target).split("?");
  const up = "../".repeat(sent.split("/").length - 3);
  return redirectAnswer([up + path, ...query].join("?"));
}
