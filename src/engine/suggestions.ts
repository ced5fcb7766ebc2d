import { foldText } from "../contract/fold.js";
import { hasBit } from "./bitmap.js";
import type { Orders } from "./order.js";
import type { Finder } from "./postings.js";
import { intersect } from "./sets.js";
import { SortedFields } from "./sorted-fields.js";
import { type FoldedText, unitsOf } from "./text.js";

/*
 * Suggestions come in four classes: exact host, exact name, prefix of either, substring of either; hosts
 * ascending within a class. Hosts and names are kept sorted, so the first three classes are ranges found
 * by halving; only where they leave room are the postings asked for substrings (contract section 4).
 */

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
  readonly #orders: Orders;
  readonly #names: Uint32Array;
  readonly #finder: Finder;

  /** `finder` looks for titles; `names` is the name order. */
  constructor(text: FoldedText, orders: Orders, names: Uint32Array, finder: Finder) {
    this.#hosts = new SortedFields(orders.host.numbers, text, text.hosts, text.names);
    this.#named = new SortedFields(names, text, text.names, text.taglines);
    this.#orders = orders;
    this.#names = names;
    this.#finder = finder;
  }

  /** The numbers of up to `room` listings whose host or name holds a text, best first. */
  find(text: string, room: number): Uint32Array {
    const { host } = this.#orders;
    const piece = unitsOf(foldText(text));
    const list = new Shortlist(room);
    const hosts = this.#hosts.find(piece);
    const names = this.#named.find(piece);
    if (hosts.from < hosts.exactTo) list.offer(hosts.from);
    list.closeClass();
    for (let at = names.from; at < names.exactTo; at += 1) {
      list.offer(host.places[this.#names[at]!]!);
    }
    list.closeClass();
    for (let place = hosts.from; place < hosts.to && list.accepts(place); place += 1) {
      list.offer(place);
    }
    for (let at = names.exactTo; at < names.to; at += 1) list.offer(host.places[this.#names[at]!]!);
    list.closeClass();
    this.#offerSubstrings(text, list);
    return Uint32Array.from(list.places, (place) => host.numbers[place]!);
  }

  #offerSubstrings(text: string, list: Shortlist): void {
    // The first place would be the best of its class: where it is refused, earlier classes filled the list.
    if (!list.accepts(0)) return;
    const { numbers, places } = this.#orders.host;
    const size = numbers.length;
    const { sets, check } = this.#finder.candidates(text);
    const { dense, data } = intersect(size, sets, { from: 0, to: size });
    if (!dense) {
      for (let at = 0; at < data.length; at += 1) {
        const number = data[at]!;
        const place = places[number]!;
        if (!list.accepts(place)) continue;
        if (check === undefined || check(number)) list.offer(place);
      }
      return;
    }
    for (let place = 0; place < size && list.accepts(place); place += 1) {
      const number = numbers[place]!;
      if (!hasBit(data, number)) continue;
      if (check === undefined || check(number)) list.offer(place);
    }
  }
}
