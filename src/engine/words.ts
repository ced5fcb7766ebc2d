/*
 * A word is a run of letters, digits and marks of any script. Queries are cut into words by one regular
 * expression; the text of all listings, where a string for each word would cost more than all else, is
 * walked by unit with a table made from the same expression.
 */

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const WORD_POINT = /^[\p{L}\p{N}\p{M}]$/u;
/** UTF-16 code units. Longer runs are no words that anyone mistypes, and cost much to compare. */
export const WORD_MAX = 64;

/** A text cut at its words: even places hold what is between words, odd ones the words. */
export function cutWords(text: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    pieces.push(text.slice(end, index), word);
    end = index + word.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

/** What a code unit tells of words: it belongs to none, it belongs to one, or the pair has to be seen. */
const BETWEEN = 0;
const WITHIN = 1;
const PAIR = 2;

/** Finds the words of folded text. */
export class WordScanner {
  readonly #kinds = unitKinds();
  /** Astral code points seen so far, and whether they belong to words. */
  readonly #points = new Map<number, boolean>();

  /** Calls `visit` with the start and the end of every word from `start` to before `end`. */
  eachWord(
    units: Uint16Array,
    start: number,
    end: number,
    visit: (start: number, end: number) => void,
  ): void {
    let first = start;
    let at = start;
    while (at < end) {
      const kind = this.#kinds[units[at]!]!;
      if (kind === WITHIN) {
        at += 1;
      } else if (kind === PAIR && this.#isPairWithin(units[at]!, units[at + 1] ?? 0)) {
        at += 2;
      } else {
        if (at > first) visit(first, at);
        at += 1;
        first = at;
      }
    }
    if (end > first) visit(first, end);
  }

  #isPairWithin(high: number, low: number): boolean {
    // A field's end is a lone surrogate.
    if (low < 0xdc00 || low > 0xdfff) return false;
    const point = (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
    let within = this.#points.get(point);
    if (within === undefined) {
      within = WORD_POINT.test(String.fromCodePoint(point));
      this.#points.set(point, within);
    }
    return within;
  }
}

/** By code unit, what it tells. */
function unitKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000).fill(BETWEEN);
  // By blocks, as no engine takes this many arguments in one call.
  for (let block = 0; block < 0x10000; block += 0x400) {
    if (block >= 0xd800 && block <= 0xdfff) continue;
    const text = String.fromCharCode(...Array.from({ length: 0x400 }, (_, at) => block + at));
    for (const { 0: run, index } of text.matchAll(WORD)) {
      kinds.fill(WITHIN, block + index, block + index + run.length);
    }
  }
  return kinds.fill(PAIR, 0xd800, 0xdc00);
}
