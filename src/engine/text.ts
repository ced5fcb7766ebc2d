/*
 * The folded text of all listings in one array of UTF-16 code units, listing after listing: host, name,
 * tagline, each ended by a lone surrogate. Text is well-formed, a query too, so no query holds that unit
 * and no match can span two fields: a match is found by comparing units and nothing else.
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

/** One listing's folded fields; an absent one is "". */
export interface FoldedFields {
  readonly host: string;
  readonly name: string;
  readonly tagline: string;
}

const FIELD_END = "\ud800";

/** Joins the folded fields of listings, which come in the order of their numbers. */
export function joinText(listings: readonly FoldedFields[]): FoldedText {
  const size = listings.length;
  const text: FoldedText = {
    units: new Uint16Array(
      listings.reduce(
        (sum, { host, name, tagline }) => sum + host.length + name.length + tagline.length + 3,
        0,
      ),
    ),
    hosts: new Uint32Array(size + 1),
    names: new Uint32Array(size),
    taglines: new Uint32Array(size),
  };
  let end = 0;
  const append = (field: string): void => {
    for (let at = 0; at < field.length; at += 1) text.units[end + at] = field.charCodeAt(at);
    end += field.length;
  };
  for (const [number, { host, name, tagline }] of listings.entries()) {
    text.hosts[number] = end;
    append(host + FIELD_END);
    text.names[number] = end;
    append(name + FIELD_END);
    text.taglines[number] = end;
    append(tagline + FIELD_END);
  }
  text.hosts[size] = end;
  return text;
}

/** A text's UTF-16 code units. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

/** Calls `visit` with the start and the end of every field of a listing that is among `fields`. */
export function eachField(
  { hosts, names, taglines }: FoldedText,
  number: number,
  fields: Fields,
  visit: (start: number, end: number) => void,
): void {
  visit(hosts[number]!, names[number]! - 1);
  visit(names[number]!, taglines[number]! - 1);
  if (fields === "all") visit(taglines[number]!, hosts[number + 1]! - 1);
}

/** Whether one of a listing's fields holds the piece, which is folded and not empty. */
export function holdsPiece(
  { units, hosts, taglines }: FoldedText,
  number: number,
  fields: Fields,
  piece: Uint16Array,
): boolean {
  const first = piece[0]!;
  const last = (fields === "all" ? hosts[number + 1]! : taglines[number]!) - piece.length;
  for (let start = hosts[number]!; start < last; start += 1) {
    if (units[start] === first && startsWith(units, start, piece)) return true;
  }
  return false;
}

function startsWith(units: Uint16Array, start: number, piece: Uint16Array): boolean {
  for (let at = 1; at < piece.length; at += 1) if (units[start + at] !== piece[at]) return false;
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
