import { firstWhere } from "../../contract/order.js";
import { COMMON_MAX, KEY_UNITS, KEY_UNITS_MAX } from "./format.js";
import type { MapEntry } from "./sorted-map.js";

/** A folded text that a map finds by its pieces. */
export interface SlotText {
  readonly slot: number;
  /** Stands before the first piece, which then has one unit more. One unit, or "" in a map without starts. */
  readonly mark: string;
  readonly units: Uint16Array;
}

const LOW_SURROGATE = 0xdc00;

/**
 * All pieces of texts that begin at a code point, sorted. The texts lie in one array, as ranks of their units, each
 * followed by as many zeros as a piece has units. So a piece is a position, and sorting needs no texts.
 */
export class Suffixes {
  readonly #hasMarks: boolean;
  /** By rank, from 1, the unit. */
  readonly #units: Uint16Array;
  readonly #ranks: Uint16Array;
  /** By position in `#ranks`. */
  readonly #slots: Uint32Array;
  readonly #sorted: Uint32Array;

  /** @param texts by slot, without empty ones. Either all have a mark, or none has */
  constructor(texts: readonly SlotText[]) {
    this.#hasMarks = texts.some(({ mark }) => mark !== "");
    const { units, ranks: rankOf } = rankUnits(texts);
    this.#units = units;
    const gap = KEY_UNITS + Number(this.#hasMarks);
    const length = texts.reduce((sum, { units }) => sum + units.length + gap, KEY_UNITS);
    this.#ranks = new Uint16Array(length);
    this.#slots = new Uint32Array(length);
    const positions = new Uint32Array(length);
    let count = 0;
    let at = 1;
    for (const { slot, mark, units } of texts) {
      const add = (unit: number) => {
        this.#ranks[at] = rankOf[unit]!;
        this.#slots[at] = slot;
        if ((unit & 0xfc00) !== LOW_SURROGATE) {
          positions[count] = at;
          count += 1;
        }
        at += 1;
      };
      unitsOf(mark).forEach(add);
      units.forEach(add);
      at += KEY_UNITS;
    }
    this.#sorted = this.#sort(positions.subarray(0, count));
  }

  /** Visits the distinct pieces, in their order. Sorts common ones further. */
  each(visit: (entry: MapEntry) => void): void {
    const sorted = this.#sorted;
    for (let from = 0; from < sorted.length; ) {
      const first = sorted[from]!;
      const length = this.#lengthAt(first);
      let to = from + 1;
      while (to < sorted.length && this.#isSame(first, sorted[to]!, length)) to += 1;
      this.#visit(sorted.subarray(from, to), length, visit);
      from = to;
    }
  }

  /** Visits the pieces at positions that have the first `length` units in common. */
  #visit(positions: Uint32Array, length: number, visit: (entry: MapEntry) => void): void {
    const first = positions[0]!;
    const slots = this.#slotsAt(positions);
    const marks = Number(this.#isMark(first));
    const isWhole = length < KEY_UNITS + marks || length === KEY_UNITS_MAX + marks;
    if (isWhole || slots.length <= COMMON_MAX) {
      visit({ key: this.#textAt(first, length), slots });
      return;
    }
    const next = (position: number) => this.#ranks[position + length]!;
    // Positions are in the order of slots.
    positions.sort((a, b) => next(a) - next(b) || a - b);
    for (let from = 0; from < positions.length; ) {
      const rank = next(positions[from]!);
      let to = from + 1;
      while (to < positions.length && next(positions[to]!) === rank) to += 1;
      const some = positions.subarray(from, to);
      if (rank > 0) this.#visit(some, length + 1, visit);
      else visit({ key: this.#textAt(first, length), slots: this.#slotsAt(some) });
      from = to;
    }
  }

  /** The slots at positions, which are in their order. */
  #slotsAt(positions: Uint32Array): number[] {
    const slots: number[] = [];
    for (const position of positions) {
      const slot = this.#slots[position]!;
      if (slot !== slots.at(-1)) slots.push(slot);
    }
    return slots;
  }

  /**
   * The slots of all pieces that begin with a text, ascending. After `each`.
   * @param text a beginning of a piece that `each` has visited
   * @param size the number of all slots
   */
  slotsWith(text: string, size: number): number[] {
    const startAt = (index: number) => this.#textAt(this.#sorted[index]!, text.length);
    const { length } = this.#sorted;
    const from = firstWhere(0, length, (index) => startAt(index) >= text);
    const to = firstWhere(from, length, (index) => startAt(index) !== text);
    const isFound = new Uint8Array(size);
    const found: number[] = [];
    for (const position of this.#sorted.subarray(from, to)) {
      const slot = this.#slots[position]!;
      if (isFound[slot] === 0) found.push(slot);
      isFound[slot] = 1;
    }
    return found.sort((a, b) => a - b);
  }

  /** Sorts by the last unit first. As each pass keeps the order of equal ones, equal pieces stay in that of slots. */
  #sort(positions: Uint32Array): Uint32Array {
    let from = positions;
    let to: Uint32Array = new Uint32Array(positions.length);
    for (let offset = KEY_UNITS - Number(!this.#hasMarks); offset >= 0; offset -= 1) {
      const starts = new Uint32Array(this.#units.length + 1);
      for (const position of from) starts[this.#rankAt(position, offset) + 1]! += 1;
      for (let rank = 1; rank < starts.length; rank += 1) starts[rank]! += starts[rank - 1]!;
      for (const position of from) {
        const rank = this.#rankAt(position, offset);
        to[starts[rank]!] = position;
        starts[rank]! += 1;
      }
      [from, to] = [to, from];
    }
    return from;
  }

  /** The rank of a unit of a piece; 0 after its end. */
  #rankAt(position: number, offset: number): number {
    if (offset === KEY_UNITS && !this.#isMark(position)) return 0;
    return this.#ranks[position + offset]!;
  }

  #isMark(position: number): boolean {
    return this.#hasMarks && this.#ranks[position - 1] === 0;
  }

  #lengthAt(position: number): number {
    const most = KEY_UNITS + Number(this.#isMark(position));
    let length = 1;
    while (length < most && this.#ranks[position + length] !== 0) length += 1;
    return length;
  }

  #isSame(position: number, other: number, length: number): boolean {
    for (let at = 0; at < length; at += 1) {
      if (this.#ranks[position + at] !== this.#ranks[other + at]) return false;
    }
    return this.#lengthAt(other) === length;
  }

  /** The text at a position, up to its end. */
  #textAt(position: number, most: number): string {
    let text = "";
    for (let at = 0; at < most; at += 1) {
      const rank = this.#ranks[position + at]!;
      if (rank === 0) break;
      text += String.fromCharCode(this.#units[rank]!);
    }
    return text;
  }
}

function unitsOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

/** Numbers the units that occur, from 1, in their order. */
function rankUnits(texts: readonly SlotText[]) {
  const ranks = new Uint32Array(2 ** 16);
  for (const { mark, units } of texts) {
    for (const unit of unitsOf(mark)) ranks[unit] = 1;
    for (const unit of units) ranks[unit] = 1;
  }
  const found = [...ranks.keys()].filter((unit) => ranks[unit] === 1);
  for (const [at, unit] of found.entries()) ranks[unit] = at + 1;
  return { ranks, units: Uint16Array.from([0, ...found]) };
}
