import { itemAt } from "../../src/contract/tables.js";
import { count } from "./amounts.js";
import { cellsOf, type Paint, safeLine } from "./cells.js";

/** A line of a summary: a label, a value, and a note. */
export interface SummaryRow {
  readonly label: string;
  readonly value: string | number;
  readonly note?: string | undefined;
}

/** A summary, for people, of the work that a command has done. */
export interface Summary {
  readonly title: string;
  readonly rows: readonly SummaryRow[];
  /** Sentences below the rows. */
  readonly notes?: readonly string[];
}

/** Values of at most this many columns are right-aligned. Longer values are texts. */
const SHORT_MAX = 12;
const INDENT = "  ";

/** Formats a summary as lines. A value or note that does not fit beside its label gets its own line. */
export function summaryLines(
  { title, rows, notes = [] }: Summary,
  width: number,
  paint: Paint,
): string[] {
  const labels = Math.max(...rows.map(({ label }) => label.length));
  const cells = rows.map(({ value }) => safeLine(typeof value === "number" ? count(value) : value));
  const short = Math.max(0, ...cells.map(cellsOf).filter((length) => length <= SHORT_MAX));
  const lines = rows.flatMap(({ label, note }, at) => {
    const value = itemAt(cells, at);
    const gap = " ".repeat(Math.max(0, short - cellsOf(value)));
    const head = INDENT + paint("dim", label.padEnd(labels));
    const begin = INDENT.length + labels + INDENT.length;
    const shown = cellsOf(value) > SHORT_MAX ? value : gap + value;
    const own = INDENT + INDENT;
    if (begin + cellsOf(shown) > width) return [head.trimEnd(), own + value];
    const line = `${head}${INDENT}${shown}`;
    if (note === undefined) return [line];
    const safe = safeLine(note);
    const fits = begin + cellsOf(shown) + INDENT.length + cellsOf(safe) <= width;
    return fits ? [`${line}${INDENT}${paint("dim", safe)}`] : [line, own + paint("dim", safe)];
  });
  return [paint("good", safeLine(title)), ...lines, ...notes.map(safeLine)];
}
