import {
  escapeControls,
  formatProblem,
  isSingle,
  type Problem,
  type ProblemGroup,
  problemText,
} from "../../src/published/checking/problem.js";
import { count } from "./amounts.js";
import {
  cellsOf,
  fitted,
  type Glyph,
  glyphsOf,
  joinedGlyphs,
  type Paint,
  safeLine,
  widthOf,
  wrapped,
} from "./cells.js";

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
 * Formats a problem for people: its position, the message, and the line with a caret under the column.
 * @param excerpt null if the line cannot be shown
 */
export function problemLines(
  problem: Problem,
  kind: ProblemKind,
  excerpt: LinePosition | null,
  { width, paint }: Drawing,
): string[] {
  const { file, line, column, path } = problem;
  const where = `${safeLine(file)}:${line}:${column}`;
  const what = safeLine(path);
  const why = safeLine(problemText(problem));
  const label = `${kind}: `;
  const short = label.length + cellsOf(where) + COLUMNS_GAP.length + cellsOf(what);
  const position = paint(kind, label) + paint("strong", where);
  const begin = position + COLUMNS_GAP + paint("dim", what);
  const below = wrapped(why, width - COLUMNS_GAP.length).map(
    (text) => COLUMNS_GAP + paint(kind, text),
  );
  let head = [position, COLUMNS_GAP + paint("dim", what), ...below];
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
  const position = `${first.file}:${first.line}:${first.column}`;
  const line = `${count(group.count)} x ${files} ${path}: ${first.message}; first at ${position}`;
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

/** A position in a line of the input: the text before it, and the text from it on. */
export interface LinePosition {
  readonly before: string;
  readonly after: string;
}

/** How many UTF-16 units are used on each side of a position; more than any terminal is wide. */
const SPAN = 2_000;

/** The position at a column, counted from 1 in UTF-16 units. A column beyond the line's end means the end. */
export function linePosition(line: string, column: number): LinePosition {
  const at = Math.min(Math.max(0, column - 1), line.length);
  const start = Math.max(0, at - SPAN);
  // A line may have megabytes. Copying the slice lets the engine free the whole line.
  const copy = (text: string) => Buffer.from(text, "utf16le").toString("utf16le");
  return { before: copy(line.slice(start, at)), after: copy(line.slice(at, at + SPAN)) };
}

/** The visible part of a line, and how many columns of the terminal precede its position. */
export interface LineExcerpt {
  readonly text: string;
  readonly caret: number;
}

/** Cuts a line around its position so that it fits, with `…` wherever text is left out. */
export function lineExcerpt({ before, after }: LinePosition, width: number): LineExcerpt {
  const [left, right] = [glyphsOf(before).reverse(), glyphsOf(after)];
  // At the end of the line the caret takes one more column.
  const needed = Math.max(1, widthOf(right));
  const half = Math.floor(width / 2);
  const rightRoom = Math.min(needed, Math.max(half, width - widthOf(left)));
  const shownLeft = fitted(left, width - rightRoom).reverse();
  const shownRight = fitted(right, rightRoom);
  return { text: joinedGlyphs(withoutMarks(shownLeft, shownRight)), caret: widthOf(shownLeft) };
}

/** Drops combining marks at the start: without their character, they would combine with the text before the line. */
function withoutMarks(left: readonly Glyph[], right: readonly Glyph[]): Glyph[] {
  const all = [...left, ...right];
  const first = all.findIndex(({ cells }) => cells > 0);
  return first < 0 ? [] : all.slice(first);
}
