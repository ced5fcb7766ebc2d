import SearchableMap from "minisearch/SearchableMap";
import { byCodeUnit } from "../contract/order.js";
import { type FoldedText, textOf } from "./text.js";

/*
 * The directory's own words, for correcting what people type: those of hosts, names and taglines, and
 * whole hosts, each with the number of listings that have it. They lie in MiniSearch's radix tree, which
 * finds words by prefix and within an edit distance.
 */

/** Listings by word. */
export type Dictionary = SearchableMap<number>;

/** A word is a run of letters, digits and marks; what is between words is kept as it was typed. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** UTF-16 code units. Longer runs are no words that anyone mistypes, and cost much to compare. */
export const WORD_MAX = 64;
/** Words and hosts in the tree: each takes some 300 bytes. */
const ENTRIES_MAX = 100_000;

/** A text cut at its words: even places hold what is between words, odd ones the words. */
export function cutWords(text: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    pieces.push(text.slice(end, index), word);
    end = index + word.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

/**
 * Collects the words of a directory. The ones in the most listings are kept; whole hosts take the room
 * that is left, the best listings' first, since most are found word by word as well.
 */
export function buildDictionary(text: FoldedText): Dictionary {
  const { hosts, names } = text;
  const counts = countWords(text);
  const entries = [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || byCodeUnit(a, b))
    .slice(0, ENTRIES_MAX);
  for (let number = 0; number < names.length && entries.length < ENTRIES_MAX; number += 1) {
    const host = textOf(text, hosts[number]!, names[number]! - 1);
    if (host.length <= WORD_MAX && !counts.has(host)) entries.push([host, 1]);
  }
  // The tree is walked in the order of insertion, which must be the same for equal directories.
  entries.sort(([a], [b]) => byCodeUnit(a, b));
  return SearchableMap.from(entries);
}

/** By word, the listings that have it. */
function countWords(text: FoldedText): Map<string, number> {
  const counts = new Map<string, number>();
  for (let number = 0; number < text.names.length; number += 1) {
    const fields = textOf(text, text.hosts[number]!, text.hosts[number + 1]!);
    for (const word of new Set(fields.match(WORD))) {
      if (word.length <= WORD_MAX) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}
