import type { Permutation } from "./order/order.js";
import { eachCommon, type ListingSet } from "./sets/sets.js";
import type { Finder } from "./text/finder.js";
import { SortedFields } from "./text/sorted-fields.js";
import { compareField, type FoldedText, unitsOf } from "./text/text.js";

/*
 * Suggestions come in four classes: exact host, exact name, prefix of either, substring of either. Within a class,
 * hosts ascend (contract section 4). Postings hold ranks in the host order. If few listings contain a text, each one
 * is classed separately. Otherwise the first three classes are ranges of sorted hosts and names, found by binary
 * search, and substrings come from the postings until the list is full.
 */

/**
 * If a text's rarest posting has at most this many listings, each listing is classed. Beyond, binary search is cheaper.
 */
const FEW = 64;

/** The best ranks in the host order, class by class. */
class Shortlist {
  readonly #room: number;
  /** Ranks in the order of the answer. Those of the open class ascend. */
  readonly #ranks: number[] = [];
  #closed = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** Whether the list has room for a rank, unless it already contains it. */
  accepts(rank: number): boolean {
    if (this.#ranks.length < this.#room) return true;
    return this.#closed < this.#room && rank < this.#ranks[this.#room - 1]!;
  }

  /** Adds a rank to the open class, unless the list already contains it or is full of better ones. */
  offer(rank: number): void {
    if (!this.accepts(rank) || this.#ranks.includes(rank)) return;
    let at = this.#ranks.length;
    while (at > this.#closed && this.#ranks[at - 1]! > rank) at -= 1;
    this.#ranks.splice(at, 0, rank);
    if (this.#ranks.length > this.#room) this.#ranks.pop();
  }

  /** Ends the class. Later offers come after it. */
  closeClass(): void {
    this.#closed = this.#ranks.length;
  }

  get ranks(): readonly number[] {
    return this.#ranks;
  }
}

export class Suggester {
  /** Positions in `#hosts` are ranks in the host order, positions in `#named` are ranks in the name order. */
  readonly #hosts: SortedFields;
  readonly #named: SortedFields;
  readonly #text: FoldedText;
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
    this.#text = text;
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
    const ranks = hasFew(sets)
      ? this.#classEach(piece, sets, check).slice(0, room)
      : this.#takeClasses(piece, sets, check, room);
    return Uint32Array.from(ranks, (rank) => this.#hostOrder.numbers[rank]!);
  }

  /** Returns all ranks, class by class. */
  #classEach(piece: Uint16Array, sets: readonly ListingSet[], check: Check | undefined): number[] {
    const classes: [number[], number[], number[], number[]] = [[], [], [], []];
    eachCommon(sets, (rank) => {
      if (check === undefined || check(rank)) classes[this.#classOf(rank, piece)].push(rank);
      return true;
    });
    return classes.flat();
  }

  /** Returns the class of a listing that contains the piece. */
  #classOf(rank: number, piece: Uint16Array): 0 | 1 | 2 | 3 {
    const { hosts, names, taglines } = this.#text;
    const number = this.#hostOrder.numbers[rank]!;
    const [host, name, tagline] = [hosts[number]!, names[number]!, taglines[number]!];
    const startsHost = compareField(this.#text, host, name - 1, piece, true) === 0;
    if (startsHost && name - 1 - host === piece.length) return 0;
    const startsName = compareField(this.#text, name, tagline - 1, piece, true) === 0;
    if (startsName && tagline - 1 - name === piece.length) return 1;
    return startsHost || startsName ? 2 : 3;
  }

  /** Returns the first `room` ranks, class by class. */
  #takeClasses(
    piece: Uint16Array,
    sets: readonly ListingSet[],
    check: Check | undefined,
    room: number,
  ): readonly number[] {
    const { ranks } = this.#hostOrder;
    const list = new Shortlist(room);
    const hosts = this.#hosts.find(piece);
    const names = this.#named.find(piece);
    if (hosts.from < hosts.exactTo) list.offer(hosts.from);
    list.closeClass();
    for (let at = names.from; at < names.exactTo; at += 1) list.offer(ranks[this.#names[at]!]!);
    list.closeClass();
    for (let rank = hosts.from; rank < hosts.to && list.accepts(rank); rank += 1) {
      list.offer(rank);
    }
    for (let at = names.exactTo; at < names.to; at += 1) list.offer(ranks[this.#names[at]!]!);
    list.closeClass();
    // Rank 0 would be the best of its class. If the list rejects it, earlier classes have filled the list.
    if (!list.accepts(0)) return list.ranks;
    eachCommon(sets, (rank) => {
      if (check === undefined || check(rank)) list.offer(rank);
      return list.accepts(rank);
    });
    return list.ranks;
  }
}

type Check = (rank: number) => boolean;

function hasFew(sets: readonly ListingSet[]): boolean {
  return sets.some(({ count }) => count <= FEW);
}
