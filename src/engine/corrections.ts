import { foldText } from "../contract/fold.js";
import { LIMITS } from "../contract/limits.js";
import type { Dictionary } from "./dictionary.js";
import type { Finder } from "./postings.js";
import { type Alternative, FAR, farWords, isKnown, NEAR, nearWords } from "./typos.js";
import { cutWords, WORD_MAX } from "./words.js";

/*
 * A query that is nowhere is corrected piece by piece, from left to right: each word stays or becomes one
 * that the directory has, each joint between words stays or becomes a likelier one. The cheapest beginnings
 * are continued first, and only those that listings hold, so every correction is known to find something.
 */

/** A corrected beginning of the query. */
interface Beginning {
  readonly text: string;
  /** Pieces of the query that it covers. */
  readonly pieces: number;
  readonly cost: number;
  /** Where its last pieces are as they were typed: the beginning before them. */
  readonly before?: Pick<Beginning, "text" | "pieces">;
}

/** What may stand, instead of what was typed, after a beginning; of its alternatives the next one. */
interface Branch {
  readonly text: string;
  /** Pieces of the query that beginning and alternative cover. */
  readonly pieces: number;
  /** The cost of the beginning, and with the next alternative. */
  readonly base: number;
  readonly cost: number;
  readonly alternatives: () => readonly Alternative[];
  /** The next alternative; none has been asked for yet where it is absent. */
  readonly next?: number;
}

/** Tells whether any listing holds a text; with `most`, by looking at no more listings than that. */
type TextFinder = Pick<Finder, "hasAny">;

/** Searches of the dictionary a request. */
const LOOKUPS_MAX = 6;
/** Beginnings a request that are looked up in the directory. */
const CHECKS_MAX = 24;
/** Listings a beginning that are looked at: more have all its grams only where these are the commonest. */
const LISTINGS_MAX = 300;
/** What else it costs to change a word that the directory has. */
const KNOWN = 0.25;
/** How much more than the first proposal another may cost. */
const SPREAD = 0.5;
/** What else it costs to change what joins two words. */
const JOINED = 0.3;
/** How much less it costs to change a query of several words into a word or host as a whole. */
const WHOLE = -0.4;
/** What may join two words instead of what was typed. */
const JOINTS = [" ", "-", ".", ""];

export class Corrector {
  readonly #dictionary: Dictionary;

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Up to three texts like this one that `finder` finds, the likeliest first (decisions, Typo tolerance). */
  correct(text: string, finder: TextFinder): string[] {
    return new Correction(this.#dictionary, finder, foldText(text)).run();
  }
}

/** The correction of one query. */
class Correction {
  readonly #dictionary: Dictionary;
  readonly #finder: TextFinder;
  /** The query cut at its words: even places hold what is between words. */
  readonly #pieces: readonly string[];
  readonly #open: (Beginning | Branch)[] = [];
  readonly #found = new Set<string>();
  /** What no listing holds, or none that was looked at; so it is not asked for what contains it. */
  readonly #nowhere: string[];
  readonly #lookups = new Map<string, readonly Alternative[]>();
  #costMost = Number.POSITIVE_INFINITY;
  #checksLeft = CHECKS_MAX;

  constructor(dictionary: Dictionary, finder: TextFinder, query: string) {
    this.#dictionary = dictionary;
    this.#finder = finder;
    this.#pieces = cutWords(query);
    this.#nowhere = [query];
    this.#keep({ text: "", pieces: 0, cost: 0 });
    // A host may be mistyped where its words join; and few hosts are within an edit of each other.
    if (this.#pieces.length > 3 && !query.includes(" ")) {
      this.#replace(query, { text: "", pieces: this.#pieces.length, cost: WHOLE });
    }
  }

