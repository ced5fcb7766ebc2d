/*
 * Sorts numbers by their texts with a radix sort over the first units: one pass for each unit, from the last one to the
 * first, each keeping the order of equal units. A few passes sort all listings, while a comparison sort would read each
 * text about twenty times, far apart in memory. The few texts that share all their first units are compared.
 */

/** Texts in one array, by number. */
export interface TextSlices {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Units that the passes sort by. Few hosts or names share that many. */
const PASSES = 12;
/** The number of sort symbols: 0 for the end of a text, else the unit plus 1. */
const SYMBOLS = 0x10001;

/**
 * Sorts numbers by their texts, by code unit. Equal texts keep the order of their numbers in the input.
 * @param descending whether to reverse the order of the texts
 */
export function sortByText(
  numbers: Uint32Array,
  texts: TextSlices,
  descending = false,
): Uint32Array {
  let sorted: Uint32Array = numbers.slice();
  let into: Uint32Array = new Uint32Array(numbers.length);
  const symbols = new Uint32Array(texts.starts.length);
  /** By symbol, the position for its next number. */
  const next = new Uint32Array(SYMBOLS + 1);
  for (let unit = Math.min(PASSES, longest(numbers, texts)) - 1; unit >= 0; unit -= 1) {
    takeSymbols(symbols, texts, unit, descending);
    sortBySymbols(sorted, into, symbols, next.fill(0));
    [sorted, into] = [into, sorted];
  }
  const sign = descending ? -1 : 1;
  const compare = (a: number, b: number) => sign * compareFrom(PASSES, texts, a, b);
  for (let start = 0, end = 1; start < sorted.length; start = end, end += 1) {
    while (end < sorted.length && startAlike(texts, sorted[start]!, sorted[end]!)) end += 1;
    if (end - start > 1) sorted.subarray(start, end).sort(compare);
  }
  return sorted;
}

function longest(numbers: Uint32Array, { starts, ends }: TextSlices): number {
  return numbers.reduce((most, number) => Math.max(most, ends[number]! - starts[number]!), 0);
}

/**
 * Reads one unit of each text, in the order in which the texts lie in memory. In sort order each read would miss the
 * cache.
 */
function takeSymbols(
  symbols: Uint32Array,
  { units, starts, ends }: TextSlices,
  unit: number,
  descending: boolean,
): void {
  for (let number = 0; number < symbols.length; number += 1) {
    const at = starts[number]! + unit;
    const symbol = at < ends[number]! ? units[at]! + 1 : 0;
    symbols[number] = descending ? SYMBOLS - 1 - symbol : symbol;
  }
}

/**
 * @param symbols by number
 * @param next zeros, one more than there are symbols
 */
function sortBySymbols(
  numbers: Uint32Array,
  into: Uint32Array,
  symbols: Uint32Array,
  next: Uint32Array,
): void {
  for (let at = 0; at < numbers.length; at += 1) next[symbols[numbers[at]!]! + 1]! += 1;
  for (let symbol = 1; symbol <= SYMBOLS; symbol += 1) next[symbol]! += next[symbol - 1]!;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at]!;
    const symbol = symbols[number]!;
    into[next[symbol]!] = number;
    next[symbol]! += 1;
  }
}

/** Whether two texts share the units that the passes sort by. */
function startAlike({ units, starts, ends }: TextSlices, a: number, b: number): boolean {
  const [i, j] = [starts[a]!, starts[b]!];
  const length = Math.min(PASSES, ends[a]! - i);
  if (length !== Math.min(PASSES, ends[b]! - j)) return false;
  for (let at = length - 1; at >= 0; at -= 1) if (units[i + at] !== units[j + at]) return false;
  return true;
}

/** Compares two texts that share their first `skipped` units. */
function compareFrom(
  skipped: number,
  { units, starts, ends }: TextSlices,
  a: number,
  b: number,
): number {
  const [i, j] = [starts[a]!, starts[b]!];
  const [aLength, bLength] = [ends[a]! - i, ends[b]! - j];
  for (let at = skipped; at < aLength && at < bLength; at += 1) {
    const difference = units[i + at]! - units[j + at]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}
