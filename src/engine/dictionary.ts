import { buildPartIndex, hashUnits, type PartIndex } from "./parts.js";
import type { FoldedText } from "./text.js";
import { WORD_MAX, WordScanner } from "./words.js";

/*
 * The directory's own words, for correcting what people type: those of hosts, names and taglines, and
 * whole hosts, each with the number of listings that have it, in typed arrays. Their number is bounded,
 * so that they take the same room and the same time in a directory of any size.
 */

export interface Dictionary {
  /** The entries' code units, one entry after the other, those of more listings first. */
  readonly units: Uint16Array;
  /** Where each entry starts; one more than entries. */
  readonly starts: Uint32Array;
  /** Listings by entry. */
  readonly counts: Uint32Array;
  readonly parts: PartIndex;
}

/** Words and hosts: each takes some 100 bytes, 300 were all as long as they may be. */
const ENTRIES_MAX = 100_000;

/**
 * Collects the words of a directory. The ones in the most listings are kept, of equals those of the best
 * listings; whole hosts take the room that is left, the best listings' first, since most are found word
 * by word as well.
 */
export function buildDictionary(text: FoldedText): Dictionary {
  const words = new WordCounts(text.units);
  const scanner = new WordScanner();
  for (let number = 0; number < text.names.length; number += 1) {
    const visit = (start: number, end: number) => words.add(start, end, number);
    scanner.eachWord(text.units, text.hosts[number]!, text.hosts[number + 1]!, visit);
  }
  const { starts, lengths, counts } = withHosts(words.commonest(ENTRIES_MAX), text);
  const units = new Uint16Array(lengths.reduce((sum, length) => sum + length, 0));
  const places = new Uint32Array(starts.length + 1);
  for (let entry = 0; entry < starts.length; entry += 1) {
    const [start, length, place] = [starts[entry]!, lengths[entry]!, places[entry]!];
    for (let at = 0; at < length; at += 1) units[place + at] = text.units[start + at]!;
    places[entry + 1] = place + length;
  }
  return { units, starts: places, counts, parts: buildPartIndex(units, places) };
}

/** The entry's text. */
export function entryText({ units, starts }: Dictionary, entry: number): string {
  return String.fromCharCode(...units.subarray(starts[entry], starts[entry + 1]));
}

/** Entries by where they lie in the folded text. */
interface Entries {
  readonly starts: Uint32Array;
  readonly lengths: Uint8Array;
  readonly counts: Uint32Array;
}

function withHosts(words: Entries, { hosts, names }: FoldedText): Entries {
  const room = Math.min(ENTRIES_MAX, words.starts.length + names.length);
  const [starts, lengths] = [new Uint32Array(room), new Uint8Array(room)];
  const counts = new Uint32Array(room).fill(1);
  starts.set(words.starts);
  lengths.set(words.lengths);
  counts.set(words.counts);
  let end = words.starts.length;
  for (let number = 0; number < names.length && end < room; number += 1) {
    const length = names[number]! - 1 - hosts[number]!;
    if (length > WORD_MAX) continue;
    starts[end] = hosts[number]!;
    lengths[end] = length;
    end += 1;
  }
  return {
    starts: starts.subarray(0, end),
    lengths: lengths.subarray(0, end),
    counts: counts.slice(0, end),
  };
}

/** Counts listings by word: words have numbers, in the order in which they came first. */
class WordCounts {
  readonly #units: Uint16Array;
  #size = 0;
  /** A hash table with open addressing; by slot, side by side: the word's number, plus 1, and its hash. */
  #slots = new Uint32Array(1 << 13);
  /** By word; half as long as the table has slots, which is never fuller. */
  #starts = new Uint32Array(1 << 11);
  #lengths = new Uint8Array(1 << 11);
  #counts = new Uint32Array(1 << 11);
  /** The listing that had the word last, plus 1. */
  #latest = new Uint32Array(1 << 11);

  constructor(units: Uint16Array) {
    this.#units = units;
  }

  add(start: number, end: number, listing: number): void {
    if (end - start > WORD_MAX) return;
    const hash = hashUnits(0, this.#units, start, end);
    const slot = this.#slotOf(hash, start, end);
    if (this.#slots[slot] === 0) {
      this.#slots[slot] = this.#size + 1;
      this.#slots[slot + 1] = hash;
      this.#starts[this.#size] = start;
      this.#lengths[this.#size] = end - start;
      this.#size += 1;
    }
    const word = this.#slots[slot]! - 1;
    if (this.#latest[word] !== listing + 1) {
      this.#latest[word] = listing + 1;
      this.#counts[word]! += 1;
    }
    if (this.#size === this.#starts.length) this.#double();
  }

  /** Up to `room` words, by falling count, equals as they came. */
  commonest(room: number): Entries {
    const kept = Math.min(room, this.#size);
    const counts = this.#counts.subarray(0, this.#size);
    // A counting sort: by count, how many words come before.
    const before = new Uint32Array(counts.reduce((most, count) => Math.max(most, count), 0) + 1);
    for (const count of counts) before[count]! += 1;
    let sum = 0;
    for (let count = before.length - 1; count >= 0; count -= 1) {
      sum += before[count]!;
      before[count] = sum - before[count]!;
    }
    const entries = {
      starts: new Uint32Array(kept),
      lengths: new Uint8Array(kept),
      counts: new Uint32Array(kept),
    };
    for (let word = 0; word < this.#size; word += 1) {
      const place = before[counts[word]!]!++;
      if (place >= kept) continue;
      entries.starts[place] = this.#starts[word]!;
      entries.lengths[place] = this.#lengths[word]!;
      entries.counts[place] = counts[word]!;
    }
    return entries;
  }

  /** The slot of a word, or the free one where it would go. */
  #slotOf(hash: number, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash << 1) & mask;
    while (this.#slots[slot] !== 0 && !this.#isAt(slot, hash, start, end)) slot = (slot + 2) & mask;
    return slot;
  }

  #isAt(slot: number, hash: number, start: number, end: number): boolean {
    if (this.#slots[slot + 1] !== hash) return false;
    const word = this.#slots[slot]! - 1;
    if (this.#lengths[word] !== end - start) return false;
    const other = this.#starts[word]! - start;
    for (let at = start; at < end; at += 1) {
      if (this.#units[at] !== this.#units[at + other]) return false;
    }
    return true;
  }

  #double(): void {
    const slots = this.#slots;
    const mask = slots.length * 2 - 1;
    this.#slots = new Uint32Array(slots.length * 2);
    for (let from = 0; from < slots.length; from += 2) {
      if (slots[from] === 0) continue;
      let slot = (slots[from + 1]! << 1) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 2) & mask;
      this.#slots[slot] = slots[from]!;
      this.#slots[slot + 1] = slots[from + 1]!;
    }
    const room = this.#starts.length * 2;
    this.#starts = doubled(this.#starts, new Uint32Array(room));
    this.#lengths = doubled(this.#lengths, new Uint8Array(room));
    this.#counts = doubled(this.#counts, new Uint32Array(room));
    this.#latest = doubled(this.#latest, new Uint32Array(room));
  }
}

function doubled<Numbers extends Uint8Array | Uint32Array>(from: Numbers, into: Numbers): Numbers {
  into.set(from);
  return into;
}
