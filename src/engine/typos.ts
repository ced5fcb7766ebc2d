import { byCodeUnit } from "../contract/order.js";
import { type Dictionary, entryText } from "./dictionary.js";
import { editDistance } from "./edits.js";
import { eachContinuation, eachNear, wholeBucket } from "./parts.js";
import { unitsOf } from "./text.js";

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
/** Words that continue another, those of the most listings first. */
const CONTINUATIONS_MAX = 10;
/** Entries a lookup that are compared with the word. */
const COMPARED_MAX = 1_500;
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
export function nearWords(dictionary: Dictionary, word: string): readonly Alternative[] {
  if (word.length < 2) return [];
  const costs = new Map<string, number>();
  const add: Add = (text, cost) => {
    if (text !== word) costs.set(text, Math.min(cost, costs.get(text) ?? Number.POSITIVE_INFINITY));
  };
  const units = unitsOf(word);
  eachWithin(dictionary, units, 1, (entry) => {
    const text = entryText(dictionary, entry);
    add(text, NEAR + editCost(word, text) + rarity(dictionary.counts[entry]!));
  });
  addSwapped(dictionary, word, units, add);
  for (let at = 2; at + 2 <= word.length; at += 1) {
    const first = countOf(dictionary, units, 0, at);
    const count = first && Math.min(first, countOf(dictionary, units, at, word.length));
    if (count > 0) add(`${word.slice(0, at)} ${word.slice(at)}`, NEAR + SPLIT + rarity(count));
  }
  for (const entry of continuations(dictionary, units)) {
    add(entryText(dictionary, entry), NEAR + CONTINUED + rarity(dictionary.counts[entry]!));
  }
  return best(costs);
}

type Add = (text: string, cost: number) => void;

function addSwapped(dictionary: Dictionary, word: string, units: Uint16Array, add: Add): void {
  for (let at = 0; at + 1 < units.length; at += 1) {
    const [here, next] = [units[at]!, units[at + 1]!];
    if (here === next) continue;
    units[at] = next;
    units[at + 1] = here;
    const count = countOf(dictionary, units, 0, units.length);
    if (count > 0) {
      const swapped = String.fromCharCode(...units);
      add(swapped, NEAR + firstCost(word, swapped) + rarity(count));
    }
    units[at] = here;
    units[at + 1] = next;
  }
}

/** Whether the directory has a word. */
export function isKnown(dictionary: Dictionary, word: string): boolean {
  return countOf(dictionary, unitsOf(word), 0, word.length) > 0;
}

/** Words two edits away, best first. */
export function farWords(dictionary: Dictionary, word: string): readonly Alternative[] {
  if (word.length < FAR_LENGTH_MIN) return [];
  const costs = new Map<string, number>();
  eachWithin(dictionary, unitsOf(word), 2, (entry) => {
    const text = entryText(dictionary, entry);
    costs.set(text, FAR + firstCost(word, text) + rarity(dictionary.counts[entry]!));
  });
  return best(costs);
}

/** Calls `visit` with the entries exactly so many edits away from a word, some more than once. */
function eachWithin(
  { units, starts, parts }: Dictionary,
  word: Uint16Array,
  edits: number,
  visit: (entry: number) => void,
): void {
  let left = COMPARED_MAX;
  eachNear(parts, word, edits, (entries, from, to) => {
    const end = Math.min(to, from + left);
    for (let at = from; at < end; at += 1) {
      const entry = entries[at]!;
      const distance = editDistance(units, starts[entry]!, starts[entry + 1]!, word, edits);
      if (distance === edits) visit(entry);
    }
    left -= end - from;
    return left > 0;
  });
}

/** Listings of the entry that is the units from `start` to before `end`; 0 where there is none. */
function countOf(
  { units, starts, counts, parts }: Dictionary,
  word: Uint16Array,
  start: number,
  end: number,
): number {
  const bucket = wholeBucket(parts, word, start, end);
  for (let at = parts.buckets[bucket]!; at < parts.buckets[bucket + 1]!; at += 1) {
    const entry = parts.entries[at]!;
    const place = starts[entry]!;
    if (starts[entry + 1]! - place !== end - start) continue;
    let same = 0;
    while (same < end - start && units[place + same] === word[start + same]) same += 1;
    if (same === end - start) return counts[entry]!;
  }
  return 0;
}

/** The first entries that are longer than a word and start with it. */
function continuations({ units, starts, parts }: Dictionary, word: Uint16Array): number[] {
  const found: number[] = [];
  eachContinuation(parts, word, (entries, from, to) => {
    const end = Math.min(to, from + COMPARED_MAX);
    for (let at = from; at < end && found.length < CONTINUATIONS_MAX; at += 1) {
      const entry = entries[at]!;
      const start = starts[entry]!;
      if (starts[entry + 1]! - start <= word.length) continue;
      const beginning = start + word.length;
      if (editDistance(units, start, beginning, word, 0) === 0) found.push(entry);
    }
    return true;
  });
  return found;
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
