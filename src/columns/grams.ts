/*
 * Every piece of 1, 2 or 3 code units that occurs in the text is a gram with a number of its own, and so is
 * a longer one where all but its last unit is common (common-grams.ts). Grams form a trie: a gram is the
 * child of the one without its last unit; so a text's grams are found with one step each, and no gram's
 * units are ever put together. All steps lie in one hash table with open addressing, in typed arrays.
 */

export interface GramTable {
  /** By slot: the gram a step leads to, plus 1; 0 where the slot is free. */
  readonly grams: Uint32Array;
  /** By slot: the gram that the step starts from, plus 1 (0: the empty one), and the unit it adds. */
  readonly parents: Uint32Array;
  readonly units: Uint16Array;
}

export const NO_GRAM = -1;
/** What grams of one unit start from. */
export const ROOT = -1;

/** Finds the gram that adds a unit to another one (or to ROOT); NO_GRAM where the text has none such. */
export function stepGram(table: GramTable, from: number, unit: number): number {
  return table.grams[slotOf(table, from, unit)]! - 1;
}

/** The slot of a step, or the free one where it would go. */
function slotOf({ grams, parents, units }: GramTable, from: number, unit: number): number {
  const mask = grams.length - 1;
  const mixed = Math.imul(Math.imul(from + 1, 0x9e3779b1) ^ (unit + 1), 0x85ebca6b);
  let slot = (mixed ^ (mixed >>> 15)) & mask;
  while (grams[slot] !== 0 && (parents[slot] !== from + 1 || units[slot] !== unit)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

/** Numbers grams as they come, from 0. */
export class GramNumbering {
  /** By gram, the one that it continues, which comes before it, or ROOT. */
  readonly parents: number[] = [];
  /** By gram, its last unit. */
  readonly units: number[] = [];
  #table = emptyTable(1 << 12);
  #count = 0;

  /** The gram that adds a unit to another one (or to ROOT), numbered now where it is new. */
  step(from: number, unit: number): number {
    const slot = slotOf(this.#table, from, unit);
    const known = this.#table.grams[slot]!;
    if (known !== 0) return known - 1;
    this.#count += 1;
    this.parents.push(from);
    this.units.push(unit);
    occupy(this.#table, slot, this.#count, from, unit);
    // At most half full: a search then meets a free slot soon.
    if (this.#count * 2 > this.#table.grams.length) this.#table = doubled(this.#table);
    return this.#count - 1;
  }

  /** A gram's units. */
  unitsOf(gram: number): number[] {
    const units: number[] = [];
    for (let part = gram; part !== ROOT; part = this.parents[part]!) units.push(this.units[part]!);
    return units.reverse();
  }

  /** Grams so far. */
  get count(): number {
    return this.#count;
  }

  get table(): GramTable {
    return this.#table;
  }
}

function emptyTable(slots: number): GramTable {
  return {
    grams: new Uint32Array(slots),
    parents: new Uint32Array(slots),
    units: new Uint16Array(slots),
  };
}

function occupy(table: GramTable, slot: number, gram: number, from: number, unit: number): void {
  table.grams[slot] = gram;
  table.parents[slot] = from + 1;
  table.units[slot] = unit;
}

function doubled(table: GramTable): GramTable {
  const larger = emptyTable(table.grams.length * 2);
  for (let slot = 0; slot < table.grams.length; slot += 1) {
    const gram = table.grams[slot]!;
    if (gram === 0) continue;
    const from = table.parents[slot]! - 1;
    const unit = table.units[slot]!;
    occupy(larger, slotOf(larger, from, unit), gram, from, unit);
  }
  return larger;
}
