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

/** What the matrix shows, and in which order. */
export interface MatrixState {
  /** A check that applies to all shown sites, but that none of them passes in full; null if all sites are shown. */
  readonly fails: string | null;
  /** `score`, `score-asc`, `host`, or the id of a check: sites that fail it come first. */
  readonly sort: string;
  /** Whether the columns of extras are shown. */
  readonly extras: boolean;
  /** Whether a small screen shows the table in place of a list. */
  readonly table: boolean;
}

const MATRIX_SORTS = ["score", "score-asc", "host"];

/** Reads the query of the matrix's address. Drops checks that the matrix does not have. */
export function readMatrix(query: string, checkIds: readonly string[]): MatrixState {
  const given = new URLSearchParams(query);
  const sort = given.get("sort") ?? "";
  return {
    fails: checkIds.find((id) => id === given.get("fails")) ?? null,
    sort: [...MATRIX_SORTS, ...checkIds].includes(sort) ? sort : "score",
    extras: given.get("extras") === "1",
    table: given.get("table") === "1",
  };
}

/** The query of a state, with its `?`; "" for all sites by score. */
export function matrixQuery({ fails, sort, extras, table }: MatrixState): string {
  const query = new URLSearchParams();
  if (fails !== null) query.set("fails", fails);
  if (sort !== "score") query.set("sort", sort);
  if (extras) query.set("extras", "1");
  if (table) query.set("table", "1");
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** The order that the head of a column leads to. The head of a sorted column leads to the other order, or to none. */
export function sortAfter({ sort }: MatrixState, column: string): string {
  if (column === "score") return sort === "score" ? "score-asc" : "score";
  return sort === column ? "score" : column;
}

/** The value of `aria-sort` of a column; null if the rows are not in its order. */
export function ariaSort({ sort }: MatrixState, column: string): string | null {
  if (column === "score" && sort === "score") return "descending";
  return sort === column || (column === "score" && sort === "score-asc") ? "ascending" : null;
}

/** The facts by which rows are ordered and filtered: the server reads them from sites, the script from the table. */
export interface MatrixRow {
  /** The row's index in the order of falling scores. */
  readonly index: number;
  readonly host: string;
  readonly mark: (check: string) => CheckMark | null;
}

const MARK_ORDER: readonly (CheckMark | null)[] = ["fail", "warn", "pass", "na", null];

/** The order of the rows in a state. */
export function matrixOrder<T extends MatrixRow>(rows: readonly T[], { sort }: MatrixState): T[] {
  const byIndex = (a: T, b: T) => a.index - b.index;
  if (sort === "score") return rows.toSorted(byIndex);
  if (sort === "score-asc") return rows.toSorted((a, b) => b.index - a.index);
  if (sort === "host") return rows.toSorted((a, b) => byCodeUnit(a.host, b.host));
  const rank = (row: T) => MARK_ORDER.indexOf(row.mark(sort));
  return rows.toSorted((a, b) => rank(a) - rank(b) || byIndex(a, b));
}

/** Whether a state shows a row. */
export function isInMatrix({ mark }: MatrixRow, { fails }: MatrixState): boolean {
  return fails === null || mark(fails) === "fail" || mark(fails) === "warn";
}

/** How many sites have each mark for a check. */
export type MarkCounts = Readonly<Record<CheckMark, number>>;

export function markCounts(rows: readonly Pick<MatrixRow, "mark">[], check: string): MarkCounts {
  const counts = { pass: 0, warn: 0, fail: 0, na: 0 };
  for (const { mark } of rows) counts[mark(check) ?? "na"] += 1;
  return counts;
}

/** `8 sites do not pass; 3 of them pass in part`. */
export function notPassedText({ warn, fail }: MarkCounts): string {
  const all = warn + fail;
  if (all === 0) return "No site fails";
  if (fail === 0) return `${counted(all, "site")} ${all === 1 ? "passes" : "pass"} only in part`;
  const text = `${counted(all, "site")} ${all === 1 ? "does" : "do"} not pass`;
  if (warn === 0) return text;
  return `${text}; ${numberOf(warn)} of them ${warn === 1 ? "passes" : "pass"} in part`;
}

/** What a state shows, in words; "" for all sites by score. @param nameOf the name of a check */
export function stateText(
  { fails, sort }: MatrixState,
  rows: readonly MatrixRow[],
  nameOf: (check: string) => string,
): string {
  const isOfCheck = !MATRIX_SORTS.includes(sort);
  const order = isOfCheck ? `Sites that do not pass “${nameOf(sort)}” come first.` : "";
  if (fails === null) return order;
  const { pass, warn, fail } = markCounts(rows, fails);
  const those = `${numberOf(warn + fail)} of ${counted(pass + warn + fail, "site")}`;
  const part =
    warn === 0 ? "" : `; ${numberOf(warn)} of them ${warn === 1 ? "passes" : "pass"} it in part`;
  const shown = `${those} ${warn + fail === 1 ? "does" : "do"} not pass “${nameOf(fails)}”${part}.`;
  return isOfCheck && sort !== fails ? `${shown} ${order}` : shown;
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
