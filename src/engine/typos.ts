import { byCodeUnit } from "../contract/order.js";
import type { Dictionary } from "./dictionary.js";

/*
 * What a mistyped word may have been: words of the dictionary within one edit, with two neighbours
 * swapped, or continuing it; two words whose space is missing; and, further off, words within two edits.
 * Costs are edits, with a fraction for what makes a typo of that kind, or such a word, less likely.
 */

/** A word that another may have been, and how unlikely that is: the lower, the likelier. */
export interface Alternative {
  readonly text: string;
  readonly cost: number;
}

/** The least that a near alternative costs, and a far one. */
export const NEAR = 1;
export const FAR = 2;

/** UTF-16 code units of a word from which it may be two edits off: shorter ones are near everything. */
const FAR_LENGTH_MIN = 5;
/** UTF-16 code units of a beginning that may be continued. */
const PREFIX_LENGTH_MIN = 3;
const CONTINUATIONS_MAX = 500;
/** Alternatives of a word and a reach. */
const ALTERNATIVES_MAX = 40;

/** Beside the edits: what a wrong letter, a lost or added one, another first letter and a rare word cost. */
const REPLACED = 0.15;
const RESIZED = 0.1;
const FIRST_CHANGED = 0.3;
const RARE = 0.4;
const SPLIT = 0.5;
const CONTINUED = 0.2;

/** Words one edit, swap, space or ending away, best first. */
export function nearWords(dictionary: Dictionary, word: string): Alternative[] {
  if (word.length < 2) return [];
  const costs = new Map<string, number>();
  const add = (text: string, cost: number) => {
    if (text !== word) costs.set(text, Math.min(cost, costs.get(text) ?? Number.POSITIVE_INFINITY));
  };
  for (const [text, [count]] of dictionary.fuzzyGet(word, 1)) {
    add(text, NEAR + editCost(word, text) + rarity(count));
  }
  for (let at = 0; at + 1 < word.length; at += 1) {
    const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
    const count = dictionary.get(swapped);
    if (count !== undefined) add(swapped, NEAR + firstCost(word, swapped) + rarity(count));
  }
  for (let at = 2; at + 2 <= word.length; at += 1) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    const count = Math.min(dictionary.get(first) ?? 0, dictionary.get(second) ?? 0);
    if (count > 0) add(`${first} ${second}`, NEAR + SPLIT + rarity(count));
  }
  for (const [text, count] of continuations(dictionary, word)) {
    add(text, NEAR + CONTINUED + rarity(count));
  }
  return best(costs);
}

/** Words two edits away, best first. */
export function farWords(dictionary: Dictionary, word: string): Alternative[] {
  if (word.length < FAR_LENGTH_MIN) return [];
  const costs = new Map<string, number>();
  for (const [text, [count, distance]] of dictionary.fuzzyGet(word, 2)) {
    if (distance === 2) costs.set(text, FAR + firstCost(word, text) + rarity(count));
  }
  return best(costs);
}

function* continuations(dictionary: Dictionary, word: string): Generator<[string, number]> {
  if (word.length < PREFIX_LENGTH_MIN) return;
  let left = CONTINUATIONS_MAX;
  for (const entry of dictionary.atPrefix(word)) {
    yield entry;
    left -= 1;
    if (left === 0) return;
  }
}

function editCost(word: string, text: string): number {
  return firstCost(word, text) + (word.length === text.length ? REPLACED : doubledCost(word, text));
}

/** A letter typed twice, or once where it is double, is the likelier of the lost and added ones. */
function doubledCost(word: string, text: string): number {
  const [short, long] = word.length < text.length ? [word, text] : [text, word];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return long[at] === long[at - 1] ? 0 : RESIZED;
}

function firstCost(word: string, text: string): number {
  return word[0] === text[0] ? 0 : FIRST_CHANGED;
}

/** Falls from RARE for a word of one listing, ever slower, to 0. */
function rarity(count: number): number {
  return RARE / (1 + Math.log2(count));
}

function best(costs: ReadonlyMap<string, number>): Alternative[] {
  return [...costs]
    .map(([text, cost]) => ({ text, cost }))
    .sort((a, b) => a.cost - b.cost || byCodeUnit(a.text, b.text))
    .slice(0, ALTERNATIVES_MAX);
}
