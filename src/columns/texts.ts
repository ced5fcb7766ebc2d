import type { ColumnReader } from "./file.js";

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
  return { bytes: reader.u8(), starts: reader.u32() };
}

/** A text by its place. */
export function textAt({ bytes, starts }: Texts, place: number): string {
  return decoder.decode(bytes.subarray(starts[place], starts[place + 1]));
}

/** All, in their order. */
export function listOf(texts: Texts): string[] {
  return Array.from(texts.starts.subarray(1), (_, place) => textAt(texts, place));
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

/** The texts of all, one after the other, as columns of their own. */
export function joinedTexts(parts: readonly Texts[]): Texts {
  const lengthOf = (pick: (part: Texts) => number) =>
    parts.reduce((sum, part) => sum + pick(part), 0);
  const joined: Texts = {
    bytes: new Uint8Array(lengthOf(({ bytes }) => bytes.length)),
    starts: new Uint32Array(lengthOf(({ starts }) => starts.length - 1) + 1),
  };
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
