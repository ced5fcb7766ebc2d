import { broken } from "./file.js";
import { FIELD_END, FIELDS } from "./listings.js";
import { TEXT_END } from "./planes.js";
import { type Texts, textsOf } from "./texts.js";

/*
 * Folded text in UTF-8, a column for each field, and as the UTF-16 code units that the engine searches.
 */

/** The folded text of many listings: host, name and tagline of each, as in `ListingColumns`. */
export interface FoldedRows {
  readonly units: Uint16Array;
  readonly fields: Uint32Array;
}

/** A U+FEFF at the start of a text is part of the text, not a byte-order mark. */
const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/** One field of all listings. @param field 0 for the host, 1 for the name, 2 for the tagline */
export function fieldTexts({ units, fields }: FoldedRows, field: number): Texts {
  const texts: string[] = [];
  for (let at = field; at + 1 < fields.length; at += FIELDS) {
    texts.push(decoder.decode(units.subarray(fields[at], (fields[at + 1] ?? 0) - 1)));
  }
  return textsOf(texts);
}

/**
 * Decodes the fields of the buckets of a group. All buckets share two arrays.
 * @param columns a column of ended texts for each field
 * @param sizes the numbers of listings, by bucket
 * @throws BadColumnsError unless each column is valid UTF-8 and has one text for each listing
 */
export function foldedRows(columns: readonly Uint8Array[], sizes: Uint32Array): FoldedRows[] {
  const units = new Uint16Array(columns.reduce((sum, column) => sum + unitCount(column), 0));
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  const fields = new Uint32Array(FIELDS * rows + sizes.length);
  const readers = columns.map((column) => new Utf8Reader(column));
  let [end, field] = [0, 0];
  const buckets = Array.from(sizes, (size) => {
    const [start, first] = [end, field];
    for (let row = 0; row < size; row += 1) {
      for (const reader of readers) {
        end = reader.read(units, end);
        field += 1;
        fields[field] = end - start;
      }
    }
    field += 1;
    return { units: units.subarray(start, end), fields: fields.subarray(first, field) };
  });
  for (const reader of readers) reader.finish();
  return buckets;
}

/** How many units the texts of a column take, ends included. */
function unitCount(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) {
    if (byte === TEXT_END) count += 1;
    else if (byte >= 0xf0) count += 2;
    else if ((byte & 0xc0) !== 0x80) count += 1;
  }
  return count;
}

/** Decodes ended texts in UTF-8 one after the other, and checks them. */
class Utf8Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Decodes the next text into `units` from `end`, followed by FIELD_END. @returns the new end */
  read(units: Uint16Array, end: number): number {
    const bytes = this.#bytes;
    let to = end;
    for (;;) {
      const byte = bytes[this.#at];
      if (byte === undefined) throw brokenText();
      this.#at += 1;
      if (byte === TEXT_END) break;
      const point = byte < 0x80 ? byte : this.#point(byte);
      if (point < 0x10000) {
        units[to] = point;
        to += 1;
      } else {
        units[to] = 0xd7c0 + (point >> 10);
        units[to + 1] = 0xdc00 + (point & 0x3ff);
        to += 2;
      }
    }
    units[to] = FIELD_END;
    return to + 1;
  }

  finish(): void {
    if (this.#at !== this.#bytes.length) throw brokenText();
  }

  /** Reads the rest of a code point that takes several bytes. */
  #point(first: number): number {
    const more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let point = first & (0x3f >> more);
    for (let left = more; left > 0; left -= 1) {
      const byte = this.#bytes[this.#at] ?? 0;
      if ((byte & 0xc0) !== 0x80) throw brokenText();
      point = (point << 6) | (byte & 0x3f);
      this.#at += 1;
    }
    // A shorter form that the point would have: 0xc0 and 0xc1 begin such ones of two bytes.
    const isLong = first < 0xc2 || (more > 1 && point < 2 ** (5 * more + 1));
    const isSurrogate = point >= 0xd800 && point <= 0xdfff;
    if (first > 0xf4 || isLong || isSurrogate || point > 0x10ffff) throw brokenText();
    return point;
  }
}

function brokenText() {
  return broken("texts");
}
