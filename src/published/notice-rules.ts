import { ListingFilters } from "../contract/query.js";
import type { Standards } from "../contract/standards.js";
import { parsedUrl } from "../contract/url.js";
import { isObject } from "./breaches.js";
import { type Finding, quote } from "./finding.js";
import { didYouMean } from "./nearest.js";
import { itemsOf, type Rules } from "./rules.js";

/*
 * What records may say and publishers seldom mean (`notices.ts`). As `Rules`, these look at parsed values
 * as they are and skip values of the wrong type. Findings with the same message are one warning, so a
 * message names the value and nothing else of its record.
 */

const STATUSES: ReadonlySet<string> = new Set(ListingFilters.shape.status.unwrap().options);

/** directory.json: a `baseUrl` to which the API's own `/api` was added already. */
export function* directoryNotices({
  baseUrl,
}: Readonly<Record<string, unknown>>): Generator<Finding> {
  if (typeof baseUrl !== "string" || !/\/api$/i.test(baseUrl)) return;
  const message = `found ${quote(baseUrl)}: addresses of the API begin with /api already, as in ${quote(`${baseUrl}/api/sites`)}`;
  yield { path: ["baseUrl"], at: "value", message };
}

/** A listing: a status that the search cannot filter by, an address on another host. */
export function* listingNotices({
  host,
  url,
  status,
  visibility = "listed",
}: Readonly<Record<string, unknown>>): Generator<Finding> {
  if (typeof status === "string" && visibility === "listed" && !STATUSES.has(status)) {
    const known = [...STATUSES].map(quote).join(" and ");
    const message = `found ${quote(status)}, which no filter of the search finds: it knows ${known}${didYouMean(status, STATUSES)}`;
    yield { path: ["status"], at: "value", message };
  }
  if (typeof host !== "string" || typeof url !== "string" || isOnHost(url, host)) return;
  const other = parsedUrl(url)?.hostname;
  if (other === undefined) return;
  const message = `found an address on ${quote(other)}, which is not the listing's host nor below it`;
  yield { path: ["url"], at: "value", message };
}

/** Whether an address is on a host or on one below it, such as `www.` or `shop.` of it. */
function isOnHost(url: string, host: string): boolean {
  // Nearly every address is written so, and need not be parsed.
  const prefix = `https://${host}`;
  if (url.startsWith(prefix) && (url.length === prefix.length || url[prefix.length] === "/")) {
    return true;
  }
  const name = parsedUrl(url)?.hostname.replace(/\.$/, "");
  return name === host || name?.endsWith(`.${host}`) === true;
}

/** A scan: checks that the standards do not have, points above their maximum. */
export function scanNotices(standards: Standards | null): Rules {
  const known = new Set(standards?.checks.map(({ id }) => id));
  return function* notices({ checks, fixes }) {
    if (standards !== null) {
      yield* unknownChecks("checks", checks, known);
      yield* unknownChecks("fixes", fixes, known);
    }
    for (const [place, check] of itemsOf(checks)) {
      if (!isObject(check) || !exceedsMaximum(check)) continue;
      const name = typeof check.checkId === "string" ? quote(check.checkId) : "a check";
      const message = `found more points for ${name} than its maxPoints`;
      yield { path: ["checks", place, "points"], at: "value", message };
    }
  };
}

function* unknownChecks(key: string, list: unknown, known: ReadonlySet<string>) {
  for (const [place, item] of itemsOf(list)) {
    const id = isObject(item) ? item.checkId : undefined;
    if (typeof id !== "string" || known.has(id)) continue;
    const message = `found ${quote(id)}, which is no check of standards.json${didYouMean(id, known)}`;
    yield { path: [key, place, "checkId"], at: "value", message } satisfies Finding;
  }
}

/** A penalty may have a maximum below 0, and no points where it does not apply. */
function exceedsMaximum({ points, maxPoints }: Readonly<Record<string, unknown>>): boolean {
  if (typeof points !== "number" || typeof maxPoints !== "number") return false;
  return points > maxPoints && maxPoints >= 0;
}
