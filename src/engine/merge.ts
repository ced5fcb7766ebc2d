/*
 * Each bucket's listings come sorted, so all of them are sorted by merging: neighbouring runs two by two,
 * until one is left. Nine rounds for 512 buckets, where sorting anew would take seventeen.
 */

/** Negative where the first comes first, 0 where they are equal, positive where the second does. */
export type Compare = (a: number, b: number) => number;

/**
 * Sorts numbers that lie in sorted runs; of equal ones the earlier run's come first.
 * @param ends where each run ends, ascending
 */
export function mergeRuns(
  numbers: Uint32Array,
  ends: readonly number[],
  compare: Compare,
): Uint32Array {
  let from = numbers;
  let into: Uint32Array = new Uint32Array(numbers.length);
  for (let runs = ends; runs.length > 1; ) {
    const merged: number[] = [];
    let start = 0;
    for (let run = 0; run < runs.length; run += 2) {
      const middle = runs[run]!;
      const end = runs[run + 1] ?? middle;
      mergeTwo(from, start, middle, end, into, compare);
      merged.push(end);
      start = end;
    }
    [from, into] = [into, from === numbers ? new Uint32Array(numbers.length) : from];
    runs = merged;
  }
  return from;
}

function mergeTwo(
  from: Uint32Array,
  start: number,
  middle: number,
  end: number,
  into: Uint32Array,
  compare: Compare,
): void {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at += 1) {
    const isLeft = right === end || (left < middle && compare(from[left]!, from[right]!) <= 0);
    into[at] = isLeft ? from[left]! : from[right]!;
    if (isLeft) left += 1;
    else right += 1;
  }
}
