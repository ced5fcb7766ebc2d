import SearchableMap from "minisearch/SearchableMap";
import { LIMITS } from "../contract/limits.js";
import { byCodeUnit, foldText } from "../contract/order.js";
import type { Finder, FoldedText } from "./text.js";

/* The words of the directory, for correcting queries. */

/** A word: a run of letters, digits and marks of any script. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** A label of a host in Punycode. Its pieces are no words: `bcher` of `xn--bcher-kva` stands for `bücher`. */
const PUNYCODE = /xn--[a-z0-9-]+/g;
/** In UTF-16 code units. Longer runs are not words that people mistype, and comparing them is expensive. */
const WORD_MAX = 64;
/** Words that corrections choose from. MiniSearch's tree of that many takes 6 MB. */
const WORDS_MAX = 20_000;
/**
 * Words that are counted at the same time, at most. Beyond that, the rarer half is dropped, so that counting works for
 * a directory of any size.
 */
const COUNTED_MAX = 400_000;
/** Words added to the tree in one step: 0.1 ms of work, or 7 ms if all words begin with different letters. */
const SLICE = 32;

/** The words found in the most listings, most frequent first, as plain data. */
export interface CommonWords {
  readonly texts: readonly string[];
  /** By word, the number of listings that contain it. */
  readonly counts: Uint32Array;
}

/** A tree of words, each with the number of listings that contain it. */
export class WordTree extends SearchableMap<number> {}

/** The text before a word, and the word. Only the last piece has no word. */
interface Piece {
  readonly joint: string;
  readonly word: string | undefined;
}

/** Cuts a text into pieces at its words. */
export function cutWords(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    pieces.push({ joint: text.slice(end, index), word });
    end = index + word.length;
  }
  return [...pieces, { joint: text.slice(end), word: undefined }];
}

/**
 * Counts the listings that contain each word, and returns the most frequent words. Among equally frequent ones, words
 * of better-ranked listings come first.
 */
export function commonWords({ units, hosts, names }: FoldedText): CommonWords {
  const words = new ListingWords();
  for (let number = 0; number < names.length; number += 1) {
    words.add(units, hosts[number]!, hosts[number + 1]!);
  }
  return words.commonest();
}

const decoder = new TextDecoder("utf-16le");

/** Counts the listings that contain each word, one listing after another, in the default order. */
export class ListingWords {
  readonly #counted: number;
  /** By word, in the order in which the words first occur, until the rarer half is dropped. */
  #counts = new Map<string, number>();

  constructor(counted = COUNTED_MAX) {
    this.#counted = counted;
  }

  /**
   * Counts the words of a listing.
   * @param units its folded fields are the units from `start` to before `end`. The last of these is in no word
   */
  add(units: Uint16Array, start: number, end: number): void {
    const text = decoder.decode(units.subarray(start, end));
    const words = text.replace(PUNYCODE, " ").match(WORD);
    for (const word of new Set(words)) {
      if (word.length <= WORD_MAX) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
    }
    if (this.#counts.size > this.#counted) this.#counts = new Map(this.#sorted(this.#counted / 2));
  }

  commonest(most = WORDS_MAX): CommonWords {
    const words = this.#sorted(most);
    return {
      texts: words.map(([text]) => text),
      counts: Uint32Array.from(words, ([, count]) => count),
    };
  }

  #sorted(most: number): [word: string, count: number][] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).slice(0, most);
  }
}

/** A tree of all these words. */
export function wordTreeOf(words: CommonWords): WordTree {
  const tree = new WordTree();
  for (const _ of addWords(tree, words));
  return tree;
}

/** Adds words to a tree, one slice for each step of the generator. */
export function* addWords(tree: WordTree, { texts, counts }: CommonWords): Generator<void> {
  for (const [at, text] of texts.entries()) {
    tree.set(text, counts[at]!);
    if ((at + 1) % SLICE === 0) yield;
  }
}

/*
 * Words of the directory that a mistyped word may stand for. Near ones are one edit away, have two neighbours swapped,
 * continue the word, or split it in two. Far ones are two edits away. An edit inserts, deletes or replaces one UTF-16
 * code unit. The cost of an alternative is its number of edits, plus a fraction for each sign that the typo is less
 * likely.
 */

