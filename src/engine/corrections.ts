import { LIMITS } from "../contract/limits.js";
import { byCodeUnit, firstWhere, foldText } from "../contract/order.js";
import type { Finder, FoldedText } from "./text.js";

/* The words of the directory, for correcting queries. */

/** A word: a run of letters, digits and marks of any script. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** In UTF-16 code units. Longer runs are not words that people mistype, and comparing them is expensive. */
const WORD_MAX = 64;
/** Words that corrections choose from: a query that finds nothing compares its words with all of them. */
const WORDS_MAX = 20_000;
/**
 * Words that are counted at the same time, at most. Beyond that, the rarer half is dropped, so that counting works for
 * a directory of any size.
 */
const COUNTED_MAX = 400_000;

/** The words found in the most listings, most frequent first, as plain data. */
export interface CommonWords {
  readonly texts: readonly string[];
  /** By word, the number of listings that contain it. */
  readonly counts: Uint32Array;
}

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
    const words = decoder.decode(units.subarray(start, end)).match(WORD);
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

/** The letters of a word as bits, by the low five bits of each code unit. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/**
 * The words that corrections choose from, each with the number of listings that contain it. Looking for near words
 * compares the letters of all words of about the same length, and then the few that have nearly the same letters.
 */
export class WordList {
  readonly #counts: ReadonlyMap<string, number>;
  /** By rising length. */
  readonly #texts: readonly string[];
  readonly #letters: Int32Array;
  /** By length, the index of the first word that is at least that long. */
  readonly #starts: Uint32Array;

  constructor({ texts, counts }: CommonWords) {
    this.#counts = new Map(texts.map((text, at) => [text, counts[at]!]));
    this.#texts = texts.toSorted((a, b) => a.length - b.length);
    this.#letters = Int32Array.from(this.#texts, lettersOf);
    this.#starts = Uint32Array.from({ length: WORD_MAX + 2 }, (_, length) =>
      firstWhere(0, texts.length, (at) => this.#texts[at]!.length >= length),
    );
  }

  [Symbol.iterator](): Iterator<[text: string, count: number]> {
    return this.#counts.entries();
  }

  /** The number of listings that contain a word; undefined if it is none of these words. */
  get(word: string): number | undefined {
    return this.#counts.get(word);
  }

  has(word: string): boolean {
    return this.#counts.has(word);
  }

