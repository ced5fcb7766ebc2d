import { LIMITS } from "../../contract/limits.js";
import type { AnswerColumns } from "./answers.js";
import type { BucketColumns } from "./columns.js";
import { SHA256_BYTES } from "./digests.js";
import { broken } from "./file.js";
import { GRAM_MAX, type GramRows } from "./gram-rows.js";
import { FIELD_END, FIELDS, type ListingColumns, NO_SCORE, type ValueRows } from "./listings.js";
import { SHOWN, type SummaryRows } from "./summaries.js";
import { areStarts, neverFall, type Texts } from "./texts.js";

/*
 * The rules that a bucket's columns must keep. The engine and the runtime follow offsets and places
 * without checks. So columns that break a rule, even with the right checksum, could cause endless loops
 * or use up all memory. Columns that keep the rules may still differ from their shard; only a comparison
 * with the shard finds that.
 */

/** The facts about a bucket that are known before its columns are read. */
export interface BucketFacts {
  /** The bucket's number, and the number of all buckets: they decide which hosts may be in it. */
  readonly bucket: number;
  readonly buckets: number;
  /** Size of the bucket's pack in bytes. */
  readonly packBytes: number;
}

/** @throws BadColumnsError at the first rule that is broken */
export function checkColumns({ answers, listings }: BucketColumns, facts: BucketFacts): void {
  checkAnswers(answers);
  checkPlaces(answers, facts);
  checkListings(listings);
  rule("scores", listings.size <= answers.hashes.length);
}

const ANSWERS = 2;

/** Checks answers on their own. `checkColumns` checks that they belong to their bucket and lie in its pack. */
export function checkAnswers(columns: AnswerColumns): void {
  const { hashes, hosts, offsets, lengths, digests, scans } = columns;
  const hostCount = hashes.length;
  const answers = ANSWERS * hostCount;
  checkLengths({
    hosts: [textCount(hosts), hostCount],
    scans: [textCount(scans), hostCount],
    offsets: [offsets.length, answers],
    lengths: [lengths.length, answers],
    digests: [digests.length, SHA256_BYTES * answers],
  });
  rule("hashes", neverFall(hashes));
  for (let at = 0; at < answers; at += 1) {
    const offset = offsets[at]!;
    const length = lengths[at]!;
    if (!Number.isSafeInteger(offset) || offset < 0) throw broken("offsets");
    if (length === 0) throw broken("lengths");
  }
}

function checkPlaces({ hashes, offsets, lengths }: AnswerColumns, facts: BucketFacts): void {
  const bucketOf = (hash: number) => Math.floor((hash * facts.buckets) / 2 ** 32);
  const [first, last] = [hashes[0], hashes[hashes.length - 1]];
  rule("hashes", first === undefined || bucketOf(first) === facts.bucket);
  rule("hashes", last === undefined || bucketOf(last) === facts.bucket);
  const isOutside = (offset: number, at: number) => offset + (lengths[at] ?? 0) > facts.packBytes;
  rule("lengths", !offsets.some(isOutside));
}

function checkListings(columns: ListingColumns): void {
  const { size, scores, summaries, recents, units, fields, grams, filters } = columns;
  checkLengths({
    recents: [textCount(recents), size],
    fields: [fields.length, FIELDS * size + 1],
  });
  for (let row = 0; row < size; row += 1) {
    if (scores[row]! > LIMITS.scoreMax && scores[row] !== NO_SCORE) throw broken("scores");
  }
  checkSummaries(summaries, size);
  checkFields(units, fields);
  checkGrams(grams, size);
  for (const [name, rows] of Object.entries(filters)) checkValues(name, rows, size);
}

const COMMA = 0x2c;
/**
 * The largest JSON of a summary, in bytes. Rows that name a long piece many times could fill the memory
 * when written out.
 */
const SUMMARY_MAX = 16 * 1024 * 1024;

