import { LIMITS } from "../../contract/limits.js";
import { foldText } from "../../contract/order.js";
import { type Alternative, alternativesOf, COST, type Reach } from "./alternatives.js";
import type { Finder } from "./finder.js";
import { cutWords, type Piece, type WordTree } from "./words.js";

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
 */
export async function correctLater(
  text: string,
  tree: WordTree,
  haveAny: (texts: readonly string[]) => Promise<readonly boolean[]>,
  isHeld: (text: string) => boolean,
): Promise<string[]> {
  const correcting = corrections(text, tree);
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