/** A text that a word may stand for. A lower cost means a likelier one. */
interface Alternative {
  readonly text: string;
  readonly cost: number;
}

/** Near is one edit, swap, space or ending away. Far is two edits away. */
type Reach = "near" | "far";

/** The lowest cost of an alternative. */
const COST: Readonly<Record<Reach, number>> = { near: 1, far: 2 };

/** In UTF-16 code units. Shorter words are within two edits of too many others. */
const FAR_LENGTH_MIN = 5;
/** In UTF-16 code units. Nearly every shorter word is one edit away. */
const EDITED_LENGTH_MIN = 3;
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
  const edited = word.length < EDITED_LENGTH_MIN ? [] : tree.fuzzyGet(word, 1);
  for (const [text, [count, edits]] of edited) {
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

/*
 * Corrects a query that nothing matches, from left to right. Each word stays or is replaced by a word of the directory,
 * and each joint between words stays or is replaced by another. The cheapest beginnings are continued first, and only
 * if some listing contains them, so every proposal is sure to find something.
 */

/** A corrected beginning of the query. */
interface Beginning {
  readonly text: string;
  /** The number of the query's pieces that it covers. */
  readonly pieces: number;
  readonly cost: number;
}

/**
 * A beginning whose next word may be replaced. The word's alternatives are looked up only once this is the cheapest
 * step.
 */
interface Replacement extends Beginning {
  readonly word: string;
  readonly reach: Reach;
}

/** Asks whether any listing contains a text. */
interface Check {
  readonly text: string;
  /** Texts that are likely to be asked for next, the likeliest first. */
  likelyNext(): string[];
}

/** Yields checks, and receives the answer to each. Returns the corrections. */
type Correcting = Generator<Check, string[], boolean>;

/** Texts that are looked up together where a look-up takes time. */
const TOGETHER = 8;

/** Most look-ups of alternatives for one query. */
const LOOKUPS_MAX = 6;
/** Most beginnings of one query that are searched in the directory. */
const CHECKS_MAX = 24;
/** Cost added for replacing a word that the directory contains. */
const KNOWN = 0.25;
/** Cost added for replacing a joint. */
const JOINED = 1.3;
/** Another proposal may cost this much more than the first one. */
const SPREAD = 0.5;
/** Joints that may have been meant between two words. */
const JOINTS = [" ", "-", ".", ""];

/**
 * Returns up to three texts similar to this one that `finder` finds, the likeliest first
 * (docs/contract.md#42-corrections).
 */
export function correct(text: string, tree: WordTree, finder: Pick<Finder, "hasAny">): string[] {
  const correcting = corrections(text, tree);
  let step = correcting.next();
  while (!step.done) step = correcting.next(finder.hasAny(step.value.text));
  return step.value;
}

/**
 * Like `correct`, for a finder whose answers take time.
 * @param haveAny tells for each text whether any listing contains it
 * @param isHeld whether a listing is known to contain a text, which is then not looked up
 * @param together the most texts of a call of `haveAny`
 */
export async function correctLater(
  text: string,
  tree: WordTree,
  haveAny: (texts: readonly string[]) => Promise<readonly boolean[]>,
  isHeld: (text: string) => boolean,
  together = TOGETHER,
): Promise<string[]> {
  const correcting = corrections(text, tree);
  const known = new Map<string, boolean>();
  let step = correcting.next();
  while (!step.done) {
    const { text: asked, likelyNext } = step.value;
    const isOpen = (one: string) => !known.has(one) && !isHeld(one);
    if (isOpen(asked)) {
      const texts = [...new Set([asked, ...likelyNext()])].filter(isOpen).slice(0, together);
      const found = await haveAny(texts);
      for (const [at, one] of texts.entries()) known.set(one, found[at] === true);
    }
    step = correcting.next(known.get(asked) ?? true);
  }
  return step.value;
}

function corrections(text: string, tree: WordTree): Correcting {
  return new Correction(tree, foldText(text)).run();
}

class Correction {
  readonly #tree: WordTree;
  readonly #pieces: readonly Piece[];
  readonly #open: (Beginning | Replacement)[] = [];
  readonly #found = new Set<string>();
  /** Texts that no listing contains. A text that contains one of them is absent too. */
  readonly #absent: string[];
  readonly #lookups = new Map<string, readonly Alternative[]>();
  #costMost = Number.POSITIVE_INFINITY;
  #checksLeft = CHECKS_MAX;

  constructor(tree: WordTree, query: string) {
    this.#tree = tree;
    this.#pieces = cutWords(query);
    this.#absent = [query];
  }

  *run(): Correcting {
    this.#continue({ text: "", pieces: 0, cost: 0 });
    while (this.#found.size < LIMITS.correctionsMax && this.#checksLeft > 0) {
      const next = this.#takeCheapest();
      if (next === undefined || next.cost > this.#costMost) break;
      if ("word" in next) this.#replace(next);
      else if (!(yield* this.#isHeld(next.text))) continue;
      else if (next.pieces < this.#pieces.length) this.#continue(next);
      else this.#propose(next);
    }
    return [...this.#found];
  }

  /** Takes the longest of equally cheap entries, and the oldest of those. */
  #takeCheapest(): Beginning | Replacement | undefined {
    let best = 0;
    for (let at = 1; at < this.#open.length; at += 1) {
      const one = this.#open[at]!;
      const other = this.#open[best]!;
      if ((one.cost - other.cost || other.pieces - one.pieces) < 0) best = at;
    }
    return this.#open.splice(best, 1)[0];
  }

  /** Opens the next piece after a beginning: as typed, with other joints, and with its word replaced. */
  #continue({ text, pieces, cost }: Beginning): void {
    const { joint, word } = this.#pieces[pieces]!;
    if (joint === "" && word === undefined) {
      this.#propose({ text, cost });
      return;
    }
    const isInner = pieces > 0 && word !== undefined;
    for (const other of new Set([joint, ...(isInner ? JOINTS : [""])])) {
      const joined = {
        text: text + other,
        pieces: pieces + 1,
        cost: cost + (other === joint ? 0 : JOINED),
      };
      if (word === undefined) {
        this.#open.push(joined);
        continue;
      }
      this.#open.push({ ...joined, text: joined.text + word });
      const known = this.#tree.has(word) ? KNOWN : 0;
      for (const reach of ["near", "far"] as const) {
        this.#open.push({ ...joined, cost: joined.cost + known + COST[reach], word, reach });
      }
    }
  }

  #replace({ text, pieces, cost, word, reach }: Replacement): void {
    // If a proposal was found, the typo is unlikely to be in another word.
    if (this.#found.size > 0) return;
    const key = `${reach} ${word}`;
    let alternatives = this.#lookups.get(key);
    if (alternatives === undefined) {
      if (this.#lookups.size === LOOKUPS_MAX) return;
      alternatives = alternativesOf(this.#tree, word, reach);
      this.#lookups.set(key, alternatives);
    }
    for (const other of alternatives) {
      this.#open.push({ text: text + other.text, pieces, cost: cost - COST[reach] + other.cost });
    }
  }

  *#isHeld(text: string): Generator<Check, boolean, boolean> {
    if (text === "") return true;
    if (this.#absent.some((other) => text.includes(other))) return false;
    this.#checksLeft -= 1;
    const held = yield { text, likelyNext: () => this.#likelyNext() };
    if (!held) this.#absent.push(text);
    return held;
  }

  #likelyNext(): string[] {
    return this.#open
      .filter((one) => !("word" in one) && !this.#absent.some((other) => one.text.includes(other)))
      .sort((a, b) => a.cost - b.cost)
      .map(({ text }) => text)
      .filter((text) => text !== "");
  }

  #propose({ text, cost }: Pick<Beginning, "text" | "cost">): void {
    const { length } = Array.from(text);
    // Every proposal must be valid in both reads (docs/contract.md#9-limits).
    if (length < LIMITS.suggestionTextMin || length > LIMITS.queryTextMax) return;
    if (this.#found.size === 0) this.#costMost = cost + SPREAD;
    this.#found.add(text);
  }
}
