import { BadColumnsError, type ColumnReader } from "./file.js";

/*
 * Many short texts as one column of UTF-8 bytes and one of where each starts.
 */

export interface Texts {
  readonly bytes: Uint8Array;
  /** Where each text starts; one more entry than texts. Below 4 GiB. */
  readonly starts: Uint32Array;
}

const encoder = new TextEncoder();
/** U+FEFF where a text begins is a part of it, and no mark of the order of bytes. */
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

/** Texts, each once, by their places in the order in which they came. */
export class DistinctTexts {
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#places.size;
  }

  /** In their order. */
  get texts(): string[] {
    return [...this.#places.keys()];
  }

  /** A text's place, which it gets now where it is new. */
  placeOf(text: string): number {
    const place = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, place);
    return place;
  }
}

/** Texts as they stand in a file: their bytes, then their starts. @throws BadColumnsError */
export function readTexts(reader: ColumnReader): Texts {
  const texts = { bytes: reader.u8(), starts: reader.u32() };
  if (!areStarts(texts.starts, texts.bytes.length)) {
    throw new BadColumnsError("it has texts that do not begin where the ones before them end");
  }
  return texts;
}

/** Whether places begin with 0, never fall, and end with the length of the column that they lead into. */
export function areStarts(starts: Uint32Array, end: number): boolean {
  return starts[0] === 0 && starts[starts.length - 1] === end && neverFall(starts);
}

/** Whether no number is below the one before it. */
export function neverFall(numbers: Uint32Array): boolean {
  for (let at = 1; at < numbers.length; at += 1) if (numbers[at]! < numbers[at - 1]!) return false;
  return true;
}

/** A text by its place. */
export function textAt({ bytes, starts }: Texts, place: number): string {
  return decoder.decode(bytes.subarray(starts[place], starts[place + 1]));
}

/** Whether the text at a place is this one, of ASCII alone: no other is found. */
export function isTextAt({ bytes, starts }: Texts, place: number, ascii: string): boolean {
  const start = starts[place]!;
  if (starts[place + 1]! - start !== ascii.length) return false;
  for (let at = 0; at < ascii.length; at += 1) {
    const unit = ascii.charCodeAt(at);
    if (unit >= 0x80 || unit !== bytes[start + at]) return false;
  }
  return true;
}

/** All, in their order. */
export function listOf(texts: Texts): string[] {
  const { bytes, starts } = texts;
  const joined = decoder.decode(bytes);
  // Of ASCII alone, a byte a unit: reading all at once takes a tenth.
  const isAscii = joined.length === bytes.length;
  const list: string[] = [];
  for (let place = 0; place + 1 < starts.length; place += 1) {
    list.push(isAscii ? joined.slice(starts[place], starts[place + 1]) : textAt(texts, place));
  }
  return list;
}

/** Bytes that a well-formed text takes in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts for two of its four bytes.
    length += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return length;
}

/** Room for all of some texts. @throws RangeError where they are more than their starts can tell */
export function roomFor(parts: readonly Texts[]): Uint8Array {
  const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (length >= 2 ** 32) throw new RangeError(`texts of ${length} bytes are 4 GiB or more`);
  return new Uint8Array(length);
}

/** The texts of all, one after the other, as columns of their own. @throws RangeError at 4 GiB */
export function joinedTexts(parts: readonly Texts[]): Texts {
  const texts = parts.reduce((sum, { starts }) => sum + starts.length - 1, 0);
  const joined: Texts = { bytes: roomFor(parts), starts: new Uint32Array(texts + 1) };
  let end = 0;
  let place = 0;
  for (const { bytes, starts } of parts) {
    joined.bytes.set(bytes, end);
    for (let at = 1; at < starts.length; at += 1) joined.starts[place + at] = end + starts[at]!;
    place += starts.length - 1;
    end += bytes.length;
  }
  return joined;
}
