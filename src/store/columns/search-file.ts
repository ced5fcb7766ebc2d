import { LIMITS } from "../../contract/limits.js";
import { byCodeUnit, instantKey } from "../../contract/order.js";
import { itemAt, tableOf } from "../../contract/tables.js";
import { DIGEST_BYTES, digestAt, digestColumn } from "./digests.js";
import { BadColumnsError, broken, ColumnReader, joinColumns } from "./file.js";
import { fieldTexts, foldedRows } from "./folded-text.js";
import {
  type ListingColumns,
  NO_SCORE,
  VALUE_NAMES,
  type ValueName,
  type ValueRows,
} from "./listings.js";
import { endedTexts, numbersIn, planesOf, textsIn } from "./planes.js";
import { joinedTexts, listOf, type Texts, textsOf } from "./texts.js";

/*
 * The content of a search file: what a search needs of all searchable listings of a group of buckets. A reader that
 * cannot hold a whole snapshot downloads these files, and fetches summaries and answers by ranges of the details files.
 * The columns are made to compress well as one stream. The first one is a head in JSON that names the others.
 */

/** Searchable listings whose summaries share a block of a details file. */
export const SUMMARIES_A_BLOCK = 16;

/** Adjacent buckets that share a search file. */
export const BUCKETS_A_GROUP = 16;

/** Where a compressed block is in its bucket's details file, with its checksum. */
export interface BlockPlace {
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes of the compressed block. */
  readonly length: number;
  /** The first 128 bits of the sha256 of the compressed block, in hex. */
  readonly digest: string;
}

/** The part of a search file that is about one bucket. Listings are sorted by host, as in `ListingColumns`. */
export interface SearchBucket {
  /** The number of listings that are in search. */
  readonly size: number;
  /** Points, 0 to 100; NO_SCORE if a listing has no score. */
  readonly scores: Uint8Array;
  /** The folded text, as in `ListingColumns`. */
  readonly units: Uint16Array;
  readonly fields: Uint32Array;
  /** Each listing's latestScannedAt as it is in its summary; "" if the listing has none. */
  readonly scannedAt: Texts;
  /** The sort keys of these instants, as in `ListingColumns`. */
  readonly recents: Texts;
  /** As in `ListingColumns`, but all buckets of a group share their values, and places rise in each row. */
  readonly filters: ListingColumns["filters"];
  /** The block of the bucket's answers. */
  readonly answers: BlockPlace;
  /** The blocks of the bucket's summaries, one for each SUMMARIES_A_BLOCK listings. */
  readonly summaries: readonly BlockPlace[];
}

/** What a bucket contributes to the search file of its group. A bucket that was read from such a file serves, too. */
export type SearchRows = Omit<SearchBucket, "size" | "recents">;

/** Increase it when a column's meaning changes, but its name does not. */
const SEARCH_VERSION = 1;

const COLUMN_NAMES: readonly string[] = [
  ...["sizes", "scores", "hosts", "names", "taglines", "scannedAt", "lengths", "digests"],
  ...VALUE_NAMES.flatMap((filter) =>
    ["values", "counts", "places"].map((part) => `filters.${filter}.${part}`),
  ),
];

const HEAD = JSON.stringify({ search: SEARCH_VERSION, columns: COLUMN_NAMES });

/** The content of a group's search file, before compression. @param buckets in the order of their numbers */
export function writeSearchFile(buckets: readonly SearchRows[]): Uint8Array {
  const field = (place: number) =>
    endedTexts(joinedTexts(buckets.map((bucket) => fieldTexts(bucket, place))));
  const blocks = buckets.flatMap(({ answers, summaries }) => [answers, ...summaries]);
  return joinColumns([
    new TextEncoder().encode(HEAD),
    Uint32Array.from(buckets, ({ scores }) => scores.length),
    Uint8Array.from(buckets.flatMap(({ scores }) => [...scores])),
    ...[field(0), field(1), field(2)],
    endedTexts(joinedTexts(buckets.map(({ scannedAt }) => scannedAt))),
    planesOf(Uint32Array.from(blocks, ({ length }) => length)),
    digestColumn(
      blocks.map(({ digest }) => digest),
      DIGEST_BYTES,
    ),
    ...VALUE_NAMES.flatMap((name) => writeFilter(buckets.map(({ filters }) => filters[name]))),
  ]);
}

/**
 * Writes the values of a filter. Numbers them anew, so that the same listings give the same bytes wherever their rows
 * come from. The numbers of each row rise, and are written as the gaps between them.
 */
function writeFilter(buckets: readonly ValueRows[]): Uint8Array[] {
  const uses = new Map<string, number>();
  for (const { values, places } of buckets) {
    for (const place of places) {
      const value = itemAt(values, place);
      uses.set(value, (uses.get(value) ?? 0) + 1);
    }
  }
  // The values of the most listings come first, so that most gaps are small.
  const values = [...uses]
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || byCodeUnit(a, b))
    .map(([value]) => value);
  const numbers = new Map(values.map((value, number) => [value, number]));
  const counts: number[] = [];
  const gaps: number[] = [];
  for (const { values, starts, places } of buckets) {
    const numberOf = values.map((value) => numbers.get(value) ?? 0);
    for (let row = 0; row + 1 < starts.length; row += 1) {
      const own = places
        .slice(starts[row], starts[row + 1])
        .map((place) => itemAt(numberOf, place));
      counts.push(own.length);
      let least = 0;
      for (const number of own.sort()) {
        gaps.push(number - least);
        least = number + 1;
      }
    }
  }
  return [
    endedTexts(textsOf(values)),
    planesOf(Uint32Array.from(counts)),
    planesOf(Uint32Array.from(gaps)),
  ];
}

