import { fitted, type Glyph, glyphsOf, joinedGlyphs, widthOf } from "./cells.js";

/** A place in a line of the input: the text before the place, and the text from the place on. */
export interface Place {
  readonly before: string;
  readonly after: string;
}

/** How many UTF-16 units are used on each side of a place; more than any terminal is wide. */
const SPAN = 2_000;

/** The place at a column, counted from 1 in UTF-16 units. A column beyond the line's end means the end. */
export function placeIn(line: string, column: number): Place {
  const at = Math.min(Math.max(0, column - 1), line.length);
  const start = Math.max(0, at - SPAN);
  // A line may have megabytes. Copying the slice lets the engine free the whole line.
  const copy = (text: string) => Buffer.from(text, "utf16le").toString("utf16le");
  return { before: copy(line.slice(start, at)), after: copy(line.slice(at, at + SPAN)) };
}

/** The visible part of a line, and how many columns of the terminal precede its place. */
export interface LineExcerpt {
  readonly text: string;
  readonly caret: number;
}

/** Cuts a line around its place so that it fits, with `…` wherever text is left out. */
export function lineExcerpt({ before, after }: Place, width: number): LineExcerpt {
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
