import { isAbsolute, relative, resolve } from "node:path";
import { escapeControls, messageOf, type Problem } from "../src/published/checking/problem.js";
import { safeLine } from "./drawing/cells.js";
import type { ProblemKind } from "./drawing/problems.js";

/** Whether GitHub Actions reads what is printed. */
export function isGitHubActions(): boolean {
  return process.env.GITHUB_ACTIONS === "true";
}

/** A text of whatever origin, without what GitHub Actions would take for a command in the middle of a line. */
export function withoutCommands(text: string): string {
  return text.replaceAll("##[", "##\\u005b");
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

/** By percent escapes, which GitHub undoes: it must find the file. */
function property(text: string): string {
  const percent = (character: string) => `%${Buffer.from(character).toString("hex").toUpperCase()}`;
  return escapeControls(text.replace(/[%\r\n:,]/g, percent));
}
