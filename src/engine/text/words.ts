import SearchableMap from "minisearch/SearchableMap";
import type { FoldedText } from "./text.js";

/* The words of the directory, for correcting queries. */

/** A word: a run of letters, digits and marks of any script. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** In UTF-16 code units. Longer runs are not words that people mistype, and comparing them is expensive. */
export const WORD_MAX = 64;
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
export interface Piece {
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
