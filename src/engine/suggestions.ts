import { firstWhere } from "../contract/order.js";
import { eachCommon, type Permutation } from "./sets.js";
import { compareField, type Finder, type FoldedText, unitsOf } from "./text.js";

/*
 * One field of all listings that have it, sorted. The fields that start with a piece are a range, found by binary
 * search.
 */

/**
 * A range of fields: those from `from` to before `to` start with a piece, and those before `exactTo` are equal to it.
 */
interface PrefixRange {
  readonly from: number;
  readonly exactTo: number;
  readonly to: number;
}

class SortedFields {
  readonly #numbers: Uint32Array;
  readonly #text: FoldedText;
  readonly #starts: Uint32Array;
  readonly #nexts: Uint32Array;

  /**
   * @param numbers the listings in the order of the field
   * @param starts by listing, the start of its field
   * @param nexts by listing, the start of the next field
   */
  constructor(numbers: Uint32Array, text: FoldedText, starts: Uint32Array, nexts: Uint32Array) {
    this.#numbers = numbers;
    this.#text = text;
    this.#starts = starts;
    this.#nexts = nexts;
  }

  /**
   * Returns the range of fields that start with a piece.
   * @param piece folded, not empty
   */
  find(piece: Uint16Array): PrefixRange {
    const from = this.#firstFrom(piece);
    const to = firstWhere(
      from,
      this.#numbers.length,
      (rank) => this.#compare(rank, piece, true) > 0,
    );
    let exactTo = from;
    while (exactTo < to && this.#compare(exactTo, piece, false) === 0) exactTo += 1;
    return { from, exactTo, to };
  }

  /** Returns the rank of the first field that is equal to a text; undefined if there is none. */
  rankOf(text: Uint16Array): number | undefined {
    const rank = this.#firstFrom(text);
    const isThere = rank < this.#numbers.length && this.#compare(rank, text, false) === 0;
    return isThere ? rank : undefined;
  }

  /** The rank of the first field that starts with a piece, or comes after it. */
  #firstFrom(piece: Uint16Array): number {
    return firstWhere(0, this.#numbers.length, (rank) => this.#compare(rank, piece, true) >= 0);
  }

  #compare(rank: number, piece: Uint16Array, asPrefix: boolean): number {
    const number = this.#numbers[rank]!;
    const start = this.#starts[number]!;
    const end = this.#nexts[number]! - 1;
    return compareField(this.#text, start, end, piece, asPrefix);
  }
}

/*
 * Suggestions come in four classes: exact host, exact name, prefix of either, substring of either. Within a class,
 * hosts ascend (docs/contract.md#12-suggestions). Postings hold ranks in the host order. The first three classes are
 * ranges of sorted hosts and names, found by binary search. Substrings come from the postings, until the list is full.
 */

export class Suggester {
  /** Positions in `#hosts` are ranks in the host order, positions in `#named` are ranks in the name order. */
  readonly #hosts: SortedFields;
  readonly #named: SortedFields;
  readonly #hostOrder: Permutation;
  readonly #names: Uint32Array;
  readonly #finder: Finder;

  /**
   * @param names the listing numbers in name order
   * @param finder searches the titles
   */
  constructor(text: FoldedText, hostOrder: Permutation, names: Uint32Array, finder: Finder) {
    this.#hosts = new SortedFields(hostOrder.numbers, text, text.hosts, text.names);
    this.#named = new SortedFields(names, text, text.names, text.taglines);
    this.#hostOrder = hostOrder;
    this.#names = names;
    this.#finder = finder;
  }

  /** Returns the number of the listing with a canonical host; undefined if there is none. */
  numberOf(host: string): number | undefined {
    const rank = this.#hosts.rankOf(unitsOf(host));
    return rank === undefined ? undefined : this.#hostOrder.numbers[rank];
  }

  /** Returns the numbers of up to `room` listings whose host or name contains a text, best first. */
  find(text: string, room: number): Uint32Array {
    const { piece, sets, check } = this.#finder.candidates(text);
    const hosts = this.#hosts.find(piece);
    const names = this.#named.find(piece);
    /** Ranks in the host order, in the order of the answer. */
    const found = new Set<number>();
    const addClass = (ranks: Iterable<number>) => {
      for (const rank of least(ranks, room + found.size)) found.add(rank);
    };
    if (hosts.from < hosts.exactTo) found.add(hosts.from);
    addClass(this.#ranksOf(names.from, names.exactTo));
    const some = Math.min(hosts.to - hosts.from, room + found.size);
    const prefixed = Array.from({ length: some }, (_, at) => hosts.from + at);
    const named = least(this.#ranksOf(names.exactTo, names.to), room + found.size);
    // Host and name of a listing may both begin with the text.
    addClass(new Set([...prefixed, ...named]));
    if (found.size < room) {
      eachCommon(sets, (rank) => {
        if (check === undefined || check(rank)) found.add(rank);
        return found.size < room;
      });
    }
    return Uint32Array.from([...found].slice(0, room), (rank) => this.#hostOrder.numbers[rank]!);
  }

  /** The ranks of the listings in a range of names. */
  #ranksOf(from: number, to: number): Uint32Array {
    return this.#names.subarray(from, to).map((number) => this.#hostOrder.ranks[number]!);
  }
}

/** The least of some numbers, ascending. @param numbers none of them twice */
function least(numbers: Iterable<number>, count: number): number[] {
  const found: number[] = [];
  for (const number of numbers) {
    if (found.length === count && number > found[count - 1]!) continue;
    found.push(number);
    found.sort((a, b) => a - b);
    found.length = Math.min(found.length, count);
  }
  return found;
}
