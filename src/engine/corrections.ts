import { foldText } from "../contract/fold.js";
import { LIMITS } from "../contract/limits.js";
import { buildDictionary, cutWords, type Dictionary, WORD_MAX } from "./dictionary.js";
import type { Finder } from "./postings.js";
import type { FoldedText } from "./text.js";
import { type Alternative, FAR, farWords, NEAR, nearWords } from "./typos.js";

/*
 * A query that is nowhere is corrected piece by piece, from left to right: each word stays or becomes one
 * that the directory has, each joint between words stays or becomes a likelier one. The cheapest beginnings
 * are continued first, and only those that listings hold, so every correction is known to find something.
 */

/** A corrected beginning of the query; with `reach`, the wish to try the alternatives of what comes next. */
interface Beginning {
  readonly text: string;
  /** Pieces of the query that it covers. */
  readonly pieces: number;
  readonly cost: number;
  readonly reach?: "near" | "far";
}

/** Tells whether any listing holds a text. */
type TextFinder = Pick<Finder, "hasAny">;

/** Looks for alternatives a request: each walks a good part of the dictionary. */
const LOOKUPS_MAX = 6;
/** Beginnings a request that are looked up in the directory. */
const CHECKS_MAX = 100;
/** What may join two words instead of what was typed. */
const JOINTS = [" ", "-", ".", ""];

export class Corrector {
  readonly #text: FoldedText;
  #dictionary: Dictionary | undefined;

  constructor(text: FoldedText) {
    this.#text = text;
  }

  /**
   * Up to three texts like this one that `finder` finds, the likeliest first (decisions, Typo tolerance).
   * The first call makes the dictionary, in about a second for 100,000 listings.
   */
  correct(text: string, finder: TextFinder): string[] {
    this.#dictionary ??= buildDictionary(this.#text);
    return new Correction(this.#dictionary, finder, foldText(text)).run();
  }
}

/** The correction of one query. */
class Correction {
  readonly #dictionary: Dictionary;
  readonly #finder: TextFinder;
  readonly #query: string;
  readonly #pieces: readonly string[];
  readonly #open: Beginning[] = [{ text: "", pieces: 0, cost: 0 }];
  readonly #found = new Set<string>();
  #lookupsLeft = LOOKUPS_MAX;
  #checksLeft = CHECKS_MAX;

  constructor(dictionary: Dictionary, finder: TextFinder, query: string) {
    this.#dictionary = dictionary;
    this.#finder = finder;
    this.#query = query;
    this.#pieces = cutWords(query);
  }

  run(): string[] {
    while (this.#found.size < LIMITS.correctionsMax && this.#checksLeft > 0) {
      const next = this.#takeCheapest();
      if (next === undefined) break;
      if (next.reach !== undefined) this.#branch(next, next.reach);
      else if (this.#isHeld(next.text)) this.#advance(next);
    }
    return [...this.#found];
  }

  /** Of equally cheap beginnings the longest, of those the oldest. */
  #takeCheapest(): Beginning | undefined {
    let best = 0;
    for (let at = 1; at < this.#open.length; at += 1) {
      const [one, other] = [this.#open[at]!, this.#open[best]!];
      if (one.cost < other.cost || (one.cost === other.cost && one.pieces > other.pieces)) {
        best = at;
      }
    }
    return this.#open.splice(best, 1)[0];
  }

  #isHeld(beginning: string): boolean {
    if (beginning === "") return true;
    this.#checksLeft -= 1;
    return this.#finder.hasAny(beginning);
  }

  /** Keeps the next piece as it was typed, and notes that it may have been another. */
  #advance({ text, pieces, cost }: Beginning): void {
    const piece = this.#pieces[pieces];
    if (piece === undefined) {
      if (isProposable(text)) this.#found.add(text);
      return;
    }
    this.#open.push({ text, pieces, cost: cost + NEAR, reach: "near" });
    if (piece === "") this.#advance({ text, pieces: pieces + 1, cost });
    else this.#open.push({ text: text + piece, pieces: pieces + 1, cost });
  }

  #branch({ text, pieces, cost }: Beginning, reach: "near" | "far"): void {
    const base = cost - (reach === "near" ? NEAR : FAR);
    const continued = (alternatives: readonly Alternative[], covered: number) => {
      for (const { text: piece, cost: more } of alternatives) {
        this.#open.push({ text: text + piece, pieces: covered, cost: base + more });
      }
    };
    if (pieces % 2 === 1) continued(this.#words(this.#pieces[pieces]!, reach), pieces + 1);
    else if (reach === "near") continued(this.#joints(pieces), pieces + 1);
    // A host may be mistyped where its words join.
    if (pieces === 0 && this.#pieces.length > 3) {
      continued(this.#words(this.#query, reach), this.#pieces.length);
    }
    if (reach === "near") this.#open.push({ text, pieces, cost: base + FAR, reach: "far" });
  }

  #joints(place: number): Alternative[] {
    const outer = place === 0 || place === this.#pieces.length - 1;
    const typed = this.#pieces[place];
    return (outer ? [""] : JOINTS)
      .filter((joint) => joint !== typed)
      .map((text) => ({ text, cost: NEAR }));
  }

  #words(word: string, reach: "near" | "far"): Alternative[] {
    if (word.length > WORD_MAX || this.#lookupsLeft === 0) return [];
    this.#lookupsLeft -= 1;
    return reach === "near" ? nearWords(this.#dictionary, word) : farWords(this.#dictionary, word);
  }
}

/** Whether a text may be asked for in either read (contract section 8). */
function isProposable(text: string): boolean {
  const length = Array.from(text).length;
  return length >= LIMITS.suggestionTextMin && length <= LIMITS.queryTextMax;
}
