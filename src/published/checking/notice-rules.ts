import { STATUS_FILTER } from "../../contract/filters.js";
import { parsedUrl } from "../../contract/host.js";
import type { Standards } from "../../contract/standards.js";
import { isObject } from "./breaches.js";
import { didYouMean, type Finding, NO_FINDINGS, type Path, quote } from "./finding.js";
import { itemsOf, type Rules } from "./rules.js";
import { TERM_LISTS } from "./schemas.js";

/*
 * Values that records may have but publishers seldom mean. Like all `Rules`, these look at
 * parsed values as they are and skip values of the wrong type. Findings with the same message become one
 * warning, so a message names nothing of the record but the value.
 */

const USUAL_STATUSES: ReadonlySet<string> = new Set(STATUS_FILTER.words);

/** directory.json: texts, and a `baseUrl` that already ends in the API's own `/api`. */
export function* directoryNotices({
  name,
  description,
  baseUrl,
}: Readonly<Record<string, unknown>>): Generator<Finding> {
  yield* lineNotices(["name"], name);
  yield* encodingNotices(["description"], description);
  if (typeof baseUrl !== "string" || !/\/api$/i.test(baseUrl)) return;
  const message =
    `found ${quote(baseUrl)}, but the API's addresses already begin with /api: this gives ` +
    `${quote(`${baseUrl}/api/sites`)}`;
  yield { path: ["baseUrl"], at: "value", message };
}

/** taxonomy.json: the names of its entries. */
export function* taxonomyNotices(record: Readonly<Record<string, unknown>>): Generator<Finding> {
  for (const { list } of TERM_LISTS) {
    for (const [index, entry] of itemsOf(record[list])) {
      if (isObject(entry)) yield* lineNotices([list, index, "name"], entry.name);
    }
  }
}

/** A listing: texts, a status that the search cannot filter by, or an address on another host. */
export function listingNotices({
  host,
  url,
  name,
  tagline,
  description,
  hosting,
  status,
  visibility = "listed",
}: Readonly<Record<string, unknown>>): readonly Finding[] {
  const findings: Finding[] = [
    ...lineNotices(["name"], name),
    ...lineNotices(["tagline"], tagline),
    ...encodingNotices(["description"], description),
    ...lineNotices(["hosting"], hosting),
  ];
  if (typeof status === "string" && visibility === "listed" && !USUAL_STATUSES.has(status)) {
    const known = [...USUAL_STATUSES].map(quote).join(" and ");
    const message =
      `found ${quote(status)}, which the search cannot filter by: it knows only ` +
      `${known}${didYouMean(status, USUAL_STATUSES)}`;
    findings.push({ path: ["status"], at: "value", message });
  }
  const other = typeof host === "string" && typeof url === "string" ? otherHost(url, host) : null;
  if (other !== null) {
    const message = `found an address on ${quote(other)}, which is neither the listing's host nor a subdomain of it`;
    findings.push({ path: ["url"], at: "value", message });
  }
  return findings.length === 0 ? NO_FINDINGS : findings;
}

/** The host of an address; null if it is the given host or a subdomain, such as `www.` or `shop.`. */
function otherHost(url: string, host: string): string | null {
  // Nearly every address begins like this, and needs no parsing.
  const prefix = `https://${host}`;
  if (url.startsWith(prefix) && (url.length === prefix.length || url[prefix.length] === "/")) {
    return null;
  }
  const name = parsedUrl(url)?.hostname.replace(/\.$/, "") ?? host;
  return name === host || name.endsWith(`.${host}`) ? null : name;
}

/** How far a scan may be ahead of this machine's clock, in milliseconds: clocks differ, and zones may be left out. */
const AHEAD_MAX = 24 * 60 * 60 * 1_000;

/**
 * A scan: a time in the future, checks that are not in the standards, and points above their maximum.
 * @param now milliseconds since 1970
 */
