import { FIELD_END, FIELDS } from "../../store/columns/listings.js";
import type { Roster } from "../order/roster.js";

/*
 * The folded text of all listings in one array of UTF-16 code units, listing after listing: host, name,
 * tagline, each ended by a lone surrogate. Text is well-formed, a query too, so no query holds that unit
 * but with its other half, and no match can span two fields: a match is found by comparing units and
 * nothing else.
 *
 * Units are safe where code points are meant: a well-formed query starts and ends at the border of a
 * code point, and half a surrogate pair equals no other unit, so every match starts and ends at one too.
 */

export interface FoldedText {
  readonly units: Uint16Array;
  /** Where each listing's host starts; one more entry than listings. */
  readonly hosts: Uint32Array;
  /** Where each listing's name starts, and its tagline. */
  readonly names: Uint32Array;
  readonly taglines: Uint32Array;
}

/** The fields that a read looks at: search all three, suggestions host and name. */
export type Fields = "all" | "titles";

/** UTF-16 code units of the fields of all listings, and of their ends. */
export function textLength(buckets: Roster["buckets"]): number {
  return buckets.reduce((sum, { units }) => sum + units.length, 0);
}

/** Brings the fields of all listings into the order of their numbers. @param units takes them */
export function gatherText(
  roster: Roster,
  units: Uint16Array = new Uint16Array(textLength(roster.buckets)),
): FoldedText {
  const { size, buckets, bucketOf, rowOf } = roster;
  const text: FoldedText = {
    units,
    hosts: new Uint32Array(size + 1),
    names: new Uint32Array(size),
    taglines: new Uint32Array(size),
  };
  let end = 0;
  for (let number = 0; number < size; number += 1) {
    const { units, fields } = buckets[bucketOf[number]!]!;
    const first = FIELDS * rowOf[number]!;
    const start = fields[first]!;
    text.hosts[number] = end;
    text.names[number] = end + fields[first + 1]! - start;
    text.taglines[number] = end + fields[first + 2]! - start;
    for (let at = start; at < fields[first + FIELDS]!; at += 1, end += 1) {
      text.units[end] = units[at]!;
    }
  }
  text.hosts[size] = end;
  return text;
}

/** Whether the unit at a place ends a field: in a field, it is the first half of U+10000 to U+103FF. */
export function endsField(units: Uint16Array, at: number): boolean {
  return units[at] === FIELD_END && ((units[at + 1] ?? 0) & 0xfc00) !== 0xdc00;
}

/** A text's UTF-16 code units. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

/** Units that a head is made of: as many as a number holds exactly. */
export const HEAD_UNITS = 3;
/** A unit more than there are: what ends comes before what goes on. */
export const HEAD_BASE = 0x10001;

/** The first units from `start` on as one number, which compares as they do. */
export function headOf(units: Uint16Array, start: number, end: number): number {
  let head = 0;
  for (let at = start; at < start + HEAD_UNITS; at += 1) {
    head = head * HEAD_BASE + (at < end ? units[at]! + 1 : 0);
  }
  return head;
}

/**
 * Returns whether one of a listing's fields holds the piece, which is folded and has two units or more. The
 * unit where the piece would end says how far the search may go on (Horspool); units that are equal in
 * their low byte share the shortest such way.
 */
export function seek(
  { units, hosts, taglines }: FoldedText,
  fields: Fields,
  piece: Uint16Array,
): (number: number) => boolean {
  const last = piece.length - 1;
  const ways = new Uint16Array(256).fill(piece.length);
  for (let at = 0; at < last; at += 1) ways[piece[at]! & 0xff] = last - at;
  const lastUnit = piece[last]!;
  return (number) => {
    const end = fields === "all" ? hosts[number + 1]! : taglines[number]!;
    for (let at = hosts[number]! + last; at < end; ) {
      const unit = units[at]!;
      if (unit === lastUnit && startsWith(units, at - last, piece)) return true;
      at += ways[unit & 0xff]!;
    }
    return false;
  };
}

function startsWith(units: Uint16Array, start: number, piece: Uint16Array): boolean {
  for (let at = 0; at < piece.length; at += 1) if (units[start + at] !== piece[at]) return false;
  return true;
}

/**
 * Compares the field that starts at `start` with a piece by code unit: negative where the field comes
 * first, 0 where they are equal, positive where the piece does. With `asPrefix`, a field that starts
 * with the piece counts as equal.
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

/** The text from `start` to before `end`. */
export function textOf({ units }: FoldedText, start: number, end: number): string {
  let text = "";
  // As many units a call as any engine takes for arguments.
  for (let at = start; at < end; at += 4096) {
    const some = units.subarray(at, Math.min(at + 4096, end));
    text += String.fromCharCode.apply(null, some as unknown as number[]);
  }
  return text;
}
