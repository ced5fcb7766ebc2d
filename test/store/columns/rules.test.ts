import { expect, it } from "vitest";
import { hostHash } from "../../../src/contract/host.js";
import {
  type BucketColumns,
  readColumns,
  writeColumns,
} from "../../../src/store/columns/columns.js";
import { BadColumnsError } from "../../../src/store/columns/file.js";
import { FIELD_END } from "../../../src/store/columns/listings.js";
import { checkColumns } from "../../../src/store/columns/rules.js";
import { randomListings } from "../../engine/directory.js";

const PACK_BYTES = 1_000;
const FACTS = { bucket: 0, buckets: 1, packBytes: PACK_BYTES };

function someColumns(): BucketColumns {
  const place = (offset: number) => ({ offset, length: 10, sha256: "0".repeat(64) });
  const listings = randomListings(3, 12).sort(
    (a, b) => hostHash(a.summary.host) - hostHash(b.summary.host),
  );
  const entries = listings.map((search, at) => ({
    host: search.summary.host,
    report: place(22 * at),
    enrichment: place(22 * at + 11),
    publishedScan: "s",
    historical: [],
    locked: [],
    search,
  }));
  return readColumns(writeColumns(entries));
}

/** Sets one number of a column. */
function set(column: { [at: number]: number }, at: number, value: number): void {
  column[at] = value;
}

it("columns as a build writes them keep all rules", () => {
  expect(() => checkColumns(someColumns(), FACTS)).not.toThrow();
});

const BROKEN: readonly (readonly [what: string, (columns: BucketColumns) => void])[] = [
  ["hashes that fall", ({ answers }) => answers.hashes.reverse()],
  ["an offset that is no whole number", ({ answers }) => set(answers.offsets, 0, 0.5)],
  ["an offset that is not a number", ({ answers }) => set(answers.offsets, 0, Number.NaN)],
  ["an offset below 0", ({ answers }) => set(answers.offsets, 0, -1)],
  ["an endless offset", ({ answers }) => set(answers.offsets, 5, Number.POSITIVE_INFINITY)],
  ["an answer behind the pack's end", ({ answers }) => set(answers.lengths, 5, PACK_BYTES)],
  ["an answer without bytes", ({ answers }) => set(answers.lengths, 0, 0)],
  ["a score above 100", ({ listings }) => set(listings.scores, 0, 101)],
  ["a summary cut behind its end", ({ listings }) => set(listings.summaries.cuts, 0, 60_000)],
  [
    "a suggestion's part that ends before it begins",
    ({ listings }) => set(listings.summaries.shown, 0, 60_000),
  ],
  ["a piece that is not there", ({ listings }) => set(listings.summaries.named, 0, 9_999)],
  [
    "rows of pieces that begin behind the next",
    ({ listings }) => set(listings.summaries.starts, 1, 9_999),
  ],
  ["a summary without its comma", ({ listings }) => listings.summaries.own.bytes.fill(32)],
  ["a field without its end", ({ listings }) => set(listings.units, listings.fields[1]! - 1, 32)],
  ["a field with an end inside", ({ listings }) => set(listings.units, 0, FIELD_END)],
  ["a field that begins behind the next", ({ listings }) => set(listings.fields, 1, 2 ** 32 - 1)],
  [
    "a last field that ends early",
    ({ listings }) => set(listings.fields, 36, listings.fields[36]! - 1),
  ],
  [
    "a gram that continues itself or a later one",
    ({ listings }) => set(listings.grams.parents, 0, 1),
  ],
  ["a gram that is not there", ({ listings }) => set(listings.grams.grams, 0, 60_000)],
  [
    "a gram twice in a row",
    ({ listings }) => set(listings.grams.grams, 1, listings.grams.grams[0]!),
  ],
  [
    "rows of grams that begin behind the next",
    ({ listings }) => set(listings.grams.starts, 1, 2 ** 31),
  ],
  ["titles that end in another row", ({ listings }) => set(listings.grams.titleEnds, 0, 2 ** 31)],
  ["a value that is not there", ({ listings }) => set(listings.filters.status.places, 0, 99)],
  [
    "rows of values that begin behind the next",
    ({ listings }) => set(listings.filters.status.starts, 1, 99),
  ],
];

it.each(BROKEN)("columns with %s are refused", (_, damage) => {
  const columns = someColumns();
  damage(columns);
  expect(() => checkColumns(columns, FACTS)).toThrow(BadColumnsError);
});

it("columns of another bucket, or of a smaller pack, are refused", () => {
  const buckets = 2 ** 20;
  expect(() => checkColumns(someColumns(), { ...FACTS, buckets })).toThrow("column hashes");
  expect(() => checkColumns(someColumns(), { ...FACTS, packBytes: 60 })).toThrow("column lengths");
});
