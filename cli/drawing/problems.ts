import { itemAt } from "../../src/contract/item-at.js";
import { type Problem, problemText } from "../../src/published/checking/problem.js";
import { count, plural } from "./amounts.js";
import { cellsOf, cutTo, safeLine, wrapped } from "./cells.js";
import { lineExcerpt, type Place } from "./excerpt.js";
import type { Paint } from "./paint.js";

export type ProblemKind = "warning" | "error";

/** The most columns of an excerpt. In a wider one the caret is hard to find. */
const EXCERPT_MAX = 160;
/** With fewer columns, no excerpt is shown. */
const EXCERPT_MIN = 10;
const COLUMNS_GAP = "  ";

/** How many problems are shown in full, and how many of one file as long as other files have some too. */
const PROBLEMS_SHOWN_MAX = 20;
const SHOWN_OF_FILE = 5;

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

/** Splits problems into those shown in full and the rest. The first problems of each file take precedence. */
export function parted(problems: readonly Problem[]): {
  readonly shown: readonly Problem[];
  readonly rest: readonly Problem[];
} {
  const byFile = new Map<string, number>();
  const first = new Set<Problem>();
  const further: Problem[] = [];
  for (const problem of problems) {
    const before = byFile.get(problem.file) ?? 0;
    byFile.set(problem.file, before + 1);
    if (before < SHOWN_OF_FILE && first.size < PROBLEMS_SHOWN_MAX) first.add(problem);
    else further.push(problem);
  }
  const chosen = new Set([...first, ...further.slice(0, PROBLEMS_SHOWN_MAX - first.size)]);
  return {
    shown: problems.filter((problem) => chosen.has(problem)),
    rest: problems.filter((problem) => !chosen.has(problem)),
  };
}

/** How many files are listed with the number of their remaining problems. */
const FILES_SHOWN = 10;

/**
 * Counts, by file, the problems that are not shown.
 * @param rest the problems that are known but not shown
 * @param total how many problems are not shown, including unknown ones
 */
export function restLines(
  rest: readonly Problem[],
  total: number,
  kind: ProblemKind,
  { width, paint }: Drawing,
): string[] {
  const byFile = new Map<string, number>();
  for (const { file } of rest) byFile.set(file, (byFile.get(file) ?? 0) + 1);
  const shown = [...byFile].slice(0, FILES_SHOWN);
  const others = [...byFile].slice(FILES_SHOWN).reduce((sum, [, found]) => sum + found, 0);
  const files = byFile.size - shown.length;
  const rows: [string, number][] = shown.map(([file, found]) => [safeLine(file), found]);
  if (files > 0) rows.push([`in ${plural(files, "other file")}`, others]);
  if (total > rest.length) rows.push(["not counted by file", total - rest.length]);
  const numbers = Math.max(...rows.map(([, found]) => count(found).length));
  const names = rows.map(([name]) => cutTo(name, width - numbers - 5));
  const widest = Math.max(...names.map(cellsOf));
  return [
    paint(
      kind,
      `${kind}: ... and ${count(total)} more${total > rest.length ? "" : " (--json lists them)"}:`,
    ),
    ...rows.map(([, found], at) => {
      const name = itemAt(names, at);
      const gap = " ".repeat(widest - cellsOf(name) + 2);
      return `  ${name}${gap}${count(found).padStart(numbers)}`;
    }),
  ];
}
