import {
  escapeControls,
  formatProblem,
  isSingle,
  type Problem,
  type ProblemGroup,
  problemText,
} from "../../src/published/checking/problem.js";
import { count } from "./amounts.js";
import { cellsOf, safeLine, wrapped } from "./cells.js";
import { lineExcerpt, type Place } from "./excerpt.js";
import type { Paint } from "./paint.js";

export type ProblemKind = "warning" | "error";

/** The most columns of an excerpt. In a wider one the caret is hard to find. */
const EXCERPT_MAX = 160;
/** With fewer columns, no excerpt is shown. */
const EXCERPT_MIN = 10;
const COLUMNS_GAP = "  ";

/** Settings for drawing lines. */
export interface Drawing {
  /** In columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
}

/**
 * Formats a problem for people: its place, the message, and the line with a caret under the column.
 * @param excerpt null if the line cannot be shown
 */
export function problemLines(
  problem: Problem,
  kind: ProblemKind,
  excerpt: Place | null,
  { width, paint }: Drawing,
): string[] {
  const { file, line, column, path } = problem;
  const where = `${safeLine(file)}:${line}:${column}`;
  const what = safeLine(path);
  const why = safeLine(problemText(problem));
  const label = `${kind}: `;
  const short = label.length + cellsOf(where) + COLUMNS_GAP.length + cellsOf(what);
  const place = paint(kind, label) + paint("strong", where);
  const begin = place + COLUMNS_GAP + paint("dim", what);
  const below = wrapped(why, width - COLUMNS_GAP.length).map(
    (text) => COLUMNS_GAP + paint(kind, text),
  );
  let head = [place, COLUMNS_GAP + paint("dim", what), ...below];
  if (short + COLUMNS_GAP.length + cellsOf(why) <= width)
    head = [begin + COLUMNS_GAP + paint(kind, why)];
  else if (short <= width) head = [begin, ...below];
  if (excerpt === null) return head;
  const number = `  ${line} `;
  const bar = paint("dim", "|");
  const room = Math.min(EXCERPT_MAX, width - number.length - "| ".length - 1);
  if (room < EXCERPT_MIN) return head;
  const { text, caret } = lineExcerpt(excerpt, room);
  return [
    ...head,
    `${paint("dim", number)}${bar} ${text}`.trimEnd(),
    `${" ".repeat(number.length)}${bar} ${" ".repeat(caret)}${paint(kind, "^")}`,
  ];
}

/** The most frequent kinds of problems, at most so many, in the order of the groups. */
export function mostFrequent(groups: readonly ProblemGroup[], most: number): ProblemGroup[] {
  const chosen = new Set(groups.toSorted((a, b) => b.count - a.count).slice(0, most));
  return groups.filter((group) => chosen.has(group));
}

/** `7,305 x scans/*.ndjson $.score: message; first at scans/all.ndjson:1:88`. A single problem is formatted as such. */
export function groupLine(group: ProblemGroup): string {
  const { files, path, first } = group;
  if (isSingle(group)) return formatProblem(first);
  const place = `${first.file}:${first.line}:${first.column}`;
  const line = `${count(group.count)} x ${files} ${path}: ${first.message}; first at ${place}`;
  return escapeControls(line);
}

/** The first problem of a group, with how many there are of its kind in its message. */
export function firstProblem(group: ProblemGroup): Problem {
  const { first, files } = group;
  if (isSingle(group)) return first;
  const { times: _, ...problem } = first;
  const many = `${count(group.count)} x ${files}, first here`;
  return { ...problem, message: `${first.message} (${many})` };
}
