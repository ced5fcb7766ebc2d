import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { bandHolding } from "../../contract/bands.js";
import { STATUS_FILTER } from "../../contract/filters.js";
import { currentSlug, type FormerSlugs, slugsBefore } from "../../contract/former.js";
import { parsedUrl } from "../../contract/host.js";
import type { Band, Standards } from "../../contract/standards.js";
import { isObject } from "../../contract/values.js";
import { PACKAGE_FOLDER } from "../../files/paths.js";
import { isErrorCode, isWarningCode, type ProblemCode, WARNING_CODES } from "./codes.js";
import {
  describeValue,
  didYouMean,
  type Finding,
  formatPath,
  NO_FINDINGS,
  type Path,
  quote,
} from "./problem.js";
import type { RecordChecks } from "./record.js";
import { type FormerRubric, Listing, Scan, type Taxonomy, TERM_LISTS } from "./schemas.js";

/**
 * Rules that no schema of a single value can express. They look at the parsed values as
 * they are, so that a record that also breaks its schema gets all its errors together. They skip values of the
 * wrong type.
 */
export type Rules = (record: Readonly<Record<string, unknown>>) => Iterable<Finding>;

/** directory.json: `accept` has codes of warnings. */
export function* directoryRules({ accept }: Readonly<Record<string, unknown>>): Generator<Finding> {
  for (const [index, code] of itemsOf(accept)) {
    if (isWarningCode(code)) continue;
    const text = typeof code === "string" ? code : "";
    const why = isErrorCode(text) ? ": errors cannot be accepted" : didYouMean(text, WARNING_CODES);
    const expected = `the code of a warning${why}`;
    yield unexpected("accept-wrong", ["accept", index], code, expected);
  }
}

/**
 * standards.json: ids and versions are unique, `related` checks exist, the bands of each rubric cover 0 to 100 exactly
 * once.
 */
export function* standardsRules(record: Readonly<Record<string, unknown>>): Generator<Finding> {
  const { rubric, formerRubrics, checks, crawlerCatalogue } = record;
  yield* repeats(checks, ["checks"], "id", "formerly");
  yield* repeats(crawlerCatalogue, ["crawlerCatalogue"], "id");
  const ids = [...checkIds(checks)];
  for (const [index, check] of itemsOf(checks)) {
    if (!isObject(check)) continue;
    for (const [at, id] of itemsOf(check.related)) {
      if (typeof id !== "string" || ids.includes(id)) continue;
      const path = ["checks", index, "related", at];
      const now = nowCalled(checks, "id", id);
      const hint = now === undefined ? didYouMean(id, ids) : `; it is called ${quote(now)} now`;
      yield unexpected("related-unknown", path, id, `the id of a check${hint}`);
    }
  }
  yield* bandsRules(rubric, ["rubric"]);
  yield* repeats(formerRubrics, ["formerRubrics"], "version");
  for (const [index, former] of itemsOf(formerRubrics)) {
    const path = ["formerRubrics", index];
    yield* bandsRules(former, path);
    if (!isObject(former) || !isObject(rubric) || former.version !== rubric.version) continue;
    yield unexpected(
      "id-repeated",
      [...path, "version"],
      former.version,
      "a version other than the rubric's",
    );
  }
}

/** The bands of a rubric. */
function* bandsRules(rubric: unknown, path: Path): Generator<Finding> {
  if (!isObject(rubric)) return;
  yield* repeats(rubric.bands, [...path, "bands"], "band");
  yield* coverage(rubric.bands, [...path, "bands"]);
}

function* checkIds(checks: unknown): Generator<string> {
  for (const [, check] of itemsOf(checks)) {
    if (isObject(check) && typeof check.id === "string") yield check.id;
  }
}

/** The name of the entry that lists a text as a former one. @param key of the entry's name */
function nowCalled(entries: unknown, key: string, text: string): string | undefined {
  for (const [, entry] of itemsOf(entries)) {
    if (!isObject(entry) || !Array.isArray(entry.formerly)) continue;
    const name = entry[key];
    if (typeof name === "string" && entry.formerly.includes(text)) return name;
  }
  return undefined;
}

