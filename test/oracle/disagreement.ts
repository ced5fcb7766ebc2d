import { join } from "node:path";
import { expect } from "vitest";
import { type Answer, answer } from "../../src/answer/answer.js";
import { build } from "../../src/publish/build.js";
import { type LoadOptions, loadSnapshot } from "../../src/server/load-snapshot.js";
import { serverPages } from "../../src/server/server-pages.js";
import { temporaryFolder } from "../fixtures.js";
import { answerOf, matchesAlone, type OracleAnswer, sameExceptAny } from "./oracle.js";
import type { Records } from "./records.js";

const ALL_PAGES = serverPages();

/** Issues that an answer lists; where there are more, it says that these are the first. */
const mostIssues = 20;

/**
 * Builds a published directory, and compares the service's answers with the oracle's.
 * @param options how the service loads the snapshot
 * @returns the statuses and how often
 */
export async function expectAgreement(
  published: string,
  records: Records,
  targets: Iterable<string>,
  options: LoadOptions = {},
): Promise<Map<number, number>> {
  const store = join(await temporaryFolder(), "store");
  const { id } = await build(published, { store, jobs: 1, keep: 1 });
  const { snapshot, close } = await loadSnapshot(store, id, options);
  const compress = () => Promise.reject(new Error("not asked for"));
  const damaged: Error[] = [];
  const onDamage = (error: Error) => damaged.push(error);
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  for (const target of targets) {
    const context = { snapshot, pages: ALL_PAGES, compress, onDamage };
    const given = await answer({ method: "GET", target }, context);
    statuses.set(given.status, (statuses.get(given.status) ?? 0) + 1);
    const reason = disagreement(records, target, answerOf(records, target), given);
    if (reason !== null) wrong.push(`${target}\n  ${reason}`);
  }
  close();
  expect(damaged).toEqual([]);
  expect(wrong.slice(0, 3)).toEqual([]);
  return statuses;
}

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
