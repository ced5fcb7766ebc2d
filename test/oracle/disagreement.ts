import type { Answer } from "../../src/runtime/answer.js";
import { matchesAlone, type OracleAnswer, sameExceptAny } from "./oracle.js";
import type { Records } from "./records.js";

/** What is wrong with an answer; null where it is what the oracle expects. */
export function disagreement(
  records: Records,
  target: string,
  expected: OracleAnswer,
  given: Pick<Answer, "status" | "body">,
) {
  if (given.status !== expected.status) return `status ${given.status}, not ${expected.status}`;
  const text = Buffer.from(given.body ?? []).toString("utf8");
  if (expected.status === 400) {
    const { issues = [] } = JSON.parse(text) as { issues?: { path: string }[] };
    const paths = [...new Set(issues.map(({ path }) => path))].sort();
    const same = JSON.stringify(paths) === JSON.stringify(expected.issuePaths ?? paths);
    return same ? null : `issues ${paths.join(" ")}, not ${expected.issuePaths?.join(" ")}`;
  }
  if (expected.body === undefined) return null;
  const proposals = /,"didYouMean":(\[[^\]]*\])\}$/.exec(text);
  if (expected.wantsDidYouMean !== (proposals !== null))
    return "didYouMean is there wrongly, or not";
  const read = target.startsWith("/api/sites/suggestions") ? "suggestions" : "search";
  const queries = JSON.parse(proposals?.[1] ?? "[]") as string[];
  if (queries.length > 3) return "more than three corrections";
  const useless = queries.find((q) => !matchesAlone(records, read, q));
  if (useless !== undefined) return `the correction ${useless} matches nothing`;
  const body = proposals === null ? text : `${text.slice(0, proposals.index)}}`;
  return sameExceptAny(expected.body, body) ? null : `other bytes: ${body.slice(0, 500)}`;
}
