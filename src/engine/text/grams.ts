/*
 * Every substring of 1, 2 or 3 code units in the text is a gram with its own number. A longer substring
 * is a gram too if all but its last unit is common (common-grams.ts). Grams form a trie: a gram is the
 * child of the gram without its last unit. So each gram of a text takes one step to find, and no gram's
 * units are ever concatenated. All steps are in one hash table with open addressing, in typed arrays.
 */

/** Substrings of up to this many code units are always grams, whatever their count. */
export const GRAM_MAX = 3;

export interface GramTable {
  /**
   * By slot, side by side because they are read together: the gram that a step leads to, plus 1 (0: the
   * slot is free); the gram that the step starts from, plus 1 (0: the empty gram); and the unit that the
   * step adds.
   */
  readonly slots: Uint32Array;
}

/** Numbers in a slot. */
const SLOT = 3;

export const NO_GRAM = -1;
/** The empty gram, which grams of one unit continue. */
export const ROOT = -1;

/** Finds the gram that adds a unit to another gram or to ROOT. Returns NO_GRAM if the text has no such gram. */
export function stepGram(table: GramTable, from: number, unit: number): number {
  return table.slots[slotOf(table, from, unit)]! - 1;
}

/** The index of a step's slot, or of the free slot where the step would go. */
function slotOf({ slots }: GramTable, from: number, unit: number): number {
  const mask = slots.length / SLOT - 1;
  const mixed = Math.imul(Math.imul(from + 1, 0x9e3779b1) ^ (unit + 1), 0x85ebca6b);
  let slot = (mixed ^ (mixed >>> 15)) & mask;
  for (;;) {
    const at = SLOT * slot;
    if (slots[at] === 0 || (slots[at + 1] === from + 1 && slots[at + 2] === unit)) return at;
    slot = (slot + 1) & mask;
  }
}

/** Numbers grams in the order of their first occurrence, from 0. */
export class GramNumbering {
  /** By gram, the gram that it continues, which has a lower number, or ROOT. */
  readonly parents: number[] = [];
  #table = emptyTable(1 << 12);
  #count = 0;

  /** The gram that adds a unit to another gram or to ROOT. A new gram gets the next number. */
  step(from: number, unit: number): number {
    const slot = slotOf(this.#table, from, unit);
    const known = this.#table.slots[slot]!;
    if (known !== 0) return known - 1;
    this.#count += 1;
    this.parents.push(from);
    occupy(this.#table, slot, this.#count, from, unit);
    // The table stays at most half full, so that a search soon meets a free slot.
    if (this.#count * 2 * SLOT > this.#table.slots.length) this.#table = doubled(this.#table);
    return this.#count - 1;
  }

  /** The number of grams so far. */
  get count(): number {
    return this.#count;
  }

  get table(): GramTable {
    return this.#table;
  }
}

function emptyTable(slots: number): GramTable {
  return { slots: new Uint32Array(SLOT * slots) };
}

function occupy({ slots }: GramTable, at: number, gram: number, from: number, unit: number): void {
  slots[at] = gram;
  slots[at + 1] = from + 1;
  slots[at + 2] = unit;
}

function doubled({ slots }: GramTable): GramTable {
  const larger = emptyTable((2 * slots.length) / SLOT);
  for (let at = 0; at < slots.length; at += SLOT) {
    const gram = slots[at]!;
    if (gram === 0) continue;
    const from = slots[at + 1]! - 1;
    const unit = slots[at + 2]!;
    occupy(larger, slotOf(larger, from, unit), gram, from, unit);
  }
  return larger;
}