const BANDS = "bands-incomplete";

/** Checks that bands cover 0 to 100 without gap or overlap, in any order. */
function* coverage(bands: unknown, path: Path): Generator<Finding> {
  if (!Array.isArray(bands)) return;
  const bounds = bands.map((band, index) => ({ ...boundsOf(band), index }));
  if (!bounds.every(({ min, max }) => Number.isInteger(min) && Number.isInteger(max))) return;
  const inOrder = bounds.toSorted((a, b) => a.min - b.min || a.max - b.max);
  let next = 0;
  for (const { min, max, index } of inOrder) {
    if (min > max) {
      yield unexpected(BANDS, [...path, index, "max"], max, `at least the band's min, ${min}`);
      return;
    }
    if (min !== next) {
      const expected = next > 100 ? "no band above the one that ends at 100" : `${next}`;
      const why = min < next ? "bands overlap" : "bands leave a gap";
      yield unexpected(BANDS, [...path, index, "min"], min, `${expected}: ${why}`);
      return;
    }
    next = max + 1;
  }
  if (next === 101) return;
  const last = inOrder.at(-1);
  if (last === undefined) {
    yield { code: BANDS, path, message: "found no band, expected bands that cover 0 to 100" };
  } else {
    yield unexpected(BANDS, [...path, last.index, "max"], last.max, "100: bands leave a gap");
  }
}

function boundsOf(band: unknown): Pick<Band, "min" | "max"> {
  const { min, max } = isObject(band) ? band : {};
  return {
    min: typeof min === "number" ? min : Number.NaN,
    max: typeof max === "number" ? max : Number.NaN,
  };
}

/** taxonomy.json: slugs are unique within their list, with those that entries had before. */
export function* taxonomyRules(record: Readonly<Record<string, unknown>>): Generator<Finding> {
  for (const { list } of TERM_LISTS) yield* repeats(record[list], [list], "slug", "formerly");
}

/** How many characters the name of a category, tag or platform may have to be recognized. */
const NAME_MAX = 200;

/** A listing: its category, tags and platforms are in the taxonomy; inactive ones count. */
function listingRules(taxonomy: Taxonomy | null): Rules {
  if (taxonomy === null) return () => [];
  const lists = TERM_LISTS.map(({ key, list, noun }) => {
    const entries: readonly Taxonomy["platforms"][number][] = taxonomy[list];
    const slugs = entries.map(({ slug }) => [bareName(slug), slug] as const);
    // Publishers write names where slugs belong. An entry's own slug takes precedence over another entry's name.
    const named = new Map([
      ...entries.map((one) => [bareName(one.name), one.slug] as const),
      ...slugs,
    ]);
    return {
      key,
      noun,
      named,
      known: new Set(entries.flatMap(({ slug, formerly }) => [slug, ...formerly])),
    };
  });
  return function* rules(record) {
    for (const { key, noun, named, known } of lists) {
      for (const [path, text] of textsAt(record, key)) {
        if (known.has(text)) continue;
        const slug = text.length <= NAME_MAX ? named.get(bareName(text)) : undefined;
        const hint =
          slug === undefined ? didYouMean(text, known) : `; did you mean ${quote(slug)}?`;
        yield unexpected(
          "slug-unknown",
          path,
          text,
          `the slug of a ${noun} in taxonomy.json${hint}`,
        );
      }
    }
  };
}

/** A name in lower case, without punctuation. */
function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The text under a key, or each text in the array under it, with its path. */
function* textsAt(
  record: Readonly<Record<string, unknown>>,
  key: string,
): Generator<[Path, string]> {
  const value = record[key];
  if (typeof value === "string" && key === "category") yield [[key], value];
  for (const [index, item] of itemsOf(value)) {
    if (typeof item === "string") yield [[key, index], item];
  }
}

