import type { Listing } from "../../src/input/checking/schemas.js";
import type { Answers } from "./answers.js";

export type Visibility = Listing["visibility"];
export type Site = Record<string, Answers>;

/** Whether answers show older scans, though the plan that was stated last does not. */
export function isAbovePlan({ search, report }: Answers, hasHistory: boolean | undefined): boolean {
  return search !== null && report.includes('"access":{"history":true') && hasHistory === false;
}

/** The rule of a rollback, told naively; nothing is ever forgotten. */
export function expectedAfter(
  { former, today }: { former: Site; today: Site },
  input: ReadonlyMap<string, Visibility>,
  lastStated: ReadonlyMap<string, Visibility>,
  lastPlans: ReadonlyMap<string, boolean>,
  restoreMissing: boolean,
): Site {
  const site: Site = {};
  for (const host of new Set([...Object.keys(former), ...Object.keys(today)])) {
    const visibility = input.get(host);
    const last = lastStated.get(host);
    let answers: Answers | undefined;
    if (visibility === "listed") answers = former[host];
    else if (visibility !== undefined) answers = today[host];
    else if (restoreMissing && last === "listed") answers = former[host];
    else if (restoreMissing && last !== "removed" && last !== "deleted")
      answers = former[host]?.search === null ? former[host] : undefined;
    const isFormer = answers !== undefined && answers === former[host];
    if (isFormer && isAbovePlan(former[host]!, lastPlans.get(host))) answers = today[host];
    if (answers !== undefined) site[host] = answers;
  }
  return site;
}
