/*
 * Reads JSON piece by piece, in the form that `JSON.stringify` writes: without white space. Skipping a value looks at
 * each of its bytes once and creates no objects.
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

/** The change in depth by byte: 1 or -1 for a bracket, otherwise 0. */
const LEVELS = new Int8Array(256);
for (const byte of [OPEN_LIST, OPEN_OBJECT]) LEVELS[byte] = 1;
for (const byte of [CLOSE_LIST, CLOSE_OBJECT]) LEVELS[byte] = -1;

/** Bits that all four brackets share and few other bytes have. */
const BRACKET_BITS = OPEN_LIST & CLOSE_LIST;

/** Limits within which a value is read whole. */
export interface WeightLimits {
  /** The maximum weight of a value with all its content: 1 per byte, plus `perValue` and the depth for each value. */
  readonly weight: number;
  readonly perValue: number;
  /** The maximum number of bytes in any one text of the value. */
  readonly textBytes: number;
}

const decoder = new TextDecoder();

export class JsonScanner {
  /** The byte offset of the next value, key or punctuation mark. */
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether the next byte equals `byte`. */
  isAt(byte: number): boolean {
    return this.#bytes[this.at] === byte;
  }

  get isAtText(): boolean {
    return this.isAt(QUOTE);
  }

  /** Consumes the next byte if it equals `byte`. @returns whether it does */
  take(byte: number): boolean {
    const isThere = this.isAt(byte);
    if (isThere) this.at += 1;
    return isThere;
  }

  /** Consumes the next byte. @throws SyntaxError if it does not equal `byte` */
  expect(byte: number): void {
    if (!this.take(byte)) throw this.#unexpected(this.at);
  }

  /** Reads a number, `true`, `false` or `null`. @throws SyntaxError if there is none */
  scalar(): unknown {
    const start = this.at;
    let end = start;
    for (let byte = this.#bytes[end]; isOfScalar(byte); byte = this.#bytes[end]) end += 1;
    this.at = end;
    return this.#parse(start, end);
  }

  /** Reads a text, cut after `unitsMax` UTF-16 code units or at the next whole character. @throws SyntaxError */
  text(unitsMax: number): { readonly text: string; readonly isCut: boolean } {
    const start = this.at;
    this.expect(QUOTE);
    const end = this.#endOfText(this.at);
    const cut = end - this.at > unitsMax ? this.#afterUnits(this.at, end - 1, unitsMax) : end - 1;
    this.at = end;
    const isCut = cut < end - 1;
    const json = decoder.decode(this.#bytes.subarray(start, isCut ? cut : end));
    const text: string = JSON.parse(isCut ? `${json}"` : json);
    return { text, isCut };
  }

  /** Skips a value. @returns its weight; null, without moving, if it exceeds the limits */
  skipLight(limits: WeightLimits): number | null {
    const measured = this.#measure(limits);
    if (measured === null) return null;
    this.at = measured.end;
    return measured.weight;
  }

  /** Reads a whole value. @returns the value and its weight; null, without moving, if it exceeds the limits */
  lightValue(limits: WeightLimits): { readonly value: unknown; readonly weight: number } | null {
    const start = this.at;
    const measured = this.#measure(limits);
    if (measured === null) return null;
    this.at = measured.end;
    return { value: this.#parse(start, this.at), weight: measured.weight };
  }

  /**
   * Skips the rest of a list or object, including its end. The scanner must be at the start of an item.
   * @returns the number of items skipped
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

  /** The end and weight of the next value; null if the value exceeds the limits. */
  #measure({ weight: weightMax, perValue, textBytes }: WeightLimits) {
    const bytes = this.#bytes;
    let [at, values, depth] = [this.at, perValue, 0];
    while (at < bytes.length) {
      const byte = bytes[at]!;
      at += 1;
      if (byte === QUOTE) {
        const end = this.#endOfText(at);
        if (end - at > textBytes) return null;
        at = end;
      } else {
        const level = LEVELS[byte]!;
        depth += level;
        if (byte === COMMA || level > 0) values += perValue + depth;
        // What follows within a list or object is looked at anyway; only a value's end needs the test below.
        else if (depth > 0) continue;
      }
      if (values + at - this.at > weightMax) return null;
      const isEnd = depth === 0 && !isOfScalar(bytes[at]) && bytes[at] !== COLON;
      if (isEnd) return { end: at, weight: values + at - this.at };
    }
    throw this.#unexpected(at);
  }

  /** @param start the offset after the opening quote @returns the offset after the closing quote */
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

  /** The offset after `units` UTF-16 code units of a text, or `end` if the text is shorter. */
  #afterUnits(start: number, end: number, units: number): number {
    let [at, left] = [start, units];
    while (left > 0 && at < end) {
      const byte = this.#bytes[at]!;
      if (byte === BACKSLASH) at += this.#bytes[at + 1] === LETTER_U ? 6 : 2;
      else at += characterLength(byte);
      // A character of four UTF-8 bytes has two UTF-16 code units.
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

/** The length in bytes of a UTF-8 character, given its first byte. */
function characterLength(first: number): number {
  if (first < 0x80) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether a byte may be part of a number, `true`, `false` or `null`. */
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
 * Tests four bytes at a time: `(x - 0x01010101) & ~x & 0x80808080` sets the high bit of the lowest zero byte of x, and
 * is 0 if x has no zero byte. Higher bits may be wrong.
 */

/** Finds quotes and backslashes in four bytes: 0 if there are none, else the lowest set bit is in the first one. */
function marksIn(word: number): number {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  return (((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)) & 0x80808080;
}

/** The index, 0 to 3, of the byte that holds the lowest set bit. */
function firstByteOf(bits: number): number {
  return (31 - Math.clz32(bits & -bits)) >> 3;
}