/** A scan: check ids are unique, a moved scan has the right fields, the band fits the rubric. */
function scanRules(standards: Standards | null, former: FormerSlugs | undefined): Rules {
  return function* rules(record) {
    yield* repeats(record.checks, ["checks"], "checkId");
    if (former !== undefined) yield* repeatsRenamed(record.checks, former);
    if (record.status === "moved") yield* movedRules(record);
    if (standards !== null) yield* bandRules(record, standards.rubric);
  };
}

const MOVED = "moved-wrong";

function* movedRules({ score, redirect }: Readonly<Record<string, unknown>>): Generator<Finding> {
  if (score !== undefined && score !== null) {
    yield unexpected(MOVED, ["score"], score, 'null, because the status is "moved"');
  }
  if (redirect === undefined) {
    const message = 'is missing, expected an object, because the status is "moved"';
    yield { code: MOVED, path: ["redirect"], at: "object", message };
  } else if (redirect === null) {
    yield unexpected(MOVED, ["redirect"], redirect, 'an object, because the status is "moved"');
  }
}

function* bandRules(
  { score, band, scoreVersion }: Readonly<Record<string, unknown>>,
  rubric: Standards["rubric"],
): Generator<Finding> {
  if (scoreVersion !== rubric.version) return;
  if (typeof score !== "number" || typeof band !== "string") return;
  const expected = bandHolding(score, rubric);
  if (expected === undefined || expected === band) return;
  yield unexpected(
    "band-wrong",
    ["band"],
    band,
    `${quote(expected)}, the band of score ${score} in rubric ${quote(rubric.version)}`,
  );
}

/** Finds results of one check under its id and under a former one, of which only one can be served. */
function* repeatsRenamed(checks: unknown, former: FormerSlugs): Generator<Finding> {
  const ids = new Set<unknown>();
  for (const [, check] of itemsOf(checks)) if (isObject(check)) ids.add(check.checkId);
  for (const [index, check] of itemsOf(checks)) {
    if (!isObject(check) || typeof check.checkId !== "string") continue;
    const { checkId } = check;
    const now = currentSlug("capability", checkId, former);
    if (now === checkId) continue;
    const others = slugsBefore("capability", now, former);
    const other = [now, ...others.slice(0, others.indexOf(checkId))].find((id) => ids.has(id));
    if (other === undefined) continue;
    const message =
      `found ${quote(checkId)}, which is called ${quote(now)} now, beside ${quote(other)}: ` +
      "a scan has one result of a check; remove one of them";
    yield { code: "id-repeated", path: ["checks", index, "checkId"], message };
  }
}

/**
 * Finds objects in a list whose text under a key repeats that of an earlier object.
 * @param formerKey the key of further texts of an object, which are unique, too. Default: there are none
 */
function* repeats(list: unknown, path: Path, key: string, formerKey?: string): Generator<Finding> {
  const first = new Map<string, Path>();
  const repeat = (id: unknown, place: Path): Finding | null => {
    if (typeof id !== "string") return null;
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, place);
      return null;
    }
    const message = `found ${quote(id)} a second time; the first is ${formatPath(earlier)}`;
    const isFormer = [place, earlier].some((one) => one.length > path.length + 2);
    return isFormer
      ? { code: "former-slug-taken", path: place, message: message + FORMER_REMEDY }
      : { code: "id-repeated", path: place, message };
  };
  for (const [index, item] of itemsOf(list)) {
    if (!isObject(item)) continue;
    const found = repeat(item[key], [...path, index, key]);
    if (found !== null) yield found;
  }
  if (formerKey === undefined) return;
  for (const [index, item] of itemsOf(list)) {
    for (const [at, id] of itemsOf(isObject(item) ? item[formerKey] : undefined)) {
      const found = repeat(id, [...path, index, formerKey, at]);
      if (found !== null) yield found;
    }
  }
}

const FORMER_REMEDY =
  "; a former name leads to one entry: take it out of `formerly`, or remove the entry that still has it";

function unexpected(code: ProblemCode, path: Path, value: unknown, expected: string): Finding {
  return { code, path, message: `found ${describeValue(value)}, expected ${expected}` };
}

