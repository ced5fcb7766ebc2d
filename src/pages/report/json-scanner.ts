/*
 * Reads JSON piece by piece, as `JSON.stringify` writes it: without white space. A value that is skipped costs one look at
 * each of its bytes; no object is made of it.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** By byte, how many levels deeper it leads: 1 or -1 for a bracket, else 0. */
const LEVELS = new Int8Array(256);
for (const byte of [OPEN_LIST, OPEN_OBJECT]) LEVELS[byte] = 1;
for (const byte of [CLOSE_LIST, CLOSE_OBJECT]) LEVELS[byte] = -1;

/** Bits that all four brackets have, and few other bytes. */
const BRACKET_BITS = OPEN_LIST & CLOSE_LIST;

/** What a value may weigh to be read whole. */
export interface WeightLimits {
  /** The most that a value and all within it may weigh: a unit for each byte, `perValue` and the depth for each value. */
  readonly weight: number;
  readonly perValue: number;
  /** The most bytes that one text within it may have. */
  readonly textBytes: number;
}

const decoder = new TextDecoder();

export class JsonScanner {
  /** Where the next value, key or mark begins. */
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether the next byte is this one. */
  isAt(byte: number): boolean {
    return this.#bytes[this.at] === byte;
  }

  get isAtText(): boolean {
    return this.isAt(QUOTE);
  }

  /** Goes past the next byte where it is this one. @returns whether it is */
  take(byte: number): boolean {
    const isThere = this.isAt(byte);
    if (isThere) this.at += 1;
    return isThere;
  }

  /** Goes past the next byte. @throws SyntaxError where it is another */
  expect(byte: number): void {
    if (!this.take(byte)) throw this.#unexpected(this.at);
  }

  /** Reads a number, `true`, `false` or `null`. @throws SyntaxError */
  scalar(): unknown {
    const start = this.at;
    let end = start;
    for (let byte = this.#bytes[end]; isOfScalar(byte); byte = this.#bytes[end]) end += 1;
    this.at = end;
    return this.#parse(start, end);
  }

  /** Reads a text, of which it gives no more than `unitsMax` UTF-16 code units. @throws SyntaxError */
  text(unitsMax: number): { readonly text: string; readonly isCut: boolean } {
    const start = this.at;
    this.expect(QUOTE);
    const end = this.#endOfText(this.at);
    const cut = end - this.at > unitsMax ? this.#afterUnits(this.at, end - 1, unitsMax) : end - 1;
    this.at = end;
    if (cut === end - 1) return { text: this.#parse(start, end) as string, isCut: false };
    const json = `${decoder.decode(this.#bytes.subarray(start, cut))}"`;
    return { text: JSON.parse(json) as string, isCut: true };
  }

  /** Reads a value whole where it is within limits. @returns null where it is not; what it weighs otherwise */
  lightValue(limits: WeightLimits): { readonly value: unknown; readonly weight: number } | null {
    const start = this.at;
    const measured = this.#measure(limits);
    if (measured === null) return null;
    this.at = measured.end;
    return { value: this.#parse(start, this.at), weight: measured.weight };
  }

  /**
   * Goes past what is left of a list or object, its end included, from where one of its items begins.
   * @returns how many items that were
   */
  skipRest(): number {
    const bytes = this.#bytes;
    let [at, items, depth] = [this.at, 1, 1];
    while (at < bytes.length) {
      const byte = bytes[at]!;
      at += 1;
      if (byte === QUOTE) at = this.#endOfText(at);
      else if (byte === COMMA) items += depth === 1 ? 1 : 0;
      else if ((byte & BRACKET_BITS) === BRACKET_BITS) {
        depth += LEVELS[byte]!;
        if (depth > 0) continue;
        this.at = at;
        return items;
      }
    }
    throw this.#unexpected(at);
  }

  /** Where a value within limits ends, and what it weighs; null where it is not within them. */
  #measure({ weight: weightMax, perValue, textBytes }: WeightLimits) {
    const bytes = this.#bytes;
    let [at, values, depth] = [this.at, perValue, 0];
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      const level = LEVELS[byte]!;
      at += 1;
      depth += level;
      if (byte === COMMA || level > 0) values += perValue + depth;
      if (byte === QUOTE) {
        const end = this.#endOfText(at);
        if (end - at > textBytes) return null;
        at = end;
      }
      const weight = values + at - this.at;
      if (weight > weightMax) return null;
      const isEnd = depth === 0 && !isOfScalar(bytes[at]) && bytes[at] !== COLON;
      if (isEnd) return { end: at, weight };
    }
    throw this.#unexpected(at);
  }

  /** @param start behind the quote @returns the place behind the quote that ends the text */
  #endOfText(start: number): number {
    const [bytes, view, last] = [this.#bytes, this.#view, this.#bytes.length - 4];
    let at = start;
    while (at < bytes.length) {
      if (at <= last) {
        const marks = marksIn(view.getInt32(at, true));
        if (marks === 0) {
          at += 4;
          continue;
        }
        at += firstByteOf(marks);
      }
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    throw this.#unexpected(at);
  }

  /** The place behind so many UTF-16 code units of a text, or its end where it has no more. */
  #afterUnits(start: number, end: number, units: number): number {
    let [at, left] = [start, units];
    while (left > 0 && at < end) {
      const byte = this.#bytes[at]!;
      if (byte === BACKSLASH) at += this.#bytes[at + 1] === LETTER_U ? 6 : 2;
      else at += utf8Length(byte);
      // What takes four bytes of UTF-8 takes two units.
      left -= byte < 0xf0 ? 1 : 2;
    }
    return at;
  }

  #parse(start: number, end: number): unknown {
    return JSON.parse(decoder.decode(this.#bytes.subarray(start, end)));
  }

  #unexpected(at: number): SyntaxError {
    return new SyntaxError(`the JSON is not as expected at byte ${at}`);
  }
}

/** How many bytes a character of UTF-8 takes that begins with this one. */
function utf8Length(first: number): number {
  if (first < 0x80) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether a byte may be one of a number, `true`, `false` or `null`. */
function isOfScalar(byte: number | undefined): boolean {
  return (
    byte !== undefined &&
    byte !== COMMA &&
    byte !== COLON &&
    byte !== CLOSE_LIST &&
    byte !== CLOSE_OBJECT
  );
}

/*
 * Four bytes at a time: `(x - 0x01010101) & ~x & 0x80808080` has the high bit of the lowest byte of x that is 0, and is 0
 * where none is. Bits above that one may be wrong.
 */

/** Whether a quote or backslash is among four bytes: 0 where none is, else its lowest bit is in the first. */
function marksIn(word: number): number {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  return (((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)) & 0x80808080;
}

/** Which byte the lowest bit lies in, 0 to 3. */
function firstByteOf(bits: number): number {
  return (31 - Math.clz32(bits & -bits)) >> 3;
}
