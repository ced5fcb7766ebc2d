/**
 * Returns a pseudo-random source: each call gives a number in 0 (inclusive) to 1 (exclusive).
 * The same seed gives the same sequence on every machine
 * (mulberry32; the seed counts modulo 2^32).
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** A whole number from `least` to `most`, both inclusive. */
export function whole(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** True with the given probability (0 to 1). */
export function chance(random: () => number, probability: number): boolean {
  return random() < probability;
}

/** One of the values, each as likely as the others. Throws RangeError when there is none. */
export function pick<T>(random: () => number, values: readonly T[]): T {
  if (values.length === 0) throw new RangeError("nothing to pick from");
  return values[whole(random, 0, values.length - 1)] as T;
}

/** One of the values, as likely as its weight says; the weights are positive numbers. */
export function pickWeighted<T>(
  random: () => number,
  choices: readonly (readonly [weight: number, value: T])[],
): T {
  let left = random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of choices) {
    left -= weight;
    if (left < 0) return value;
  }
  return pick(random, choices)[1];
}

/** The values in a random order; the given array stays as it is. */
export function shuffled<T>(random: () => number, values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
