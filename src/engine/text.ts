import { foldText } from "../contract/order.js";
import { FIELD_END, FIELDS } from "../store/columns/listings.js";
import type { Postings } from "./postings.js";
import type { Ranking, RankingColumns } from "./ranking.js";
import {
  EMPTY,
  eachCommon,
  filterSet,
  intersect,
  type ListingSet,
  type NumberRange,
  type PackedSets,
  type Permutation,
  packedSet,
  setBit,
  setOfNumbers,
  takeBits,
  Workspace,
  wordsFor,
} from "./sets.js";

/*
 * The folded text of all listings in one array of UTF-16 code units, listing after listing: host, name, tagline. A lone
 * surrogate ends each field. Text and queries are well-formed, so in a query that surrogate is always followed by its
 * other half. No match can therefore span two fields, and comparing units is enough to find matches.
 * Comparing units also respects code points. A well-formed query starts and ends at the border of a code point, and
 * half a surrogate pair equals no other unit, so every match starts and ends at such a border too.
 */

export interface FoldedText {
  readonly units: Uint16Array;
  /** The start of each listing's host, then the end of the text. */
  readonly hosts: Uint32Array;
  /** The start of each listing's name, and of its tagline. */
  readonly names: Uint32Array;
  readonly taglines: Uint32Array;
}

/** The fields that a read searches: "all" for search, "titles" (host and name) for suggestions. */
export type Fields = "all" | "titles";

/** Brings the fields of all listings into the order of their numbers. */
export function gatherText({
  size,
  segments,
  segmentOf,
  rowOf,
}: Ranking<RankingColumns>): FoldedText {
  const text: FoldedText = {
    units: new Uint16Array(segments.reduce((sum, { units }) => sum + units.length, 0)),
    hosts: new Uint32Array(size + 1),
    names: new Uint32Array(size),
    taglines: new Uint32Array(size),
  };
  let end = 0;
  for (let number = 0; number < size; number += 1) {
    const { units, fields } = segments[segmentOf[number]!]!;
    const first = FIELDS * rowOf[number]!;
    const start = fields[first]!;
    text.hosts[number] = end;
    text.names[number] = end + fields[first + 1]! - start;
    text.taglines[number] = end + fields[first + 2]! - start;
    text.units.set(units.subarray(start, fields[first + FIELDS]), end);
    end += fields[first + FIELDS]! - start;
  }
  text.hosts[size] = end;
  return text;
}

/**
 * Whether the unit at a position ends a field. Inside a field the same unit is the first half of U+10000 to U+103FF.
 */
export function endsField(units: Uint16Array, at: number): boolean {
  return units[at] === FIELD_END && ((units[at + 1] ?? 0) & 0xfc00) !== 0xdc00;
}

/** Returns a text's UTF-16 code units. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

/** Returns a listing's host. Hosts are lower case, so the folded text has them unchanged. */
export function hostAt({ units, hosts, names }: FoldedText, number: number): string {
  return String.fromCharCode(...units.subarray(hosts[number], names[number]! - 1));
}

/**
 * Returns a function that tells whether one of a listing's fields contains the piece, which is folded and has two units
 * or more. The unit at the piece's possible end tells how far the search may jump (Horspool). Units with the same low
 * byte share the shortest jump.
 */
function seek(
  { units, hosts, taglines }: FoldedText,
  fields: Fields,
  piece: Uint16Array,
): (number: number) => boolean {
  const last = piece.length - 1;
  const jumps = jumpsOf(piece);
  const lastUnit = piece[last]!;
  return (number) => {
    const end = fields === "all" ? hosts[number + 1]! : taglines[number]!;
    for (let at = hosts[number]! + last; at < end; ) {
      const unit = units[at]!;
      if (unit === lastUnit && isAt(units, at - last, piece)) return true;
      at += jumps[unit & 0xff]!;
    }
    return false;
  };
}

/** By the low byte of the unit at the piece's possible end, how far the search may jump. */
function jumpsOf(piece: Uint16Array): Uint16Array {
  const last = piece.length - 1;
  const jumps = new Uint16Array(256).fill(piece.length);
  for (let at = 0; at < last; at += 1) jumps[piece[at]! & 0xff] = last - at;
  return jumps;
}