/** The items of an array with their indexes; none if the value is not an array. */
function* itemsOf(list: unknown): Generator<[number, unknown]> {
  if (Array.isArray(list)) yield* list.entries();
}

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
  yield { code: "base-url-doubled", path: ["baseUrl"], message };
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
function listingNotices({
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
    findings.push({ code: "status-unusual", path: ["status"], message });
  }
  const other = typeof host === "string" && typeof url === "string" ? otherHost(url, host) : null;
  if (other !== null) {
    const message = `found an address on ${quote(other)}, which is neither the listing's host nor a subdomain of it`;
    findings.push({ code: "url-elsewhere", path: ["url"], message });
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
 * A scan: a time in the future, checks that are not in the standards, points above their maximum, and another band than
 * that of the former rubric that scored it.
 */
function scanNotices({
  standards,
  formerRubrics = [],
  former,
  now = Number.POSITIVE_INFINITY,
}: CheckingDocuments): Rules {
  const ids = standards?.checks.map(({ id }) => id) ?? [];
  const known = new Set([...ids, ...Object.keys(former?.capability ?? {})]);
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
      yield { code: "scan-in-future", path: ["finishedAt"], message };
    }
    for (const [list, items] of Object.entries({ checks, fixes })) {
      for (const [index, item] of itemsOf(items)) {
        if (!isUnknown(item)) continue;
        const { checkId } = item;
        const message = `found ${quote(checkId)}, which is not a check in standards.json${didYouMean(checkId, known)}`;
        yield { code: "check-unknown", path: [list, index, "checkId"], message };
      }
    }
    for (const [index, check] of itemsOf(checks)) {
      if (!exceedsMaximum(check)) continue;
      const name = typeof check.checkId === "string" ? quote(check.checkId) : "a check";
      const message = `found more points for ${name} than its maxPoints`;
      yield { code: "points-above-maximum", path: ["checks", index, "points"], message };
    }
  }
  return (scan) => {
    const bands = formerBandNotices(scan, formerRubrics);
    return isAhead(scan.finishedAt) || hasAny(scan.checks, isOdd) || hasAny(scan.fixes, isUnknown)
      ? [...bands, ...notices(scan)]
      : bands;
  };
}