export function scanNotices(standards: Standards | null, now = Number.POSITIVE_INFINITY): Rules {
  const known = new Set(standards?.checks.map(({ id }) => id));
  const isUnknown = (item: unknown): item is { readonly checkId: string } =>
    standards !== null &&
    isObject(item) &&
    typeof item.checkId === "string" &&
    !known.has(item.checkId);
  const isOdd = (check: unknown) => isUnknown(check) || exceedsMaximum(check);
  const isAhead = (time: unknown): time is string =>
    typeof time === "string" && Date.parse(time) > now + AHEAD_MAX;
  function* notices({
    finishedAt,
    checks,
    fixes,
  }: Readonly<Record<string, unknown>>): Generator<Finding> {
    if (isAhead(finishedAt)) {
      const message = `found ${quote(finishedAt)}, which is in the future by this machine's clock`;
      yield { path: ["finishedAt"], at: "value", message };
    }
    for (const [list, items] of Object.entries({ checks, fixes })) {
      for (const [index, item] of itemsOf(items)) {
        if (!isUnknown(item)) continue;
        const { checkId } = item;
        const message = `found ${quote(checkId)}, which is not a check in standards.json${didYouMean(checkId, known)}`;
        yield { path: [list, index, "checkId"], at: "value", message };
      }
    }
    for (const [index, check] of itemsOf(checks)) {
      if (!exceedsMaximum(check)) continue;
      const name = typeof check.checkId === "string" ? quote(check.checkId) : "a check";
      const message = `found more points for ${name} than its maxPoints`;
      yield { path: ["checks", index, "points"], at: "value", message };
    }
  }
  return (scan) =>
    isAhead(scan.finishedAt) || hasAny(scan.checks, isOdd) || hasAny(scan.fixes, isUnknown)
      ? notices(scan)
      : NO_FINDINGS;
}

function hasAny(list: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(list) && list.some(test);
}

/** Whether a check has more points than its maximum. A penalty may have a maximum below 0, and no points. */
function exceedsMaximum(check: unknown): check is Readonly<Record<string, unknown>> {
  if (!isObject(check)) return false;
  const { points, maxPoints } = check;
  if (typeof points !== "number" || typeof maxPoints !== "number") return false;
  return points > maxPoints && maxPoints >= 0;
}

/** The characters that bytes 0x80 to 0xbf become if they are read as Latin-1 or as Windows-1252. */
const TAIL = "[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]";

/**
 * UTF-8 that was read as Latin-1 or Windows-1252, such as `Ã©` for é, `â€™` for an apostrophe, `ðŸ` of an emoji, or two
 * letters of another script. After a capital, Ã and Â may be letters, as in `IRMÃ”`.
 */
const MOJIBAKE = new RegExp(
  `(?<!\\p{Lu})[ÂÃ]${TAIL}|â[\\u0080\\u0082\\u0084€‚„]${TAIL}|ð[\\u009fŸ]|ï(?:»¿|¿½)|(?:[Â-ß]${TAIL}){2}`,
  "u",
);

const TAG =
  /<\/?(a|abbr|b|big|blockquote|br|center|code|div|em|font|h[1-6]|hr|i|iframe|img|li|ol|p|pre|s|script|small|span|strong|style|sub|sup|svg|table|td|th|tr|tt|u|ul)(?=[\s/>])[^<>]*>/i;
const ENTITY =
  /&(?:amp|lt|gt|quot|apos|nbsp|copy|reg|trade|hellip|[mn]dash|[lr][sd]quo|[lr]aquo|bull|middot|euro|pound|deg|[a-z]{1,2}(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron|lig)|#\d{1,7}|#x[\da-f]{1,6});/i;

/** A text that was read in the wrong encoding. Values that are not texts get no notices. */
function* encodingNotices(path: Path, text: unknown): Generator<Finding> {
  const found = typeof text === "string" ? MOJIBAKE.exec(text)?.[0] : undefined;
  if (found === undefined) return;
  const message =
    `found ${quote(found)}, which looks like UTF-8 that was read as Latin-1 or Windows-1252: read it ` +
    "as UTF-8";
  yield { path, at: "value", message };
}

/** A text of one line that has HTML, or was read in the wrong encoding. */
function* lineNotices(path: Path, text: unknown): Generator<Finding> {
  yield* encodingNotices(path, text);
  if (typeof text !== "string") return;
  const tag = TAG.exec(text)?.[1];
  const found = tag === undefined ? ENTITY.exec(text)?.[0] : `<${tag}>`;
  if (found === undefined) return;
  const message = `found ${quote(found)}, but this is plain text: readers see HTML as it is written`;
  yield { path, at: "value", message };
}
