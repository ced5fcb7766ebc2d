import { byCodeUnit } from "../../contract/order.js";
import type { RankedSite } from "../../pages/categories/category-page.js";
import { csvText } from "../../pages/kit/escape.js";
import type { NamedCheck } from "../../pages/kit/quote.js";
import { counted, numberOf } from "../../pages/kit/words.js";
import type { PartialChecks } from "./partial.js";

/*
 * Which sites pass which checks, from the listings' summaries and tables: no report is read. These say which sites pass
 * a check, and to which it does not apply. The snapshot says which sites pass it in part.
 */

export type CheckMark = "pass" | "warn" | "fail" | "na";

/** A site of a matrix. */
export interface MatrixSite extends RankedSite {
  /** The checks that it passes in part. */
  readonly partial: readonly string[];
}

export function matrixSites(
  sites: readonly RankedSite[],
  partial: PartialChecks | null,
): MatrixSite[] {
  return sites.map((one) => ({ ...one, partial: partial?.get(one.site.host) ?? [] }));
}

export function checkMark({ site, exempt, partial }: MatrixSite, id: string): CheckMark {
  if (site.capabilities.includes(id)) return "pass";
  if (exempt.includes(id)) return "na";
  return partial.includes(id) ? "warn" : "fail";
}

/** The sites that a matrix shows: those to which a check applies and that pass it in full, or not. */
export interface MatrixFilter {
  readonly name: "fails" | "passes";
  readonly check: string;
}

/** What the matrix shows, and in which order. */
export interface MatrixState {
  /** Null if all sites are shown. */
  readonly filter: MatrixFilter | null;
  /** `score`, `score-asc`, `host`, the id of a check (sites that fail it come first), or `-` and the id (last). */
  readonly sort: string;
  /** Whether the columns of extras are shown; null if the width of all columns decides. */
  readonly extras: boolean | null;
  /** Whether a small screen shows the table in place of a list. */
  readonly table: boolean;
}

const MATRIX_SORTS = ["score", "score-asc", "host"];
const FILTER_NAMES = ["fails", "passes"] as const;

/** The text that stands for a filter in an address and in the form. */
export function filterText({ name, check }: MatrixFilter): string {
  return new URLSearchParams([[name, check]]).toString();
}

/**
 * Reads the query of the matrix's address. Drops checks that the matrix does not have. The form sends the filter as one
 * value, `sites=passes%3Dhttps`.
 */
export function readMatrix(query: string, checkIds: readonly string[]): MatrixState {
  const given = new URLSearchParams(query);
  const asked = new URLSearchParams(given.get("sites") ?? query);
  const [filter = null] = FILTER_NAMES.flatMap((name): MatrixFilter[] => {
    const check = asked.get(name) ?? "";
    return checkIds.includes(check) ? [{ name, check }] : [];
  });
  const sort = given.get("sort") ?? "";
  const extras = given.get("extras");
  return {
    filter,
    sort: MATRIX_SORTS.includes(sort) || checkIds.includes(checkOfSort(sort)) ? sort : "score",
    extras: extras === "1" || extras === "0" ? extras === "1" : null,
    table: given.get("table") === "1",
  };
}