function checkSummaries(columns: SummaryRows, size: number): void {
  const { own, cuts, shown, pieces, starts, named } = columns;
  const places = 2 * SHOWN.length;
  checkLengths({
    "summaries.own": [textCount(own), size],
    "summaries.cuts": [cuts.length, size],
    "summaries.shown": [shown.length, places * size],
  });
  checkRows("summaries", starts, named, size, textCount(pieces), false);
  for (let row = 0; row < size; row += 1) {
    const end = own.starts[row + 1]!;
    const length = end - own.starts[row]!;
    if (length === 0 || own.bytes[end - 1] !== COMMA) throw broken("summaries.own");
    if (cuts[row]! >= length) throw broken("summaries.cuts");
    let whole = length;
    const last = starts[row + 1]!;
    for (let at = starts[row]!; at < last; at += 1) {
      const piece = named[at]!;
      whole += pieces.starts[piece + 1]! - pieces.starts[piece]!;
    }
    if (whole > SUMMARY_MAX) throw broken("summaries.named");
    for (let at = places * row; at < places * (row + 1); at += 2) {
      const to = shown[at + 1]!;
      if (shown[at]! > to || to >= length) throw broken("summaries.shown");
    }
  }
}

/** Checks that each field ends with FIELD_END and contains no other. */
function checkFields(units: Uint16Array, fields: Uint32Array): void {
  checkStarts("fields", fields, units.length);
  for (let field = 1; field < fields.length; field += 1) {
    const end = fields[field]! - 1;
    if (end < fields[field - 1]! || units[end] !== FIELD_END) throw broken("fields");
  }
  let ends = 0;
  for (let at = 0; at < units.length; at += 1) {
    if (units[at] === FIELD_END && !isLowSurrogate(units[at + 1])) ends += 1;
  }
  rule("units", ends === fields.length - 1);
}

function isLowSurrogate(unit: number | undefined): boolean {
  return unit !== undefined && (unit & 0xfc00) === 0xdc00;
}

function checkGrams({ parents, units, starts, titleEnds, grams }: GramRows, size: number): void {
  checkLengths({
    "grams.units": [units.length, parents.length],
    "grams.titleEnds": [titleEnds.length, size],
  });
  const lengths = new Uint8Array(parents.length);
  for (let gram = 0; gram < parents.length; gram += 1) {
    const parent = parents[gram]!;
    const length = parent === 0 ? 1 : lengths[parent - 1]! + 1;
    if (parent > gram || length > GRAM_MAX) throw broken("grams.parents");
    lengths[gram] = length;
  }
  checkRows("grams", starts, grams, size, parents.length);
  for (let row = 0; row < size; row += 1) {
    const end = titleEnds[row]!;
    if (end < starts[row]! || end > starts[row + 1]!) throw broken("grams.titleEnds");
  }
}

function checkValues(name: string, { values, starts, places }: ValueRows, size: number): void {
  rule(`filters.${name}`, new Set(values).size === values.length);
  checkRows(`filters.${name}`, starts, places, size, values.length);
}

/**
 * Checks rows of places.
 * @param limit all places must be below it
 * @param areDistinct whether no place may appear twice in a row
 */
function checkRows(
  name: string,
  starts: Uint32Array,
  places: Uint16Array | Uint32Array,
  size: number,
  limit: number,
  areDistinct = true,
): void {
  checkLengths({ [`${name}.starts`]: [starts.length, size + 1] });
  checkStarts(`${name}.starts`, starts, places.length);
  /** By place, the last row that has it, plus 1. */
  const lastRows = new Uint32Array(limit);
  for (let row = 0; row < size; row += 1) {
    const end = starts[row + 1]!;
    for (let at = starts[row]!; at < end; at += 1) {
      const place = places[at]!;
      if (place >= limit || (areDistinct && lastRows[place] === row + 1)) throw broken(name);
      lastRows[place] = row + 1;
    }
  }
}

function checkStarts(name: string, starts: Uint32Array, end: number): void {
  rule(name, areStarts(starts, end));
}

function checkLengths(columns: Readonly<Record<string, readonly [length: number, right: number]>>) {
  for (const [name, [length, right]] of Object.entries(columns)) rule(name, length === right);
}

function textCount({ starts }: Texts): number {
  return starts.length - 1;
}

function rule(column: string, isKept: boolean): void {
  if (!isKept) throw broken(column);
}
