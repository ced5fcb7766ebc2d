import type { Permutation } from "./order/order.js";
import { eachCommon } from "./sets/sets.js";
import type { Finder } from "./text/finder.js";
import { SortedFields } from "./text/sorted-fields.js";
import { type FoldedText, unitsOf } from "./text/text.js";

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
    const { from, exactTo } = this.#hosts.find(unitsOf(host));
    return from < exactTo ? this.#hostOrder.numbers[from] : undefined;
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