/** The query of a state, with its `?`; "" for all sites by score. */
export function matrixQuery({ filter, sort, extras, table }: MatrixState): string {
  const query = new URLSearchParams(filter === null ? "" : filterText(filter));
  if (sort !== "score") query.set("sort", sort);
  if (extras !== null) query.set("extras", extras ? "1" : "0");
  if (table) query.set("table", "1");
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** The check by which an order sorts. */
function checkOfSort(sort: string): string {
  return sort.replace(/^-/, "");
}

/**
 * The order that the head of a column leads to. That of a check leads to the sites that do not pass it, then to those
 * that do, then to the usual order.
 */
export function sortAfter({ sort }: MatrixState, column: string): string {
  if (column === "score") return sort === "score" ? "score-asc" : "score";
  if (sort !== column) return sort === `-${column}` ? "score" : column;
  return column === "host" ? "score" : `-${column}`;
}

/** The value of `aria-sort` of a column; null if the rows are not in its order. */
export function ariaSort({ sort }: MatrixState, column: string): string | null {
  if ((column === "score" && sort === "score") || sort === `-${column}`) return "descending";
  return sort === column || (column === "score" && sort === "score-asc") ? "ascending" : null;
}

/** The facts by which rows are ordered and filtered: the server reads them from sites, the script from the table. */
export interface MatrixRow {
  /** The row's index in the order of falling scores. */
  readonly index: number;
  readonly host: string;
  readonly mark: (check: string) => CheckMark | null;
}

/** Sites that do not pass come first, or last. Those to which the check does not apply are always at the end. */
const MARK_ORDER: readonly (CheckMark | null)[] = ["fail", "warn", "pass", "na", null];
const PASSING_FIRST: typeof MARK_ORDER = ["pass", "warn", "fail", "na", null];

/** The order of the rows in a state. */
export function matrixOrder<T extends MatrixRow>(rows: readonly T[], { sort }: MatrixState): T[] {
  const byIndex = (a: T, b: T) => a.index - b.index;
  if (sort === "score") return rows.toSorted(byIndex);
  if (sort === "score-asc") return rows.toSorted((a, b) => b.index - a.index);
  if (sort === "host") return rows.toSorted((a, b) => byCodeUnit(a.host, b.host));
  const check = checkOfSort(sort);
  const marks = check === sort ? MARK_ORDER : PASSING_FIRST;
  const rank = (row: T) => marks.indexOf(row.mark(check));
  return rows.toSorted((a, b) => rank(a) - rank(b) || byIndex(a, b));
}

/** Whether a state shows a row. */
export function isInMatrix({ mark }: MatrixRow, { filter }: MatrixState): boolean {
  if (filter === null) return true;
  const own = mark(filter.check);
  return filter.name === "passes" ? own === "pass" : own === "fail" || own === "warn";
}

/** How many sites have each mark for a check. */
export type MarkCounts = Readonly<Record<CheckMark, number>>;

export function markCounts(rows: readonly Pick<MatrixRow, "mark">[], check: string): MarkCounts {
  const counts = { pass: 0, warn: 0, fail: 0, na: 0 };
  for (const { mark } of rows) counts[mark(check) ?? "na"] += 1;
  return counts;
}

/** `8 sites do not pass in full: 3 in part, 5 not at all`. */
export function notPassedText({ warn, fail }: MarkCounts): string {
  const all = warn + fail;
  return all === 0 ? "No site fails" : notPassing(counted(all, "site"), { warn, fail }, "");
}

/** @param those which sites @param what the check, in quotation marks after a space; "" if it is clear */
function notPassing(
  those: string,
  { warn, fail }: Pick<MarkCounts, "warn" | "fail">,
  what: string,
): string {
  const isOne = warn + fail === 1;
  if (fail === 0 && warn > 0) return `${those} ${isOne ? "passes" : "pass"}${what} only in part`;
  const text = `${those} ${isOne ? "does" : "do"} not pass${what}`;
  return warn === 0
    ? text
    : `${text} in full: ${numberOf(warn)} in part, ${numberOf(fail)} not at all`;
}

/** What a state shows, in words; "" for all sites by score. @param nameOf the name of a check */
export function stateText(
  { filter, sort }: MatrixState,
  rows: readonly MatrixRow[],
  nameOf: (check: string) => string,
): string {
  const sorting = MATRIX_SORTS.includes(sort) ? null : checkOfSort(sort);
  const order =
    sorting === null
      ? ""
      : `Sites that ${sorting === sort ? "do not pass" : "pass"} “${nameOf(sorting)}” come first.`;
  if (filter === null) return order;
  const shown = `${filteredText(filter, markCounts(rows, filter.check), nameOf)}.`;
  return sorting !== null && sorting !== filter.check ? `${shown} ${order}` : shown;
}

function filteredText(
  { name, check }: MatrixFilter,
  counts: MarkCounts,
  nameOf: (check: string) => string,
): string {
  const { pass, warn, fail } = counts;
  const what = ` “${nameOf(check)}”`;
  const of = (some: number) => `${numberOf(some)} of ${counted(pass + warn + fail, "site")}`;
  if (name === "fails") return notPassing(of(warn + fail), counts, what);
  return `${of(pass)} ${pass === 1 ? "passes" : "pass"}${what}`;
}

const MARK_WORDS: Readonly<Record<CheckMark, string>> = {
  pass: "pass",
  warn: "passed in part",
  fail: "not passed",
  na: "does not apply",
};

/** The matrix as CSV, a row for each site. */
export function matrixCsv(sites: readonly MatrixSite[], checks: readonly NamedCheck[]): string {
  const head = ["rank", "host", "name", "score", "band", "scoreVersion", "scannedAt"];
  return csvText(
    [...head, ...checks.map(({ id }) => id)],
    sites.map((one) => {
      const { host, name, latestScore, latestBand, latestScoreVersion, latestScannedAt } = one.site;
      return [
        one.rank?.rank ?? null,
        host,
        name,
        latestScore,
        latestBand,
        latestScoreVersion,
        latestScannedAt,
        ...checks.map(({ id }) => MARK_WORDS[checkMark(one, id)]),
      ];
    }),
  );
}
