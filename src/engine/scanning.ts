import { Selector, type SelectorIndex } from "./selector.js";
import { ScanFinder } from "./text/scan.js";
import { commonWords, type WordTree, wordTreeOf } from "./text/words.js";

/** A selector that needs no postings: it finds texts by reading them all. Corrections gather their words first. */
export function scanningSelector(index: SelectorIndex): Selector {
  const { text, orders } = index;
  let words: WordTree | null = null;
  const readWords = (): WordTree => {
    words ??= wordTreeOf(commonWords(text));
    return words;
  };
  return new Selector(index, readWords, {
    listings: new ScanFinder(text, "all", orders.host),
    titles: new ScanFinder(text, "titles", orders.host),
  });
}
