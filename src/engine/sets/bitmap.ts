/*
 * A bitmap holds a set of listing numbers, one bit each, 32 to a word. Bits at and above the number of
 * listings are always 0, so that counting needs no mask. Everything here is a plain loop over words:
 * 100,000 listings are 3,125 of them, and a request is a few such loops.
 */

/** Words that a bitmap of `size` listings takes. */
export function wordsFor(size: number): number {
  return (size + 31) >>> 5;
}

export function hasBit(words: Uint32Array, number: number): boolean {
  return ((words[number >>> 5]! >>> (number & 31)) & 1) !== 0;
}

export function setBit(words: Uint32Array, number: number): void {
  words[number >>> 5]! |= 1 << (number & 31);
}

/** Bits set in a word, counted in parallel: pairs, nibbles, then bytes summed by one multiplication. */
export function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) count += bitsOf(words[at]!);
  return count;
}

/** Listings in both bitmaps, without making the set. */
export function countCommonBits(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) count += bitsOf(a[at]! & b[at]!);
  return count;
}

/** How many of the numbers are in the bitmap. Adding bits, not branching on them: chance cannot be predicted. */
export function countMembers(words: Uint32Array, numbers: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at]!;
    count += (words[number >>> 5]! >>> (number & 31)) & 1;
  }
  return count;
}

/** Keeps in `words` what is also in `other`. */
export function intersectBits(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at += 1) words[at]! &= other[at]!;
}

/** Adds to `words` what is in `other`. */
export function uniteBits(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at += 1) words[at]! |= other[at]!;
}

/** Leaves in `words` the numbers from `from` to before `to` (0 <= from <= to <= listings). */
export function clipBits(words: Uint32Array, from: number, to: number): void {
  const [first, last] = [from >>> 5, to >>> 5];
  words.fill(0, 0, first);
  words.fill(0, last + 1);
  if (first < words.length) words[first]! &= 0xffffffff << (from & 31);
  if (last < words.length) words[last]! &= ~(0xffffffff << (to & 31));
}

/** Makes `words` hold the numbers from `from` to before `to` (0 <= from <= to <= listings), whatever it held. */
export function fillRange(words: Uint32Array, from: number, to: number): Uint32Array {
  words.fill(0xffffffff);
  clipBits(words, from, to);
  return words;
}

/** Calls `visit` with every number of a bitmap that all `others` have too, ascending, until it returns false. */
export function eachBit(
  words: Uint32Array,
  visit: (number: number) => boolean,
  others: readonly Uint32Array[] = [],
): void {
  for (let at = 0; at < words.length; at += 1) {
    let word = words[at]!;
    for (let other = 0; other < others.length && word !== 0; other += 1)
      word &= others[other]![at]!;
    for (; word !== 0; word &= word - 1) {
      if (!visit((at << 5) + 31 - Math.clz32(word & -word))) return;
    }
  }
}

/** Writes up to `into.length` numbers of the bitmap, ascending, after leaving out the first `skip`. */
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

/** Writes the first `into.length` numbers that are not in the bitmap, ascending; there are as many. */
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
