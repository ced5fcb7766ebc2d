import { byCodeUnit } from "../../contract/order.js";
import type { RankedSite } from "../../pages/categories/category-page.js";
import { csvText } from "../../pages/kit/escape.js";
import type { NamedCheck } from "../../pages/kit/quote.js";

/*
 * Which sites pass which checks, from the listings' summaries and tables: no report is read. These say which sites pass
 * a check and to which it does not apply. A check that is passed in part counts as not passed.
 */

export type CheckMark = "pass" | "fail" | "na";

export function checkMark({ site, exempt }: RankedSite, id: string): CheckMark {
  if (site.capabilities.includes(id)) return "pass";
  return exempt.includes(id) ? "na" : "fail";
}

/** Which sites the matrix shows, and in which order. */
export interface MatrixState {
  /** A check that applies to all shown sites, but that none of them passes; null if all sites are shown. */
  readonly fails: string | null;
  /** `score`, `score-asc`, `host`, or the id of a check: sites that fail it come first. */
  readonly sort: string;
}

export const MATRIX_SORTS: Readonly<Record<string, string>> = {
  score: "Highest score",
  "score-asc": "Lowest score",
  host: "Host, A to Z",
};

/** Reads the query of the matrix's address. Drops checks that the matrix does not have. */
export function readMatrix(query: string, checkIds: readonly string[]): MatrixState {
  const given = new URLSearchParams(query);
  const fails = checkIds.find((id) => id === given.get("fails")) ?? null;
  const sort = given.get("sort") ?? "";
  const isSort = Object.hasOwn(MATRIX_SORTS, sort) || checkIds.includes(sort);
  return { fails, sort: isSort ? sort : "score" };
}

/** The query of a state, with its `?`; "" for all sites by score. */
export function matrixQuery({ fails, sort }: MatrixState): string {
  const query = new URLSearchParams();
  if (fails !== null) query.set("fails", fails);
  if (sort !== "score") query.set("sort", sort);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** The facts by which rows are ordered and filtered: the server reads them from sites, the script from the table. */
export interface MatrixRow {
  /** The row's index in the order of falling scores. */
  readonly index: number;
  readonly host: string;
  readonly mark: (check: string) => CheckMark | null;
}

const MARK_ORDER: readonly (CheckMark | null)[] = ["fail", "pass", "na", null];

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
  return fails === null || mark(fails) === "fail";
}

const MARK_WORDS: Readonly<Record<CheckMark, string>> = {
  pass: "pass",
  fail: "not passed",
  na: "does not apply",
};

/** The matrix as CSV, a row for each site. */
export function matrixCsv(sites: readonly RankedSite[], checks: readonly NamedCheck[]): string {
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
