/** A word: a run of letters, digits and marks of any script. */
export const WORD = /[\p{L}\p{N}\p{M}]+/gu;

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const POINTS = 0x110000;
const [INSIDE, OUTSIDE] = [1, 2];

/** Finds the words of a text in UTF-16 code units, the same ones as WORD. Asks about each character only once. */
export class WordUnits {
  /** By code point: INSIDE or OUTSIDE a word; 0 if it is not known yet. */
  readonly #kinds = new Uint8Array(POINTS);

  /** Returns the position after the character at `at` if that is part of a word; otherwise `at`. */
  after(units: Uint16Array, at: number): number {
    const point = pointAt(units, at);
    const kinds = this.#kinds;
    if (kinds[point] === 0) {
      kinds[point] = WORD_CHARACTER.test(String.fromCodePoint(point)) ? INSIDE : OUTSIDE;
    }
    if (kinds[point] === OUTSIDE) return at;
    return point > 0xffff ? at + 2 : at + 1;
  }
}

/** Returns the code point at a position; the unit itself if it is half of no pair. */
function pointAt(units: Uint16Array, at: number): number {
  const unit = units[at]!;
  if ((unit & 0xfc00) !== 0xd800) return unit;
  const next = units[at + 1] ?? 0;
  return (next & 0xfc00) === 0xdc00 ? 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff) : unit;
}
