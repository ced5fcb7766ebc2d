import type { Permutation } from "./order/order.js";
import { eachCommon, type ListingSet } from "./sets/sets.js";
import type { Finder } from "./text/postings.js";
import { SortedFields } from "./text/sorted-fields.js";
import { compareField, type FoldedText, unitsOf } from "./text/text.js";

/*
 * Suggestions come in four classes: exact host, exact name, prefix of either, substring of either; hosts
 * ascending within a class (contract section 4). Postings hold places in the host order. Where a text is in
 * few listings, each is classed by itself; else the first three classes are ranges of sorted hosts and names,
 * found by halving, and substrings come from the postings until the list is full.
 */

/** Listings in a text's rarest posting up to which each is looked at: halving costs as much. */
const FEW = 64;

/** The best places of the host order, class after class. */
class Shortlist {
  readonly #room: number;
  /** Places in the order of the answer; those of the open class ascend. */
  readonly #places: number[] = [];
  #closed = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** Whether a place, were it not listed yet, would be. */
  accepts(place: number): boolean {
    if (this.#places.length < this.#room) return true;
    return this.#closed < this.#room && place < this.#places[this.#room - 1]!;
  }

  /** Adds a place to the open class, unless it is listed already or comes after all that are. */
  offer(place: number): void {
    if (!this.accepts(place) || this.#places.includes(place)) return;
    let at = this.#places.length;
    while (at > this.#closed && this.#places[at - 1]! > place) at -= 1;
    this.#places.splice(at, 0, place);
    if (this.#places.length > this.#room) this.#places.pop();
  }

  /** Ends the class; what is offered from now on comes after it. */
  closeClass(): void {
    this.#closed = this.#places.length;
  }

  get places(): readonly number[] {
    return this.#places;
  }
}

export class Suggester {
  /** Places in both are places in the host order and in the name order. */
  readonly #hosts: SortedFields;
  readonly #named: SortedFields;
  readonly #text: FoldedText;
  readonly #hostOrder: Permutation;
  readonly #names: Uint32Array;
  readonly #finder: Finder;

  /** `finder` looks for titles; `names` is the name order. */
  constructor(text: FoldedText, hostOrder: Permutation, names: Uint32Array, finder: Finder) {
    this.#hosts = new SortedFields(hostOrder.numbers, text, text.hosts, text.names);
    this.#named = new SortedFields(names, text, text.names, text.taglines);
    this.#text = text;
    this.#hostOrder = hostOrder;
    this.#names = names;
    this.#finder = finder;
  }

  /** The number of the listing of a canonical host; undefined where there is none. */
  numberOf(host: string): number | undefined {
    const { from, exactTo } = this.#hosts.find(unitsOf(host));
    return from < exactTo ? this.#hostOrder.numbers[from] : undefined;
  }

  /** The numbers of up to `room` listings whose host or name holds a text, best first. */
  find(text: string, room: number): Uint32Array {
    const { piece, sets, check } = this.#finder.candidates(text);
    const places = hasFew(sets)
      ? this.#classEach(piece, sets, check).slice(0, room)
      : this.#takeClasses(piece, sets, check, room);
    return Uint32Array.from(places, (place) => this.#hostOrder.numbers[place]!);
  }

  /** All places, class after class. */
  #classEach(piece: Uint16Array, sets: readonly ListingSet[], check: Check | undefined): number[] {
    const classes: [number[], number[], number[], number[]] = [[], [], [], []];
    eachCommon(sets, (place) => {
      if (check === undefined || check(place)) classes[this.#classOf(place, piece)].push(place);
      return true;
    });
    return classes.flat();
  }

  /** The class of a listing that holds the piece. */
  #classOf(place: number, piece: Uint16Array): 0 | 1 | 2 | 3 {
    const { hosts, names, taglines } = this.#text;
    const number = this.#hostOrder.numbers[place]!;
    const [host, name, tagline] = [hosts[number]!, names[number]!, taglines[number]!];
    const startsHost = compareField(this.#text, host, name - 1, piece, true) === 0;
    if (startsHost && name - 1 - host === piece.length) return 0;
    const startsName = compareField(this.#text, name, tagline - 1, piece, true) === 0;
    if (startsName && tagline - 1 - name === piece.length) return 1;
    return startsHost || startsName ? 2 : 3;
  }

  /** The first `room` places, class after class. */
  #takeClasses(
    piece: Uint16Array,
    sets: readonly ListingSet[],
    check: Check | undefined,
    room: number,
  ): readonly number[] {
    const { places } = this.#hostOrder;
    const list = new Shortlist(room);
    const hosts = this.#hosts.find(piece);
    const names = this.#named.find(piece);
    if (hosts.from < hosts.exactTo) list.offer(hosts.from);
    list.closeClass();
    for (let at = names.from; at < names.exactTo; at += 1) list.offer(places[this.#names[at]!]!);
    list.closeClass();
    for (let place = hosts.from; place < hosts.to && list.accepts(place); place += 1) {
      list.offer(place);
    }
    for (let at = names.exactTo; at < names.to; at += 1) list.offer(places[this.#names[at]!]!);
    list.closeClass();
    // The first place would be the best of its class: where it is refused, earlier classes filled the list.
    if (!list.accepts(0)) return list.places;
    eachCommon(sets, (place) => {
      if (check === undefined || check(place)) list.offer(place);
      return list.accepts(place);
    });
    return list.places;
  }
}

type Check = (place: number) => boolean;

function hasFew(sets: readonly ListingSet[]): boolean {
  return sets.some(({ count }) => count <= FEW);
}
