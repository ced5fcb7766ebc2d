/** Texts in one array, by number. */
export interface TextSlices {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Sorts numbers by their texts, by code unit. Equal texts keep the order of their numbers in the input.
 * @param descending whether to reverse the order of the texts
 */
export function sortByText(
  numbers: Uint32Array,
  { units, starts, ends }: TextSlices,
  descending = false,
): Uint32Array {
  const sign = descending ? -1 : 1;
  return numbers.toSorted((a, b) => {
    const [i, j] = [starts[a]!, starts[b]!];
    const [aLength, bLength] = [ends[a]! - i, ends[b]! - j];
    for (let at = 0; at < aLength && at < bLength; at += 1) {
      const difference = units[i + at]! - units[j + at]!;
      if (difference !== 0) return sign * difference;
    }
    return sign * (aLength - bLength);
  });
}
