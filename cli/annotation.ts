import { isAbsolute, relative, resolve } from "node:path";
import { escapeControls, type Problem, problemText } from "../src/published/checking/problem.js";
import { safeLine } from "./drawing/cells.js";
import type { ProblemKind } from "./drawing/problems.js";

/** Whether the output goes to GitHub Actions. */
export function isGitHubActions(): boolean {
  return process.env.GITHUB_ACTIONS === "true";
}

/** Escapes text that GitHub Actions would read as a command in the middle of a line. The text may be untrusted. */
export function withoutCommands(text: string): string {
  return text.replaceAll("##[", "##\\u005b");
}

/**
 * A GitHub workflow command that shows an error or warning. A problem of the input is shown at its file's line.
 * @param folder the published directory, as the user gave it
 */
export function annotation(kind: ProblemKind, problem: Problem | string, folder = ""): string {
  if (typeof problem === "string") return `::${kind}::${data(problem)}`;
  const { file, line, column, path } = problem;
  const properties = `file=${property(repositoryPath(resolve(folder, file)))},line=${line},col=${column}`;
  return `::${kind} ${properties}::${data(`${path}  ${problemText(problem)}`)}`;
}

/** GitHub expects paths relative to the repository's root. A path outside the repository stays absolute. */
function repositoryPath(path: string): string {
  const inside = relative(process.env.GITHUB_WORKSPACE ?? process.cwd(), path);
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

function data(text: string): string {
  return safeLine(text).replaceAll("%", "%25");
}

/** Percent-escapes a property. GitHub decodes the escapes, so it still finds the file. */
function property(text: string): string {
  const percent = (character: string) => `%${Buffer.from(character).toString("hex").toUpperCase()}`;
  return escapeControls(text.replace(/[%\r\n:,]/g, percent));
}
