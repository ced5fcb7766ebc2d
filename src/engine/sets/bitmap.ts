/*
 * A bitmap holds a set of listing numbers: one bit each, 32 to a word. Bits at and above the number of listings are
 * always 0, so that counting needs no mask. Every function here is a plain loop over words: 100,000 listings take 3,125
 * words, and a request runs a few such loops.
 */

/** The number of words in a bitmap of `size` listings. */
export function wordsFor(size: number): number {
  return (size + 31) >>> 5;
}

export function hasBit(words: Uint32Array, number: number): boolean {
  return ((words[number >>> 5]! >>> (number & 31)) & 1) !== 0;
}

export function setBit(words: Uint32Array, number: number): void {
  words[number >>> 5]! |= 1 << (number & 31);
}

/** Counts the bits set in a word, in parallel: pairs, then nibbles, then bytes summed by one multiplication. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) count += bitsOf(words[at]!);
  return count;
}

/** Counts the bits from `from` to before `to` (0 <= from <= to <= listings). */
export function countBitsBetween(words: Uint32Array, from: number, to: number): number {
  const first = from >>> 5;
  const last = to >>> 5;
  const below = (index: number, end: number) =>
    bitsOf((words[index] ?? 0) & ~(0xffffffff << (end & 31)));
  return countBits(words.subarray(first, last)) + below(last, to) - below(first, from);
}

/** Counts the listings in both bitmaps, without making the set. */
export function countCommonBits(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) count += bitsOf(a[at]! & b[at]!);
  return count;
}

/**
 * Counts the numbers that are in the bitmap. Adds bits and does not branch on them, since random branches cannot be
 * predicted.
 */
export function countMembers(words: Uint32Array, numbers: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at]!;
    count += (words[number >>> 5]! >>> (number & 31)) & 1;
  }
  return count;
}

/** Removes from `words` all numbers that are not in `other`. */
export function intersectBits(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at += 1) words[at]! &= other[at]!;
}

/** Adds the numbers in `other` to `words`. */
export function uniteBits(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at += 1) words[at]! |= other[at]!;
}

/** Removes all numbers outside `from` to before `to` (0 <= from <= to <= listings). */
export function clipBits(words: Uint32Array, from: number, to: number): void {
  const first = from >>> 5;
  const last = to >>> 5;
  words.fill(0, 0, first);
  words.fill(0, last + 1);
  if (first < words.length) words[first]! &= 0xffffffff << (from & 31);
  if (last < words.length) words[last]! &= ~(0xffffffff << (to & 31));
}

/** Replaces the content of `words` with the numbers from `from` to before `to` (0 <= from <= to <= listings). */
export function fillRange(words: Uint32Array, from: number, to: number): Uint32Array {
  words.fill(0xffffffff);
  clipBits(words, from, to);
  return words;
}

/** Calls `visit` with every number that is in the bitmap, ascending, until it returns false. */
export function eachBit(words: Uint32Array, visit: (number: number) => boolean): void {
  for (let at = 0; at < words.length; at += 1) {
    for (let word = words[at]!; word !== 0; word &= word - 1) {
      if (!visit((at << 5) + 31 - Math.clz32(word & -word))) return;
    }
  }
}

/**
 * Skips the first `skip` numbers of the bitmap, then writes up to `into.length` more, ascending.
 * @returns the part of `into` that was written
 */
export function takeBits(words: Uint32Array, skip: number, into: Uint32Array): Uint32Array {
  let left = skip;
  let taken = 0;
  for (let at = 0; at < words.length && taken < into.length; at += 1) {
    let word = words[at]!;
    const count = bitsOf(word);
    if (count <= left) {
      left -= count;
      continue;
    }
    for (; left > 0; left -= 1) word &= word - 1;
    for (; word !== 0 && taken < into.length; word &= word - 1) {
      into[taken] = (at << 5) + 31 - Math.clz32(word & -word);
      taken += 1;
    }
  }
  return into.subarray(0, taken);
}

/**
 * Writes the first `into.length` numbers that are not in the bitmap, ascending. The bitmap must leave out at least that
 * many.
 */
export function takeGaps(words: Uint32Array, into: Uint32Array): Uint32Array {
  let taken = 0;
  for (let at = 0; taken < into.length; at += 1) {
    for (let word = ~words[at]!; word !== 0 && taken < into.length; word &= word - 1) {
      into[taken] = (at << 5) + 31 - Math.clz32(word & -word);
      taken += 1;
    }
  }
  return into;
}
