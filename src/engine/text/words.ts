import SearchableMap from "minisearch/SearchableMap";
import { type FoldedText, textOf } from "./text.js";

/* The words of the directory, for correcting queries: runs of letters, digits and marks of any script. */

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** In UTF-16 code units. Longer runs are no words that people mistype, and comparing them is expensive. */
export const WORD_MAX = 64;
/** Words that corrections choose from. MiniSearch's tree of that many takes 6 MB. */
const WORDS_MAX = 20_000;
/**
 * Words that are counted at the same time. Beyond, the rarer half is dropped, so that counting works for a directory of
 * any size.
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
export function commonWords(
  text: FoldedText,
  most = WORDS_MAX,
  counted = COUNTED_MAX,
): CommonWords {
  const { hosts, names } = text;
  let counts = new Map<string, WordCount>();
  for (let number = 0; number < names.length; number += 1) {
    const listing = textOf(text, hosts[number]!, hosts[number + 1]!);
    for (const word of listing.match(WORD) ?? []) {
      const known = counts.get(word);
      if (known === undefined) {
        if (word.length <= WORD_MAX) counts.set(word, { listings: 1, last: number });
      } else if (known.last !== number) {
        known.listings += 1;
        known.last = number;
      }
    }
    if (counts.size > counted) counts = new Map(commonest(counts, counted / 2));
  }
  const words = commonest(counts, most);
  return {
    texts: words.map(([word]) => word),
    counts: Uint32Array.from(words, ([, word]) => word.listings),
  };
}

/** The number of listings that contain a word, and the last of them. */
interface WordCount {
  listings: number;
  last: number;
}

function commonest(counts: ReadonlyMap<string, WordCount>, most: number): [string, WordCount][] {
  return [...counts].sort(([, a], [, b]) => b.listings - a.listings).slice(0, most);
}

/** Adds words to a tree, one slice for each step of the generator. */
export function* addWords(tree: WordTree, { texts, counts }: CommonWords): Generator<void> {
  for (const [at, text] of texts.entries()) {
    tree.set(text, counts[at]!);
    if ((at + 1) % SLICE === 0) yield;
  }
}