/**
 * Reads the content of a search file, and checks all of its rules.
 * @param bytes inflated; they begin at a multiple of eight in their buffer
 * @returns the buckets of the group, in the order of their numbers
 * @throws BadColumnsError
 */
export function readSearchFile(bytes: Uint8Array): SearchBucket[] {
  const reader = new ColumnReader(bytes);
  if (new TextDecoder().decode(reader.u8()) !== HEAD) {
    throw new BadColumnsError("its columns are not those that this version reads");
  }
  const sizes = reader.u32();
  const scores = reader.u8();
  // Every other column must have as many rows, so a false size cannot reserve more memory than the file takes.
  const rows = totalIn(sizes);
  if (sizes.length === 0 || sizes.length > BUCKETS_A_GROUP) throw broken("sizes");
  const isScore = (score: number) => score <= LIMITS.scoreMax || score === NO_SCORE;
  if (scores.length !== rows || !scores.every(isScore)) throw broken("scores");
  const texts = foldedRows([reader.u8(), reader.u8(), reader.u8()], sizes);
  const instants = perBucket(textsIn(reader.u8(), "scannedAt"), sizes);
  const blocks = readBlocks(reader, sizes);
  const filters = tableOf(VALUE_NAMES, (name) => readFilter(reader, name, sizes));
  reader.finish();
  let end = 0;
  return Array.from(sizes, (size, bucket) => {
    end += size;
    const scannedAt = itemAt(instants, bucket);
    return {
      size,
      scores: scores.subarray(end - size, end),
      ...itemAt(texts, bucket),
      scannedAt,
      recents: recentsOf(scannedAt),
      filters: tableOf(VALUE_NAMES, (name) => itemAt(filters[name], bucket)),
      ...itemAt(blocks, bucket),
    };
  });
}

/** Splits the texts of a group by bucket. The bytes are views. */
function perBucket({ bytes, starts }: Texts, sizes: Uint32Array): Texts[] {
  let row = 0;
  const buckets = Array.from(sizes, (size) => {
    const own = starts.slice(row, row + size + 1);
    if (own.length !== size + 1) throw broken("scannedAt");
    row += size;
    const start = own[0] ?? 0;
    return {
      bytes: bytes.subarray(start, own[size]),
      starts: own.map((at) => at - start),
    };
  });
  if (row + 1 !== starts.length) throw broken("scannedAt");
  return buckets;
}

/** Sort keys for texts that are date-times or empty. */
function recentsOf(scannedAt: Texts): Texts {
  return textsOf(
    listOf(scannedAt).map((text) => {
      if (text === "") return "";
      try {
        return instantKey(text);
      } catch {
        throw broken("scannedAt");
      }
    }),
  );
}

function readBlocks(
  reader: ColumnReader,
  sizes: Uint32Array,
): Pick<SearchBucket, "answers" | "summaries">[] {
  const count = sizes.reduce((sum, size) => sum + 1 + Math.ceil(size / SUMMARIES_A_BLOCK), 0);
  const lengths = numbersIn(reader.u8(), count, "lengths");
  const digests = reader.u8();
  if (digests.length !== DIGEST_BYTES * count) throw broken("digests");
  if (lengths.includes(0)) throw broken("lengths");
  let block = 0;
  return Array.from(sizes, (size) => {
    let offset = 0;
    const next = (): BlockPlace => {
      const length = lengths[block] ?? 0;
      const place = { offset, length, digest: digestAt(digests, block, DIGEST_BYTES) };
      offset += length;
      block += 1;
      return place;
    };
    const answers = next();
    return {
      answers,
      summaries: Array.from({ length: Math.ceil(size / SUMMARIES_A_BLOCK) }, next),
    };
  });
}

/** Reads the values of a filter, by bucket. */
function readFilter(reader: ColumnReader, name: ValueName, sizes: Uint32Array): ValueRows[] {
  const column = `filters.${name}`;
  const values = listOf(textsIn(reader.u8(), column));
  if (new Set(values).size !== values.length) throw broken(column);
  const counts = numbersIn(reader.u8(), totalIn(sizes), column);
  const gaps = numbersIn(reader.u8(), totalIn(counts), column);
  const places = values.length <= 0x10000 ? new Uint16Array(gaps.length) : gaps;
  let [row, end] = [0, 0];
  return Array.from(sizes, (size) => {
    const start = end;
    const starts = new Uint32Array(size + 1);
    for (let own = 0; own < size; own += 1) {
      let least = 0;
      for (const last = end + (counts[row] ?? 0); end < last; end += 1) {
        const place = least + (gaps[end] ?? 0);
        if (place >= values.length) throw broken(column);
        places[end] = place;
        least = place + 1;
      }
      row += 1;
      starts[own + 1] = end - start;
    }
    return { values, starts, places: places.subarray(start, end) };
  });
}

function totalIn(numbers: Uint32Array): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
