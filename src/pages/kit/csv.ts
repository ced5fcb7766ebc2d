import { shown } from "./escape.js";

/** A value of a table; null is an empty cell. */
type Cell = string | number | null;

/**
 * Rows as CSV (RFC 4180), the names of the columns first. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front.
 */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = shown(cell);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
