import { isAbsolute, relative, resolve } from "node:path";
import { messageOf, type Problem } from "../src/published/problem.js";
import { safeLine } from "./drawing/cells.js";
import type { ProblemKind } from "./drawing/problems.js";

/** Whether GitHub Actions reads what is printed. */
export function isGitHubActions(): boolean {
  return process.env.GITHUB_ACTIONS === "true";
}

/**
 * A workflow command by which GitHub shows an error or warning, a problem of the input at its file's line.
 * @param folder the published directory, as it was given
 */
export function annotation(kind: ProblemKind, problem: Problem | string, folder = ""): string {
  if (typeof problem === "string") return `::${kind}::${data(problem)}`;
  const { file, line, column, path } = problem;
  const properties = `file=${property(repositoryPath(resolve(folder, file)))},line=${line},col=${column}`;
  return `::${kind} ${properties}::${data(`${path}  ${messageOf(problem)}`)}`;
}

/** GitHub takes paths from the repository's root; one outside it stays whole. */
function repositoryPath(path: string): string {
  const inside = relative(process.env.GITHUB_WORKSPACE ?? process.cwd(), path);
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

function data(text: string): string {
  return safeLine(text).replaceAll("%", "%25");
}

/** Line ends are escaped as they are in a file's name elsewhere, too: such a file is found by no line. */
function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