function isAt(units: Uint16Array, start: number, piece: Uint16Array): boolean {
  for (let at = 0; at < piece.length; at += 1) if (units[start + at] !== piece[at]) return false;
  return true;
}

/**
 * Compares a field with a piece by code unit: negative if the field comes first, 0 if they are equal, positive if the
 * piece comes first. With `asPrefix`, a field that starts with the piece counts as equal.
 */
export function compareField(
  { units }: FoldedText,
  start: number,
  end: number,
  piece: Uint16Array,
  asPrefix: boolean,
): number {
  const length = Math.min(end - start, piece.length);
  for (let at = 0; at < length; at += 1) {
    const difference = units[start + at]! - piece[at]!;
    if (difference !== 0) return difference;
  }
  if (asPrefix && length === piece.length) return 0;
  return end - start - piece.length;
}

/*
 * Every substring of 1, 2 or 3 code units in the text is a gram with its own number. A longer substring
 * is a gram too if all but its last unit. Grams form a trie: a gram is the
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

/**
 * Grams of this many units are never extended. A text that all listings share must not take memory by the square of its
 * length.
 */
const LONGEST = 12;

/**
 * Whether the continuations of a gram are grams too. The gram has `length` units and is in `count` of `size` listings.
 * It is common if a bitmap of its listings takes fewer words than a list.
 */
