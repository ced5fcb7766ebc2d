import { fitted, type Glyph, glyphsOf, joined, widthOf } from "./cells.js";

/** A line of the input with a place in it: what stands before the place, and what stands at it and after it. */
export interface Place {
  readonly before: string;
  readonly after: string;
}

/** UTF-16 units that are looked at on each side of a place: more than any terminal is wide. */
const SPAN = 2_000;

/** The place of a column, counted from 1 in UTF-16 units; beyond the line's end it is the end. */
export function placeIn(line: string, column: number): Place {
  const at = Math.min(Math.max(0, column - 1), line.length);
  const start = Math.max(0, at - SPAN);
  // A line may be megabytes: what is kept of it must not keep all of it.
  const copy = (text: string) => Buffer.from(text, "utf16le").toString("utf16le");
  return { before: copy(line.slice(start, at)), after: copy(line.slice(at, at + SPAN)) };
}

/** What is shown of a line, and how many columns of the terminal stand before its place. */
export interface Excerpt {
  readonly text: string;
  readonly caret: number;
}

/** Cuts a line around its place, so that it fits; with `…` where something is left out. */
export function excerptOf({ before, after }: Place, width: number): Excerpt {
  const [left, right] = [glyphsOf(before).reverse(), glyphsOf(after)];
  // At the end of the line the caret stands behind it.
  const needed = Math.max(1, widthOf(right));
  const half = Math.floor(width / 2);
  const rightRoom = Math.min(needed, Math.max(half, width - widthOf(left)));
  const shownLeft = fitted(left, width - rightRoom).reverse();
  const shownRight = fitted(right, rightRoom);
  return { text: joined(withoutMarks(shownLeft, shownRight)), caret: widthOf(shownLeft) };
}

/** A mark without the character that it belongs to would stand on what is printed before the line. */
function withoutMarks(left: readonly Glyph[], right: readonly Glyph[]): Glyph[] {
  const all = [...left, ...right];
  const first = all.findIndex(({ cells }) => cells > 0);
  return first < 0 ? [] : all.slice(first);
}
