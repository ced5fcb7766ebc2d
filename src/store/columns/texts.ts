import { BadColumnsError, type ColumnReader } from "./file.js";

/*
 * Many short texts as two columns: their UTF-8 bytes, and where each text starts.
 */

export interface Texts {
  readonly bytes: Uint8Array;
  /** Where each text starts; one more entry than texts. Below 4 GiB. */
  readonly starts: Uint32Array;
}

const encoder = new TextEncoder();
/** A U+FEFF at the start of a text is part of the text, not a byte-order mark. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function textsOf(texts: readonly string[]): Texts {
  const bytes = encoder.encode(texts.join(""));
  const starts = new Uint32Array(texts.length + 1);
  let end = 0;
  for (const [place, text] of texts.entries()) {
    end += utf8Length(text);
    starts[place + 1] = end;
  }
  return { bytes, starts };
}

/** Distinct texts, numbered in the order of their first occurrence. */
export class DistinctTexts {
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#places.size;
  }

  /** In the order of their numbers. */
  get texts(): string[] {
    return [...this.#places.keys()];
  }

  /** A text's number. A new text gets the next number. */
  placeOf(text: string): number {
    const place = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, place);
    return place;
  }
}

/** Reads the texts of a file: their bytes, then their starts. @throws BadColumnsError */
export function readTexts(reader: ColumnReader): Texts {
  const texts = { bytes: reader.u8(), starts: reader.u32() };
  if (!areStarts(texts.starts, texts.bytes.length)) {
    throw new BadColumnsError("it has a text that does not begin where the previous one ends");
  }
  return texts;
}

/** Whether starts begin with 0, never decrease, and end with the length of the column that they point into. */
export function areStarts(starts: Uint32Array, end: number): boolean {
  return starts[0] === 0 && starts[starts.length - 1] === end && neverFall(starts);
}

/** Whether no number is less than the one before it. */
export function neverFall(numbers: Uint32Array): boolean {
  for (let at = 1; at < numbers.length; at += 1) if (numbers[at]! < numbers[at - 1]!) return false;
  return true;
}

/** The text at a place. */
export function textAt({ bytes, starts }: Texts, place: number): string {
  return decoder.decode(bytes.subarray(starts[place], starts[place + 1]));
}

/** Whether the text at a place equals `ascii`. Always false if `ascii` contains other characters than ASCII. */
export function isTextAt({ bytes, starts }: Texts, place: number, ascii: string): boolean {
  const start = starts[place]!;
  if (starts[place + 1]! - start !== ascii.length) return false;
  for (let at = 0; at < ascii.length; at += 1) {
    const unit = ascii.charCodeAt(at);
    if (unit >= 0x80 || unit !== bytes[start + at]) return false;
  }
  return true;
}

/**
 * All texts, in order.
 * @param change changes each text; in a text of ASCII alone, it may only change the case of letters. Default: no change
 */
export function listOf(texts: Texts, change = (text: string): string => text): string[] {
  const { bytes, starts } = texts;
  const joined = decoder.decode(bytes);
  // In pure ASCII, each unit is one byte, so all texts can be decoded together, in a tenth of the time.
  const isAscii = joined.length === bytes.length;
  const all = isAscii ? change(joined) : "";
  const list: string[] = [];
  for (let place = 0; place + 1 < starts.length; place += 1) {
    list.push(isAscii ? all.slice(starts[place], starts[place + 1]) : change(textAt(texts, place)));
  }
  return list;
}

/** Bytes that a well-formed text takes in UTF-8. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts for two of its four bytes.
    length += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return length;
}