export function isExtended(length: number, count: number, size: number): boolean {
  return length < GRAM_MAX || (length < LONGEST && count > wordsFor(size));
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

/** The listings that contain a piece of text: the members of all `sets` that pass `check`, if there is one. */
export interface Candidates {
  /** The folded UTF-16 code units of the text. */
  readonly piece: Uint16Array;
  readonly sets: readonly ListingSet[];
  readonly check: ((member: number) => boolean) | undefined;
  /** Makes checking these members faster. */
  readonly warm?: (members: Uint32Array) => void;
}

/**
 * Finds texts in the fields of one read. Its members are listing numbers for search, and ranks in the host order for
 * suggestions.
 */
export interface Finder {
  /** Returns the candidates for a non-empty text. Upper and lower case match (docs/contract.md#41-folding). */
  candidates(text: string): Candidates;
  /** Whether any listing contains a non-empty text. */
  hasAny(text: string): boolean;
}

/** Returns the listings of a range that are in every set and, if a text is given, contain it. */
export function select(
  space: Workspace,
  sets: readonly ListingSet[],
  range: NumberRange,
  text?: Candidates,
): ListingSet {
  if (text === undefined) return intersect(space, sets, range);
  const shared = intersect(space, [...sets, ...text.sets], range);
  return text.check === undefined ? shared : filterSet(space, shared, text.check, text.warm);
}

/*
 * If a piece of text is a gram itself, the gram's posting is the answer. Otherwise only listings that contain all grams
 * of the piece can contain the piece. The intersection of their postings is then checked against the text.
 */

/** Code units in a line of the processor's cache. */
const LINE_UNITS = 32;

/** Finds texts with the postings of one read. */
export class GramFinder implements Finder {
  readonly #text: FoldedText;
  readonly #grams: GramTable;
  readonly #sets: PackedSets;
  /** By gram, the number of listings that contain it in any field. */
  readonly #counts: Uint32Array;
  readonly #fields: Fields;
  /** By member, its listing number; undefined if members are listing numbers. */
  readonly #listings: Uint32Array | undefined;
  readonly #size: number;
  /** Takes what `#warm` reads: otherwise the compiler would leave out the reads. */
  readonly #sink = new Uint16Array(1);

  /** @param hostOrder maps members to listings for titles, whose members are ranks in the host order */
  constructor(
    text: FoldedText,
    postings: Postings,
    fields: Fields,
    hostOrder: Pick<Permutation, "numbers">,
  ) {
    this.#text = text;
    this.#grams = postings.grams;
    this.#sets = postings[fields];
    this.#counts = postings.all.counts;
    this.#fields = fields;
    this.#listings = fields === "titles" ? hostOrder.numbers : undefined;
    this.#size = text.names.length;
  }

  candidates(text: string): Candidates {
    const piece = unitsOf(foldText(text));
    const grams: number[] = [];
    let covered = 0;
    for (let start = 0; covered < piece.length; start += 1) {
      let gram = ROOT;
      let end = start;
      do {
        gram = stepGram(this.#grams, gram, piece[end]!);
        if (gram === NO_GRAM) return { piece, sets: [EMPTY], check: undefined };
        end += 1;
      } while (end < piece.length && isExtended(end - start, this.#counts[gram]!, this.#size));
      // A gram that ends where the one before it ends is a part of it, and rules out nothing more.
      if (end > covered) grams.push(gram);
      covered = end;
    }
    const sets = grams.map((gram) => packedSet(this.#sets, this.#size, gram));
    if (sets.length === 1) return { piece, sets, check: undefined };
    return { piece, sets, check: this.#holds(piece), warm: this.#warm };
  }

  hasAny(text: string): boolean {
    const { sets, check } = this.candidates(text);
    let found = false;
    eachCommon(sets, (member) => {
      found = check === undefined || check(member);
      return !found;
    });
    return found;
  }

  /** Reads the beginning of each listing's text: two lines of the processor's cache. */
  readonly #warm = (members: Uint32Array): void => {
    const { units, hosts } = this.#text;
    let read = 0;
    for (let at = 0; at < members.length; at += 1) {
      const start = hosts[members[at]!]!;
      read ^= units[start]! ^ units[start + LINE_UNITS]!;
    }
    this.#sink[0] = read;
  };

  #holds(piece: Uint16Array): (member: number) => boolean {
    const holds = seek(this.#text, this.#fields, piece);
    const listings = this.#listings;
    return listings === undefined ? holds : (rank) => holds(listings[rank]!);
  }
}

/*
 * Finds texts without postings, by reading the whole text. A search of 100,000 listings then takes milliseconds instead
 * of microseconds, but the index needs a third of the memory, and is made in a tenth of the time. That suits a browser
 * or an edge worker, which answers few requests after each start.
 */

export class ScanFinder implements Finder {
  readonly #text: FoldedText;
  readonly #fields: Fields;
  readonly #hostOrder: Permutation;
  readonly #space: Workspace;
  /** The last text and its listings: a page of the explorer asks for the same text several times. */
  #last: { readonly text: string; readonly members: Uint32Array } | null = null;

  constructor(text: FoldedText, fields: Fields, hostOrder: Permutation) {
    this.#text = text;
    this.#fields = fields;
    this.#hostOrder = hostOrder;
    this.#space = new Workspace(text.names.length);
  }

  candidates(text: string): Candidates {
    const folded = foldText(text);
    const piece = unitsOf(folded);
    if (this.#last?.text !== folded) {
      const numbers = Uint32Array.from(this.#scan(piece));
      const members = this.#fields === "titles" ? this.#placesOf(numbers) : numbers;
      this.#last = { text: folded, members };
    }
    this.#space.clear();
    return { piece, sets: [setOfNumbers(this.#space, this.#last.members)], check: undefined };
  }

  hasAny(text: string): boolean {
    const folded = foldText(text);
    if (this.#last?.text === folded) return this.#last.members.length > 0;
    return this.#scan(unitsOf(folded), 1).length > 0;
  }

  /** Returns the ascending ranks of listings in the host order. */
  #placesOf(numbers: Uint32Array): Uint32Array {
    const bits = new Uint32Array(wordsFor(this.#space.size));
    for (const number of numbers) setBit(bits, this.#hostOrder.ranks[number]!);
    return takeBits(bits, 0, numbers);
  }

  /**
   * Returns the numbers of up to `most` listings that contain the piece, ascending. No match spans two
   * fields. The unit at the piece's possible end tells how far the search may jump (Horspool).
   */
  #scan(piece: Uint16Array, most = Number.POSITIVE_INFINITY): number[] {
    const { units, hosts, taglines } = this.#text;
    const found: number[] = [];
    const last = piece.length - 1;
    const jumps = jumpsOf(piece);
    const lastUnit = piece[last]!;
    const isTitles = this.#fields === "titles";
    let number = 0;
    let at = last;
    while (at < units.length && found.length < most) {
      const unit = units[at]!;
      if (unit !== lastUnit || !isAt(units, at - last, piece)) {
        at += jumps[unit & 0xff]!;
        continue;
      }
      const start = at - last;
      while (hosts[number + 1]! <= start) number += 1;
      if (!isTitles || start < taglines[number]!) found.push(number);
      at = hosts[number + 1]! + last;
    }
    return found;
  }
}
