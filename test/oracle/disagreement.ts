import type { Answer } from "../../src/runtime/answer/answer.js";
import { matchesAlone, type OracleAnswer, sameExceptAny } from "./oracle.js";
import type { Records } from "./records.js";

/** Issues that an answer lists; where there are more, it says that these are the first. */
const mostIssues = 20;

/** What is wrong with an answer; null where it is what the oracle expects. */
export function disagreement(
  records: Records,
  target: string,
  expected: OracleAnswer,
  given: Pick<Answer, "status" | "body">,
) {
  if (given.status !== expected.status) return `status ${given.status}, not ${expected.status}`;
  const text = Buffer.from(given.body ?? []).toString("utf8");
  if (expected.status === 400) return issuesDisagreement(expected, text);
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

function issuesDisagreement({ issuePaths }: OracleAnswer, text: string): string | null {
  const { error, issues = [] } = JSON.parse(text) as {
    error: string;
    issues?: { path: string }[];
  };
  if (issues.length > mostIssues) return `${issues.length} issues`;
  const paths = [...new Set(issues.map(({ path }) => path))].sort();
  if (issuePaths === undefined) return null;
  const areSame =
    issuePaths.length > mostIssues
      ? paths.length === mostIssues &&
        paths.every((path) => issuePaths.includes(path)) &&
        error.includes("first 20")
      : JSON.stringify(paths) === JSON.stringify(issuePaths);
  return areSame ? null : `issues ${paths.join(" ")}, not ${issuePaths.join(" ")}: ${error}`;
}
