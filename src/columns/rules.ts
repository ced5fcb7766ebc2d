import { hostHash } from "../contract/host.js";
import { LIMITS } from "../contract/limits.js";
import type { AnswerColumns } from "./answers.js";
import type { BucketColumns } from "./columns.js";
import { BadColumnsError } from "./file.js";
import { GRAM_MAX, type GramRows } from "./gram-rows.js";
import { FIELD_END, FIELDS, type ListingColumns, NO_SCORE, type ValueRows } from "./listings.js";
import { SHOWN, type SummaryRows } from "./summaries.js";
import { areStarts, listOf, type Texts } from "./texts.js";

/*
 * The rules that the columns of a bucket keep. The engine and the runtime follow offsets and places without a look
 * at them: columns that break a rule, though their checksum is right, could send them into endless loops or
 * through all memory. Columns that keep the rules can still say something else than their shard; only a comparison
 * with the shard finds that.
 */

/** What is known of a bucket before its columns are read. */
export interface BucketFacts {
  /** The bucket's number, and how many there are: they say which hosts may be in it. */
  readonly bucket: number;
  readonly buckets: number;
  /** Bytes of its pack. */
  readonly packBytes: number;
}

/** @throws BadColumnsError at the first rule that is broken */
export function checkColumns({ answers, listings }: BucketColumns, facts: BucketFacts): void {
  checkAnswers(answers, facts);
  checkListings(listings);
  rule("scores", listings.size <= answers.hashes.length);
}

const ANSWERS = 2;
const DIGEST_BYTES = 16;

function checkAnswers(columns: AnswerColumns, facts: BucketFacts): void {
  const { hashes, hosts, offsets, lengths, crcs, digests, scans } = columns;
  const hostCount = hashes.length;
  const answers = ANSWERS * hostCount;
  checkLengths({
    hosts: [textCount(hosts), hostCount],
    scans: [textCount(scans), hostCount],
    offsets: [offsets.length, answers],
    lengths: [lengths.length, answers],
    crcs: [crcs.length, answers],
    digests: [digests.length, DIGEST_BYTES * answers],
  });
  let before = "";
  for (const [at, host] of listOf(hosts).entries()) {
    const hash = hashes[at]!;
    const bucket = Math.floor((hash * facts.buckets) / 2 ** 32);
    rule("hashes", hash === hostHash(host) && bucket === facts.bucket);
    const last = at === 0 ? -1 : hashes[at - 1]!;
    rule("hosts", hash > last || (hash === last && host > before));
    before = host;
  }
  for (let at = 0; at < answers; at += 1) {
    const offset = offsets[at]!;
    rule("offsets", Number.isSafeInteger(offset) && offset >= 0);
    rule("lengths", lengths[at]! > 0 && offset + lengths[at]! <= facts.packBytes);
  }
}

function checkListings(columns: ListingColumns): void {
  const { size, scores, summaries, recents, units, fields, grams, filters } = columns;
  checkLengths({
    recents: [textCount(recents), size],
    fields: [fields.length, FIELDS * size + 1],
  });
  for (const score of scores) rule("scores", score <= LIMITS.scoreMax || score === NO_SCORE);
  checkSummaries(summaries, size);
  checkFields(units, fields);
  checkGrams(grams, size);
  for (const [name, rows] of Object.entries(filters)) checkValues(name, rows, size);
}

const COMMA = 0x2c;
/** Bytes of a summary's JSON. Rows that name a long piece many times would fill the memory when they are written out. */
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
    let whole = length;
    for (let at = starts[row]!; at < starts[row + 1]!; at += 1) {
      whole += pieces.starts[named[at]! + 1]! - pieces.starts[named[at]!]!;
    }
    rule("summaries.named", whole <= SUMMARY_MAX);
    rule("summaries.own", length > 0 && own.bytes[end - 1] === COMMA);
    rule("summaries.cuts", cuts[row]! < length);
    for (let at = places * row; at < places * (row + 1); at += 2) {
      rule("summaries.shown", shown[at]! <= shown[at + 1]! && shown[at + 1]! < length);
    }
  }
}

/** Each field ends with FIELD_END and holds no other. */
function checkFields(units: Uint16Array, fields: Uint32Array): void {
  checkStarts("fields", fields, units.length);
  for (let field = 1; field < fields.length; field += 1) {
    const end = fields[field]! - 1;
    rule("fields", end >= fields[field - 1]! && units[end] === FIELD_END);
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
    rule("grams.parents", parent <= gram);
    lengths[gram] = parent === 0 ? 1 : lengths[parent - 1]! + 1;
    rule("grams.parents", lengths[gram]! <= GRAM_MAX);
  }
  checkRows("grams", starts, grams, size, parents.length);
  for (let row = 0; row < size; row += 1) {
    rule("grams.titleEnds", titleEnds[row]! >= starts[row]! && titleEnds[row]! <= starts[row + 1]!);
  }
}

function checkValues(name: string, { values, starts, places }: ValueRows, size: number): void {
  rule(`filters.${name}`, new Set(values).size === values.length);
  checkRows(`filters.${name}`, starts, places, size, values.length);
}

/**
 * Rows of places.
 * @param limit all places are below it
 * @param areDistinct whether no place stands twice in a row
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

function broken(column: string): BadColumnsError {
  return new BadColumnsError(`its column ${column} breaks a rule`);
}
