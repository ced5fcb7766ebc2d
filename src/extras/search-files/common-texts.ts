import { byCodeUnit } from "../../contract/order.js";
import { namesOf } from "../../contract/tables.js";
import { COLUMNS, type ColumnName } from "../../store/segments/table.js";
import type { StoredRow } from "./format.js";

/* Common texts of rows, such as the ids of checks, are stored once: blocks are a third smaller. */

/** How many rows at least have a common text, and how many texts there are at most. */
const COMMON = { rows: 16, texts: 1_000 } as const;

const NAMES = namesOf(COLUMNS);
/** By the index of a member of a row, whether it is text, or a list of texts. */
const IS_TEXT = NAMES.map((name) => !["number", "flag"].includes(COLUMNS[name].kind));
/** What a listing has of its own is never a common text: it has to be easy to erase. */
const OWN: readonly ColumnName[] = [
  "host",
  "url",
  "name",
  "tagline",
  "latestScannedAt",
  "logoUrl",
  "ogImageUrl",
];
/** By the index of a member of a row, whether it may have common texts. */
const IS_COMMON = NAMES.map((name, at) => IS_TEXT[at] === true && !OWN.includes(name));

/** The texts that rows have most often, the commonest first. */
export function commonTexts(rows: readonly StoredRow[]): string[] {
  const counts = new Map<string, number>();
  const count = (value: unknown) => {
    if (typeof value === "string") counts.set(value, (counts.get(value) ?? 0) + 1);
  };
  for (const row of rows) {
    for (const [at, value] of row.entries()) {
      if (!IS_COMMON[at]) continue;
      if (Array.isArray(value)) value.forEach(count);
      else count(value);
    }
  }
  return [...counts]
    .filter(([, count]) => count >= COMMON.rows)
    .sort(([a, some], [b, more]) => more - some || byCodeUnit(a, b))
    .slice(0, COMMON.texts)
    .map(([text]) => text);
}

/** Replaces the common texts of a row by their indexes. @param indexes by text */
export function withIndexes(row: StoredRow, indexes: ReadonlyMap<string, number>): StoredRow {
  const indexed = (value: unknown) =>
    (typeof value === "string" ? indexes.get(value) : undefined) ?? value;
  return row.map((value) => (Array.isArray(value) ? value.map(indexed) : indexed(value)));
}

/** Replaces the indexes of a row by their texts. One that stands for none stays, and is no text. */
export function withTexts(row: StoredRow, texts: readonly string[]): StoredRow {
  const textOf = (value: unknown) => (typeof value === "number" ? (texts[value] ?? value) : value);
  return row.map((value, at) => {
    if (!IS_TEXT[at]) return value;
    return Array.isArray(value) ? value.map(textOf) : textOf(value);
  });
}
