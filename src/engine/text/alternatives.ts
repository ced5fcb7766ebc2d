import { byCodeUnit } from "../../contract/order.js";
import { WORD_MAX, type WordTree } from "./words.js";

/*
 * Words of the directory that a mistyped word may stand for. Near ones are one edit away, have two neighbours swapped,
 * continue the word, or split it in two. Far ones are two edits away. An edit inserts, deletes or replaces one UTF-16
 * code unit. The cost of an alternative is its number of edits, plus a fraction for each sign that the typo is less
 * likely.
 */

/** A text that a word may stand for. A lower cost means a likelier one. */
export interface Alternative {
  readonly text: string;
  readonly cost: number;
}

/** Near is one edit, swap, space or ending away. Far is two edits away. */
export type Reach = "near" | "far";

/** The lowest cost of an alternative. */
export const COST: Readonly<Record<Reach, number>> = { near: 1, far: 2 };

/** In UTF-16 code units. Shorter words are within two edits of too many others. */
const FAR_LENGTH_MIN = 5;
/** In UTF-16 code units. Shorter words begin too many others. */
const CONTINUED_LENGTH_MIN = 3;
/** UTF-16 code units in each half of a split word, at least. */
const HALF_MIN = 2;
const CONTINUATIONS_MAX = 10;
const ALTERNATIVES_MAX = 40;

/**
 * Added to the number of edits: for a wrong letter, a lost or added one, another first letter, a rare word, a
 * continuation.
 */
const REPLACED = 0.15;
const RESIZED = 0.1;
const FIRST_CHANGED = 0.3;
const RARE = 0.4;
const CONTINUED = 0.2;
/** The cost of splitting a word in two, by the text put in between. */
const SPLIT: Readonly<Record<string, number>> = { " ": 0.5, "-": 0.55, ".": 0.6 };

/** Returns the best alternatives of a word, best first. */
export function alternativesOf(tree: WordTree, word: string, reach: Reach): Alternative[] {
  if (word.length > WORD_MAX) return [];
  const costs = reach === "near" ? nearOf(tree, word) : farOf(tree, word);
  return [...costs]
    .map(([text, cost]) => ({ text, cost }))
    .sort((a, b) => a.cost - b.cost || byCodeUnit(a.text, b.text))
    .slice(0, ALTERNATIVES_MAX);
}

function nearOf(tree: WordTree, word: string): Map<string, number> {
  const costs = new Map<string, number>();
  if (word.length < 2) return costs;
  const add = (text: string, cost: number) => {
    costs.set(text, Math.min(COST.near + cost, costs.get(text) ?? Number.POSITIVE_INFINITY));
  };
  for (const [text, [count, edits]] of tree.fuzzyGet(word, 1)) {
    if (edits === 1) add(text, editCost(word, text) + rarity(count));
  }
  for (let at = 0; at + 1 < word.length; at += 1) {
    const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
    const count = tree.get(swapped);
    if (swapped !== word && count !== undefined)
      add(swapped, firstCost(word, swapped) + rarity(count));
  }
  for (let at = HALF_MIN; at + HALF_MIN <= word.length; at += 1) {
    const first = word.slice(0, at);
    const last = word.slice(at);
    const count = Math.min(tree.get(first) ?? 0, tree.get(last) ?? 0);
    if (count === 0) continue;
    for (const [joint, cost] of Object.entries(SPLIT))
      add(first + joint + last, cost + rarity(count));
  }
  for (const [text, count] of continuationsOf(tree, word)) add(text, CONTINUED + rarity(count));
  return costs;
}

function farOf(tree: WordTree, word: string): Map<string, number> {
  const costs = new Map<string, number>();
  if (word.length < FAR_LENGTH_MIN) return costs;
  for (const [text, [count, edits]] of tree.fuzzyGet(word, 2)) {
    if (edits === 2) costs.set(text, COST.far + firstCost(word, text) + rarity(count));
  }
  return costs;
}

/** Returns longer words that start with this one: those found in the most listings. */
function continuationsOf(tree: WordTree, word: string): [text: string, count: number][] {
  if (word.length < CONTINUED_LENGTH_MIN) return [];
  return [...tree.atPrefix(word)]
    .filter(([text]) => text !== word)
    .sort(([one, a], [other, b]) => b - a || byCodeUnit(one, other))
    .slice(0, CONTINUATIONS_MAX);
}

function editCost(word: string, text: string): number {
  if (word.length === text.length) return firstCost(word, text) + REPLACED;
  return firstCost(word, text) + (isDoubled(word, text) ? 0 : RESIZED);
}

/**
 * Whether a single letter was doubled, or a double letter typed once. That is likelier than any other added or lost
 * letter.
 */
function isDoubled(word: string, text: string): boolean {
  const [short, long] = word.length < text.length ? [word, text] : [text, word];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return long[at] === long[at - 1];
}

function firstCost(word: string, text: string): number {
  return word[0] === text[0] ? 0 : FIRST_CHANGED;
}

/** Returns RARE for a word of one listing, and less for more listings. */
function rarity(count: number): number {
  return RARE / (1 + Math.log2(count));
}
