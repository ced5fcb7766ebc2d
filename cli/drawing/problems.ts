import { messageOf, type Problem } from "../../src/published/checking/problem.js";
import { count, plural } from "./amounts.js";
import { cellsOf, cutTo, safeLine, wrapped } from "./cells.js";
import { excerptOf, type Place } from "./excerpt.js";
import type { Paint } from "./paint.js";

export type ProblemKind = "warning" | "error";

/** Columns that an excerpt takes at most: in a wider one nobody finds the caret. */
const EXCERPT_MAX = 160;
/** With fewer, it shows nothing. */
const EXCERPT_MIN = 10;
const GAP = "  ";

/** Problems that are shown in full, and those of one file as long as others have some, too. */
const SHOWN_MAX = 20;
const SHOWN_OF_FILE = 5;

/** How the lines are drawn. */
export interface Drawing {
  /** Columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
}

/**
 * A problem as a person reads it: its place, what is wrong, and the line with a caret under the column.
 * @param excerpt null where the line cannot be shown
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
  const why = safeLine(messageOf(problem));
  const label = `${kind}: `;
  const short = label.length + cellsOf(where) + GAP.length + cellsOf(what);
  const place = paint(kind, label) + paint("strong", where);
  const begin = place + GAP + paint("dim", what);
  const below = wrapped(why, width - GAP.length).map((text) => GAP + paint(kind, text));
  let head = [place, GAP + paint("dim", what), ...below];
  if (short + GAP.length + cellsOf(why) <= width) head = [begin + GAP + paint(kind, why)];
  else if (short <= width) head = [begin, ...below];
  if (excerpt === null) return head;
  const number = `  ${line} `;
  const bar = paint("dim", "|");
  const room = Math.min(EXCERPT_MAX, width - number.length - "| ".length - 1);
  if (room < EXCERPT_MIN) return head;
  const { text, caret } = excerptOf(excerpt, room);
  return [
    ...head,
    `${paint("dim", number)}${bar} ${text}`.trimEnd(),
    `${" ".repeat(number.length)}${bar} ${" ".repeat(caret)}${paint(kind, "^")}`,
  ];
}

/** Parts problems into those that are shown in full, the first of each file before further ones, and the rest. */
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
    if (before < SHOWN_OF_FILE && first.size < SHOWN_MAX) first.add(problem);
    else further.push(problem);
  }
  const chosen = new Set([...first, ...further.slice(0, SHOWN_MAX - first.size)]);
  return {
    shown: problems.filter((problem) => chosen.has(problem)),
    rest: problems.filter((problem) => !chosen.has(problem)),
  };
}

/** Files that the rest is counted by. */
const FILES_SHOWN = 10;

/**
 * Counts what is not shown one by one, by file.
 * @param rest the problems that are known beyond those that were shown
 * @param total how many there are beyond those, known or not
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
      `${kind}: ... and ${count(total)} more${total > rest.length ? "" : " (--json has them)"}:`,
    ),
    ...rows.map(([, found], at) => {
      const name = names[at]!;
      const gap = " ".repeat(widest - cellsOf(name) + 2);
      return `  ${name}${gap}${count(found).padStart(numbers)}`;
    }),
  ];
}