  run(): string[] {
    while (this.#found.size < LIMITS.correctionsMax && this.#checksLeft > 0) {
      const next = this.#takeCheapest();
      if (next === undefined || next.cost > this.#costMost) break;
      if ("alternatives" in next) this.#branch(next);
      else this.#look(next);
    }
    return [...this.#found];
  }

  /** Of equally cheap ones the longest, of those the oldest. */
  #takeCheapest(): Beginning | Branch | undefined {
    let best = 0;
    for (let at = 1; at < this.#open.length; at += 1) {
      const [one, other] = [this.#open[at]!, this.#open[best]!];
      if (one.cost < other.cost || (one.cost === other.cost && one.pieces > other.pieces)) {
        best = at;
      }
    }
    return this.#open.splice(best, 1)[0];
  }

  /** Goes on from a beginning that listings hold, and to what else its last pieces may have been. */
  #look(beginning: Beginning): void {
    const { text, pieces, cost, before } = beginning;
    const held = this.#isHeld(text);
    if (before !== undefined) this.#change({ ...before, cost });
    if (!held) return;
    if (pieces < this.#pieces.length) this.#keep(beginning);
    else this.#propose(beginning);
  }

  #isHeld(text: string): boolean {
    if (text === "") return true;
    if (this.#nowhere.some((other) => text.includes(other))) return false;
    this.#checksLeft -= 1;
    const held = this.#finder.hasAny(text, LISTINGS_MAX);
    if (!held) this.#nowhere.push(text);
    return held;
  }

  #propose({ text, cost }: Beginning): void {
    if (!isProposable(text)) return;
    if (this.#found.size === 0) this.#costMost = cost + SPREAD;
    this.#found.add(text);
  }

  /** Continues a beginning with the next joint and word as they were typed. */
  #keep(beginning: Beginning): void {
    const { text, pieces, cost } = beginning;
    const kept = this.#pieces.slice(pieces, pieces + 2);
    if (kept.length === 1 && kept[0] === "") {
      this.#propose(beginning);
      return;
    }
    const covered = pieces + kept.length;
    this.#open.push({ text: text + kept.join(""), pieces: covered, cost, before: beginning });
  }

  /** Continues a beginning with another joint, or another word, than was typed. */
  #change({ text, pieces, cost }: Beginning): void {
    const [joint = "", word] = this.#pieces.slice(pieces);
    const outer = pieces === 0 || word === undefined;
    for (const other of outer ? [""] : JOINTS) {
      if (other === joint) continue;
      const changed = { text: text + other, pieces: pieces + 1, cost: cost + NEAR + JOINED };
      if (word === undefined) this.#open.push(changed);
      else this.#follow(changed, word);
    }
    if (word !== undefined) {
      this.#replace(word, { text: text + joint, pieces: pieces + 2, cost });
    }
  }

  /** Continues a beginning that ends with a joint with the next word, as it was typed and changed. */
  #follow({ text, pieces, cost }: Beginning, word: string): void {
    this.#open.push({ text: text + word, pieces: pieces + 1, cost });
    this.#replace(word, { text, pieces: pieces + 1, cost });
  }

  /** Lets a word be another one: opens the beginnings that have its alternatives at their end. */
  #replace(word: string, { text, pieces, cost }: Beginning): void {
    const base = cost + (isKnown(this.#dictionary, word) ? KNOWN : 0);
    for (const [reach, least] of [
      ["near", NEAR],
      ["far", FAR],
    ] as const) {
      const alternatives = () => this.#lookUp(word, reach);
      this.#open.push({ text, pieces, base, cost: base + least, alternatives });
    }
  }

  /** Opens the next alternative of a branch, and puts what is left of it back. */
  #branch(branch: Branch): void {
    const { text, pieces, base, next = -1 } = branch;
    // Where something is found, another place of the query is hardly the one that is wrong.
    if (next < 0 && this.#found.size > 0) return;
    const alternatives = branch.alternatives();
    const alternative = alternatives[next];
    if (alternative !== undefined) {
      this.#open.push({ text: text + alternative.text, pieces, cost: branch.cost });
    }
    const following = alternatives[next + 1];
    if (following !== undefined) {
      this.#open.push({ ...branch, next: next + 1, cost: base + following.cost });
    }
  }

  #lookUp(word: string, reach: "near" | "far"): readonly Alternative[] {
    const key = `${reach} ${word}`;
    const known = this.#lookups.get(key);
    if (known !== undefined) return known;
    if (word.length > WORD_MAX || this.#lookups.size === LOOKUPS_MAX) return [];
    const find = reach === "near" ? nearWords : farWords;
    const words = find(this.#dictionary, word);
    this.#lookups.set(key, words);
    return words;
  }
}

/** Whether a text may be asked for in either read (contract section 8). */
function isProposable(text: string): boolean {
  const length = Array.from(text).length;
  return length >= LIMITS.suggestionTextMin && length <= LIMITS.queryTextMax;
}