/** A band that differs from that of the former rubric. It stays: bands may have moved within a version. */
function formerBandNotices(
  { score, band, scoreVersion }: Readonly<Record<string, unknown>>,
  rubrics: readonly FormerRubric[],
): readonly Finding[] {
  if (typeof score !== "number" || typeof band !== "string") return NO_FINDINGS;
  const former = rubrics.find(({ version }) => version === scoreVersion);
  const other = former && bandHolding(score, former);
  if (former === undefined || other === undefined || other === band) return NO_FINDINGS;
  const message =
    `found ${quote(band)}, but the former rubric ${quote(former.version)} gives this score the band ` +
    `${quote(other)}; the scan keeps its own`;
  return [{ code: "band-unlike-rubric", path: ["band"], message }];
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
export const MOJIBAKE = new RegExp(
  [
    `(?<!\\p{Lu})[ÂÃ]${TAIL}`,
    `â[\\u0080\\u0082\\u0084€‚„]${TAIL}`,
    "ð[\\u009fŸ]",
    "ï(?:»¿|¿½)",
    `(?:[Â-ß]${TAIL}){2}`,
  ].join("|"),
  "u",
);

/** The elements of HTML that texts of other systems have. */
const ELEMENTS = [
  "a|abbr|b|big|blockquote|br|center|code|div|em|font|h[1-6]|hr|i|iframe|img|li|ol|p|pre|s|script",
  "small|span|strong|style|sub|sup|svg|table|td|th|tr|tt|u|ul",
].join("|");
export const TAG = new RegExp(`<\\/?(${ELEMENTS})(?=[\\s/>])[^<>]*>`, "i");

/** The names and numbers of the character references of HTML that texts of other systems have. */
const REFERENCES = [
  "amp|lt|gt|quot|apos|nbsp|copy|reg|trade|hellip|[mn]dash|[lr][sd]quo|[lr]aquo|bull|middot|euro|pound|deg",
  "[a-z]{1,2}(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron|lig)",
  "#\\d{1,7}",
  "#x[\\da-f]{1,6}",
].join("|");
export const ENTITY = new RegExp(`&(?:${REFERENCES});`, "i");

/** A text that was read in the wrong encoding. Values that are not texts get no notices. */
function* encodingNotices(path: Path, text: unknown): Generator<Finding> {
  const found = typeof text === "string" ? MOJIBAKE.exec(text)?.[0] : undefined;
  if (found === undefined) return;
  const message =
    `found ${quote(found)}, which looks like UTF-8 that was read as Latin-1 or Windows-1252: read it ` +
    "as UTF-8";
  yield { code: "text-misread", path, message };
}

/** A text of one line that has HTML, or was read in the wrong encoding. */
function* lineNotices(path: Path, text: unknown): Generator<Finding> {
  yield* encodingNotices(path, text);
  if (typeof text !== "string") return;
  const tag = TAG.exec(text)?.[1];
  const found = tag === undefined ? ENTITY.exec(text)?.[0] : `<${tag}>`;
  if (found === undefined) return;
  const message = `found ${quote(found)}, but this is plain text: readers see HTML as it is written`;
  yield { code: "html-in-text", path, message };
}

/* Placeholders of `crawldex init` and `crawldex import` that nobody has replaced: they would be published as facts. */

/** The keys of each document that have placeholders. */
const PLACEHOLDERS = {
  "directory.json": ["name", "baseUrl", "description"],
  "standards.json": ["rubric", "checks"],
} as const;

/** A warning at the first key of a document that has the value that `crawldex init` writes. */
export function templateNotices(document: keyof typeof PLACEHOLDERS): Rules {
  return (record) => {
    const template = templateOf(document);
    const left = PLACEHOLDERS[document].filter(
      (key) => key in record && isDeepStrictEqual(record[key], template[key]),
    );
    const [first] = left;
    if (first === undefined) return NO_FINDINGS;
    const message = `is still what crawldex init and import write (${left.join(", ")}); replace it before you publish`;
    return [{ code: "template-left", path: [first], message }] satisfies Finding[];
  };
}

const templates = new Map<string, Readonly<Record<string, unknown>>>();

function templateOf(document: string): Readonly<Record<string, unknown>> {
  const known = templates.get(document);
  if (known !== undefined) return known;
  const path = join(PACKAGE_FOLDER, "sample/minimal", document);
  const template: unknown = JSON.parse(readFileSync(path, "utf8"));
  const read = isObject(template) ? template : {};
  templates.set(document, read);
  return read;
}

/** The documents that records are checked against. A bad document is null. */
export interface CheckingDocuments {
  readonly standards: Standards | null;
  /** The rubrics of earlier versions that are known. Default: none. */
  readonly formerRubrics?: readonly FormerRubric[] | undefined;
  readonly taxonomy: Taxonomy | null;
  /** The slugs and ids that terms had before. Default: none was renamed. */
  readonly former?: FormerSlugs | undefined;
  /** Milliseconds since 1970. Scans more than a day later get a warning. If left out, none does. */
  readonly now?: number | undefined;
}

/**
 * The listing's keys that decide how much of it is published. If one occurs twice, the dropped value may be the one
 * that withholds the listing.
 */
const DECISIVE: ReadonlySet<string> = new Set(["visibility", "entitlements"]);

export function listingChecks({ taxonomy }: CheckingDocuments): RecordChecks<Listing> {
  return {
    schema: Listing,
    rules: listingRules(taxonomy),
    unambiguous: DECISIVE,
    notices: listingNotices,
  };
}

export function scanChecks(documents: CheckingDocuments): RecordChecks<Scan> {
  return {
    schema: Scan,
    rules: scanRules(documents.standards, documents.former),
    notices: scanNotices(documents),
  };
}
