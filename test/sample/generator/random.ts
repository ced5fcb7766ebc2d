import { itemAt } from "../../../src/contract/tables.js";

/**
 * A seeded stream of random numbers, identical on every machine: sfc32, with its state filled from the keys by
 * splitmix32's step. This file and its callers use only integer and basic arithmetic, whose results the language
 * defines exactly; `Math.pow` and `Math.log` may differ between machines.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param keys whole numbers below 2^32; different keys give different streams */
  constructor(...keys: readonly number[]) {
    // The three words of state are mixed separately, so that the streams of many listings do not coincide.
    const word = (salt: number) => keys.reduce((state, key) => mix(state ^ mix(key)), salt);
    this.#a = word(1);
    this.#b = word(2);
    this.#c = word(3);
    for (let i = 0; i < 4; i += 1) this.next();
  }

  /** A whole number below 2^32. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number from 0 to less than 1. */
  unit(): number {
    return this.next() / 2 ** 32;
  }

  /** A whole number from `min` to `max`, inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.unit() * (max - min + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return itemAt(list, this.between(0, list.length - 1));
  }

  /** Up to `count` different items of the list, in list order. */
  some<T>(list: readonly T[], count: number): T[] {
    let wanted = Math.min(count, list.length);
    return list.filter((_, place) => {
      const taken = this.chance(wanted / (list.length - place));
      if (taken) wanted -= 1;
      return taken;
    });
  }

  /** One of the outcomes, with a probability proportional to its weight. */
  weighted<T>(outcomes: readonly (readonly [outcome: T, weight: number])[]): T {
    let rest = this.unit() * outcomes.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [outcome, weight] of outcomes) {
      rest -= weight;
      if (rest < 0) return outcome;
    }
    return itemAt(outcomes, outcomes.length - 1)[0];
  }

  /** A code of `length` characters from 0-9 and a-z. */
  code(length: number): string {
    let code = "";
    while (code.length < length) code += this.between(0, 35).toString(36);
    return code;
  }
}

/**
 * A permutation of the whole numbers below `size`: a Feistel network over the next power of four, repeated until the
 * value is below `size`. Different indices give different numbers, so callers need no set of used ones.
 */
export function permuted(index: number, size: number, key: number): number {
  let half = 1;
  while (2 ** (2 * half) < size) half += 1;
  const mask = 2 ** half - 1;
  let value = index;
  do {
    let left = value >>> half;
    let right = value & mask;
    for (let round = 0; round < 4; round += 1) {
      [left, right] = [right, left ^ (mix(right ^ mix(key + round)) & mask)];
    }
    value = ((left << half) | right) >>> 0;
  } while (value >= size);
  return value;
}

/** splitmix32's step: a bijection of 32-bit numbers in which every input bit affects the whole output. */
function mix(value: number): number {
  let z = (value + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}
