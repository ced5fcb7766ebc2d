import { WORD_MAX } from "./words.js";

/*
 * Words near a word, without looking at all of them: cut a word into one part more than there are edits,
 * and one part is untouched, shifted by no more than the edits before it. So each word is listed under
 * its halves and its thirds, its whole and its beginning, with its length, in one hash table.
 */

/** Entries by part, as lists in buckets that parts may share: what is found has to be compared. */
export interface PartIndex {
  /** Where each bucket's entries start in `entries`; a power of two, and one more. */
  readonly buckets: Uint32Array;
  /** The buckets' entries, ascending in each. */
  readonly entries: Uint32Array;
}

/** Code units of the beginning under which a longer word is listed. */
const BEGINNING = 3;
/** Edits up to which words can be found. */
const EDITS_MAX = 2;
/** Whole, two halves, three thirds, the beginning. */
const LISTED = 7;

export function buildPartIndex(units: Uint16Array, starts: Uint32Array): PartIndex {
  const size = starts.length - 1;
  let bits = 4;
  while (2 << bits < size * LISTED) bits += 1;
  const mask = (1 << bits) - 1;
  const under = new Uint32Array(size * LISTED);
  const buckets = new Uint32Array(mask + 2);
  let end = 0;
  const list = (hash: number) => {
    under[end] = hash & mask;
    end += 1;
    buckets[(hash & mask) + 1]! += 1;
  };
  const entryEnds = new Uint32Array(size);
  for (let entry = 0; entry < size; entry += 1) {
    const start = starts[entry]!;
    const length = starts[entry + 1]! - start;
    for (let edits = 0; edits <= EDITS_MAX; edits += 1) {
      for (let part = 0; part <= edits; part += 1) {
        const from = partStart(length, edits, part);
        const to = partStart(length, edits, part + 1);
        list(hashUnits(partSeed(length, edits, part), units, start + from, start + to));
      }
    }
    if (length > BEGINNING) list(hashUnits(BEGINNING_SEED, units, start, start + BEGINNING));
    entryEnds[entry] = end;
  }
  for (let bucket = 0; bucket <= mask; bucket += 1) buckets[bucket + 1]! += buckets[bucket]!;
  return { buckets, entries: fill(buckets.slice(), under, entryEnds) };
}

/** Puts entries, ascending, where the buckets that they are under have their next free places. */
function fill(next: Uint32Array, under: Uint32Array, entryEnds: Uint32Array): Uint32Array {
  const entries = new Uint32Array(entryEnds.at(-1) ?? 0);
  let at = 0;
  for (let entry = 0; entry < entryEnds.length; entry += 1) {
    for (; at < entryEnds[entry]!; at += 1) {
      const bucket = under[at]!;
      entries[next[bucket]!] = entry;
      next[bucket]! += 1;
    }
  }
  return entries;
}

/** A list of entries to compare. */
export type Visit = (entries: Uint32Array, start: number, end: number) => boolean;

/**
 * Calls `visit` with lists that together hold every entry within `edits` edits of a word (0 to
 * EDITS_MAX), and others; an entry may be in several. Ends when `visit` returns false.
 */
export function eachNear(index: PartIndex, word: Uint16Array, edits: number, visit: Visit): void {
  // Words of the same length first: where work is bounded, they are the likelier ones.
  for (let turn = 0; turn <= 2 * edits; turn += 1) {
    const grown = turn % 2 === 1 ? (turn + 1) / 2 : -turn / 2;
    const length = word.length + grown;
    if (length < 1 || length > WORD_MAX) continue;
    for (let part = 0; part <= edits; part += 1) {
      if (!eachWithPart(index, word, edits, length, part, visit)) return;
    }
  }
}

/** Calls `visit` with the lists of the entries of one length that have one part untouched. */
function eachWithPart(
  index: PartIndex,
  word: Uint16Array,
  edits: number,
  length: number,
  part: number,
  visit: Visit,
): boolean {
  const from = partStart(length, edits, part);
  const to = partStart(length, edits, part + 1);
  const seed = partSeed(length, edits, part);
  for (let shift = -edits; shift <= edits; shift += 1) {
    if (!isShifted(shift, length - word.length, edits, part)) continue;
    if (from + shift < 0 || to + shift > word.length) continue;
    if (!open(index, hashUnits(seed, word, from + shift, to + shift), visit)) return false;
  }
  return true;
}

/** The bucket whose list holds the entry that is the units from `start` to before `end`, where there is one. */
export function wholeBucket(
  { buckets }: PartIndex,
  units: Uint16Array,
  start: number,
  end: number,
): number {
  return hashUnits(partSeed(end - start, 0, 0), units, start, end) & (buckets.length - 2);
}

/** Calls `visit` with a list that holds every longer entry that a word begins, and others. */
export function eachContinuation(index: PartIndex, word: Uint16Array, visit: Visit): void {
  if (word.length >= BEGINNING) open(index, hashUnits(BEGINNING_SEED, word, 0, BEGINNING), visit);
}

/**
 * Whether an untouched part may lie `shift` units further on in a word than in the entry, which is
 * `grown` units longer: each unit of the shift is an edit before the part, each other one an edit after.
 */
function isShifted(shift: number, grown: number, edits: number, part: number): boolean {
  const after = -grown - shift;
  if (part === 0 && shift !== 0) return false;
  if (part === edits && after !== 0) return false;
  return Math.abs(shift) + Math.abs(after) <= edits;
}

function open({ buckets, entries }: PartIndex, hash: number, visit: Visit): boolean {
  const bucket = hash & (buckets.length - 2);
  const [start, end] = [buckets[bucket]!, buckets[bucket + 1]!];
  return start === end || visit(entries, start, end);
}

/** Where a part of a word begins that is cut for as many edits: into one part more. */
function partStart(length: number, edits: number, part: number): number {
  return Math.floor((length * part) / (edits + 1));
}

const BEGINNING_SEED = 0;

/** Sets the same units apart that are another part, or of words of another length. */
function partSeed(length: number, edits: number, part: number): number {
  return 1 + (length * (EDITS_MAX + 1) + edits) * (EDITS_MAX + 1) + part;
}

/** A hash of 32 bits of the units from `start` to before `end`. */
export function hashUnits(seed: number, units: Uint16Array, start: number, end: number): number {
  let hash = Math.imul(seed + 1, 0x9e3779b1);
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ units[at]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