  /** The words that are exactly `edits` edits away, 1 or 2. */
  away(word: string, edits: 1 | 2): [text: string, count: number][] {
    const letters = lettersOf(word);
    const end = this.#startOf(word.length + edits + 1);
    const found: [text: string, count: number][] = [];
    for (let at = this.#startOf(word.length - edits); at < end; at += 1) {
      // An edit changes two letters at most.
      let changed = letters ^ this.#letters[at]!;
      for (let left = 2 * edits; left > 0; left -= 1) changed &= changed - 1;
      if (changed !== 0) continue;
      const text = this.#texts[at]!;
      if (editsBetween(word, text, edits) === edits) found.push([text, this.#counts.get(text)!]);
    }
    return found;
  }

  /** The words that are longer than this one and begin with it. */
  continuing(word: string): [text: string, count: number][] {
    const letters = lettersOf(word);
    const found: [text: string, count: number][] = [];
    for (let at = this.#startOf(word.length + 1); at < this.#texts.length; at += 1) {
      if ((letters & ~this.#letters[at]!) !== 0) continue;
      const text = this.#texts[at]!;
      if (text.startsWith(word)) found.push([text, this.#counts.get(text)!]);
    }
    return found;
  }

  #startOf(length: number): number {
    return this.#starts[Math.max(0, length)] ?? this.#texts.length;
  }
}

/**
 * Levenshtein's distance between two texts in UTF-16 code units, without what is before `at` and `otherAt`; more than
 * `most` if it is greater than `most`.
 */
export function editsBetween(
  one: string,
  other: string,
  most: number,
  at = 0,
  otherAt = 0,
): number {
  const longer = one.length - at - (other.length - otherAt);
  if (Math.abs(longer) > most) return most + 1;
  let next = at;
  let otherNext = otherAt;
  while (next < one.length && one.charCodeAt(next) === other.charCodeAt(otherNext)) {
    next += 1;
    otherNext += 1;
  }
  if (next === one.length || otherNext === other.length) return Math.abs(longer);
  if (most === 0) return 1;
  // The units differ here: one of them is replaced, deleted or inserted.
  const replaced = editsBetween(one, other, most - 1, next + 1, otherNext + 1);
  const deleted = editsBetween(one, other, most - 1, next + 1, otherNext);
  const inserted = editsBetween(one, other, most - 1, next, otherNext + 1);
  return 1 + Math.min(replaced, deleted, inserted);
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
export function alternativesOf(words: WordList, word: string, reach: Reach): Alternative[] {
  if (word.length > WORD_MAX) return [];
  const costs = reach === "near" ? nearOf(words, word) : farOf(words, word);
  return [...costs]
    .map(([text, cost]) => ({ text, cost }))
    .sort((a, b) => a.cost - b.cost || byCodeUnit(a.text, b.text))
    .slice(0, ALTERNATIVES_MAX);
}

function nearOf(words: WordList, word: string): Map<string, number> {
  const costs = new Map<string, number>();
  if (word.length < 2) return costs;
  const add = (text: string, cost: number) => {
    costs.set(text, Math.min(COST.near + cost, costs.get(text) ?? Number.POSITIVE_INFINITY));
  };
  for (const [text, count] of words.away(word, 1)) add(text, editCost(word, text) + rarity(count));
  for (let at = 0; at + 1 < word.length; at += 1) {
    const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
    const count = words.get(swapped);
    if (swapped !== word && count !== undefined)
      add(swapped, firstCost(word, swapped) + rarity(count));
  }
  for (let at = HALF_MIN; at + HALF_MIN <= word.length; at += 1) {
    const first = word.slice(0, at);
    const last = word.slice(at);
    const count = Math.min(words.get(first) ?? 0, words.get(last) ?? 0);
    if (count === 0) continue;
    for (const [joint, cost] of Object.entries(SPLIT))
      add(first + joint + last, cost + rarity(count));
  }
  for (const [text, count] of continuationsOf(words, word)) add(text, CONTINUED + rarity(count));
  return costs;
}

function farOf(words: WordList, word: string): Map<string, number> {
  const costs = new Map<string, number>();
  if (word.length < FAR_LENGTH_MIN) return costs;
  for (const [text, count] of words.away(word, 2)) {
    costs.set(text, COST.far + firstCost(word, text) + rarity(count));
  }
  return costs;
}

/** Returns longer words that start with this one: those found in the most listings. */
function continuationsOf(words: WordList, word: string): [text: string, count: number][] {
  if (word.length < CONTINUED_LENGTH_MIN) return [];
  return words
    .continuing(word)
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
export function correct(text: string, words: WordList, finder: Pick<Finder, "hasAny">): string[] {
  const correcting = corrections(text, words);
  let step = correcting.next();
  while (!step.done) step = correcting.next(finder.hasAny(step.value.text));
  return step.value;
}

/**
 * Like `correct`, for a finder whose answers take time.
 * @param haveAny tells for each text whether any listing contains it
 * @param isHeld whether a listing is known to contain a text, which is then not looked up
 */
export async function correctLater(
  text: string,
  words: WordList,
  haveAny: (texts: readonly string[]) => Promise<readonly boolean[]>,
  isHeld: (text: string) => boolean,
): Promise<string[]> {
  const correcting = corrections(text, words);
  const known = new Map<string, boolean>();
  let step = correcting.next();
  while (!step.done) {
    const { text: asked, likelyNext } = step.value;
    const isOpen = (one: string) => !known.has(one) && !isHeld(one);
    if (isOpen(asked)) {
      const texts = [...new Set([asked, ...likelyNext()])].filter(isOpen).slice(0, TOGETHER);
      const found = await haveAny(texts);
      for (const [at, one] of texts.entries()) known.set(one, found[at] === true);
    }
    step = correcting.next(known.get(asked) ?? true);
  }
  return step.value;
}

function corrections(text: string, words: WordList): Correcting {
  return new Correction(words, foldText(text)).run();
}

class Correction {
  readonly #words: WordList;
  readonly #pieces: readonly Piece[];
  readonly #open: (Beginning | Replacement)[] = [];
  readonly #found = new Set<string>();
  /** Texts that no listing contains. A text that contains one of them is absent too. */
  readonly #absent: string[];
  readonly #lookups = new Map<string, readonly Alternative[]>();
  #costMost = Number.POSITIVE_INFINITY;
  #checksLeft = CHECKS_MAX;

  constructor(words: WordList, query: string) {
    this.#words = words;
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
      const known = this.#words.has(word) ? KNOWN : 0;
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
      alternatives = alternativesOf(this.#words, word, reach);
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
