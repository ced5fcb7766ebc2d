import { FIELD_END, FIELDS } from "../../store/columns/listings.js";
import type { Ranking, RankingColumns } from "../order/ranking.js";

/*
 * The folded text of all listings in one array of UTF-16 code units, listing after listing: host, name, tagline. A lone
 * surrogate ends each field. Text and queries are well-formed, so in a query that surrogate is always followed by its
 * other half. No match can therefore span two fields, and comparing units is enough to find matches.
 * Comparing units also respects code points. A well-formed query starts and ends at the border of a code point, and
 * half a surrogate pair equals no other unit, so every match starts and ends at such a border too.
 */

export interface FoldedText {
  readonly units: Uint16Array;
  /** The start of each listing's host, then the end of the text. */
  readonly hosts: Uint32Array;
  /** The start of each listing's name, and of its tagline. */
  readonly names: Uint32Array;
  readonly taglines: Uint32Array;
}

/** The fields that a read searches: "all" for search, "titles" (host and name) for suggestions. */
export type Fields = "all" | "titles";

/** Brings the fields of all listings into the order of their numbers. */
export function gatherText({
  size,
  segments,
  segmentOf,
  rowOf,
}: Ranking<RankingColumns>): FoldedText {
  const text: FoldedText = {
    units: new Uint16Array(segments.reduce((sum, { units }) => sum + units.length, 0)),
    hosts: new Uint32Array(size + 1),
    names: new Uint32Array(size),
    taglines: new Uint32Array(size),
  };
  let end = 0;
  for (let number = 0; number < size; number += 1) {
    const { units, fields } = segments[segmentOf[number]!]!;
    const first = FIELDS * rowOf[number]!;
    const start = fields[first]!;
    text.hosts[number] = end;
    text.names[number] = end + fields[first + 1]! - start;
    text.taglines[number] = end + fields[first + 2]! - start;
    text.units.set(units.subarray(start, fields[first + FIELDS]), end);
    end += fields[first + FIELDS]! - start;
  }
  text.hosts[size] = end;
  return text;
}

/**
 * Whether the unit at a position ends a field. Inside a field the same unit is the first half of U+10000 to U+103FF.
 */
export function endsField(units: Uint16Array, at: number): boolean {
  return units[at] === FIELD_END && ((units[at + 1] ?? 0) & 0xfc00) !== 0xdc00;
}

/** Returns a text's UTF-16 code units. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

/** Returns the text of the units from `start` to before `end`. */
export function textBetween({ units }: FoldedText, start: number, end: number): string {
  return String.fromCharCode(...units.subarray(start, end));
}

/**
 * Returns a function that tells whether one of a listing's fields contains the piece, which is folded and has two units
 * or more. The unit at the piece's possible end tells how far the search may jump (Horspool). Units with the same low
 * byte share the shortest jump.
 */
export function seek(
  { units, hosts, taglines }: FoldedText,
  fields: Fields,
  piece: Uint16Array,
): (number: number) => boolean {
  const last = piece.length - 1;
  const jumps = jumpsOf(piece);
  const lastUnit = piece[last]!;
  return (number) => {
    const end = fields === "all" ? hosts[number + 1]! : taglines[number]!;
    for (let at = hosts[number]! + last; at < end; ) {
      const unit = units[at]!;
      if (unit === lastUnit && isAt(units, at - last, piece)) return true;
      at += jumps[unit & 0xff]!;
    }
    return false;
  };
}

/** By the low byte of the unit at the piece's possible end, how far the search may jump. */
export function jumpsOf(piece: Uint16Array): Uint16Array {
  const last = piece.length - 1;
  const jumps = new Uint16Array(256).fill(piece.length);
  for (let at = 0; at < last; at += 1) jumps[piece[at]! & 0xff] = last - at;
  return jumps;
}

export function isAt(units: Uint16Array, start: number, piece: Uint16Array): boolean {
  for (let at = 0; at < piece.length; at += 1) if (units[start + at] !== piece[at]) return false;
  return true;
}

/**
 * Compares a field with a piece by code unit: negative if the field comes first, 0 if they are equal, positive if the
 * piece comes first. With `asPrefix`, a field that starts with the piece counts as equal.
 */
export function compareField(
  { units }: FoldedText,
  start: number,
  end: number,
  piece: Uint16Array,
  asPrefix: boolean,
): number {
  const length = Math.min(end - start, piece.length);
  for (let at = 0; at < length; at += 1) {
    const difference = units[start + at]! - piece[at]!;
    if (difference !== 0) return difference;
  }
  if (asPrefix && length === piece.length) return 0;
  return end - start - piece.length;
}
