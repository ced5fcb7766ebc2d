import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/contract/limits.js";
import {
  BadColumnsError,
  type Column,
  ColumnReader,
  joinColumns,
} from "../../../src/store/columns/file.js";
import { FIELD_END, FIELDS, NO_SCORE, VALUE_NAMES } from "../../../src/store/columns/listings.js";
import {
  readSearchFile,
  type SearchBucket,
  SUMMARIES_A_BLOCK,
} from "../../../src/store/columns/search-file.js";
import { areStarts } from "../../../src/store/columns/texts.js";
import { seeded, whole } from "../../oracle/random.js";
import { repeated } from "../../slow.js";
import { someSearchFile } from "./search-files.js";

type Columns = Record<string, Column>;

/** The columns of a good search file, by name. */
function columnsOf(file: Uint8Array): Columns {
  const reader = new ColumnReader(file);
  const head = reader.u8();
  const { columns } = JSON.parse(new TextDecoder().decode(head)) as { columns: string[] };
  const found: Columns = { head };
  for (const name of columns) found[name] = name === "sizes" ? reader.u32() : reader.u8();
  reader.finish();
  return found;
}

const good = someSearchFile([40, 0, 17]);

/** The good file with some columns replaced. */
function withColumns(edit: (columns: Columns) => Columns): Uint8Array {
  const columns = columnsOf(good);
  return joinColumns(Object.values({ ...columns, ...edit(columns) }));
}

const bytes = (...all: (number | Iterable<number>)[]) =>
  Uint8Array.from(all.flatMap((one) => (typeof one === "number" ? [one] : [...one])));
const ascii = (text: string) => new TextEncoder().encode(text);
/** The column's texts with another one in the place of the first. */
const firstText = (column: Column, ...text: (number | Iterable<number>)[]) =>
  bytes(...text, [...column].slice([...column].indexOf(0xff)));

/** Texts that are not well-formed UTF-8. */
const BAD_TEXTS = {
  "a continuation byte alone": [0x80],
  "a character cut short": [0xc3],
  "a long form of two bytes": [0xc0, 0x80],
  "a long form of three bytes": [0xe0, 0x9f, 0xbf],
  "a long form of four bytes": [0xf0, 0x8f, 0xbf, 0xbf],
  "a surrogate": [0xed, 0xa0, 0x80],
  "a character above the last": [0xf4, 0x90, 0x80, 0x80],
  "a byte that begins nothing": [0xf5, 0x80, 0x80, 0x80],
  "five bytes": [0xf8, 0x88, 0x80, 0x80, 0x80],
};

const BROKEN: Record<string, (columns: Columns) => Columns> = {
  "another head": () => ({ head: ascii("{}") }),
  "no buckets": () => ({ sizes: new Uint32Array(0) }),
  "too many buckets": ({ sizes }) => ({
    sizes: Uint32Array.from([...sizes!, ...new Uint32Array(14)]),
  }),
  "sizes beyond its rows": ({ sizes }) => ({ sizes: Uint32Array.from(sizes!, (n) => n + 1) }),
  "a size of billions": () => ({ sizes: Uint32Array.of(2 ** 32 - 1, 2 ** 32 - 1) }),
  "a score above 100": ({ scores }) => ({ scores: Uint8Array.from(scores!).fill(101, 0, 1) }),
  "a score more": ({ scores }) => ({ scores: bytes(scores!, 7) }),
  ...Object.fromEntries(
    Object.entries(BAD_TEXTS).map(([name, text]) => [
      `${name} in a name`,
      ({ names }: Columns) => ({ names: firstText(names!, text) }),
    ]),
  ),
  "a host less": ({ hosts }) => ({ hosts: hosts!.subarray([...hosts!].indexOf(0xff) + 1) }),
  "a tagline more": ({ taglines }) => ({ taglines: bytes(taglines!, 0xff) }),
  "a last tagline without its end": ({ taglines }) => ({ taglines: bytes(taglines!, 0x61) }),
  "an instant more": ({ scannedAt }) => ({ scannedAt: bytes(scannedAt!, 0xff) }),
  "an instant less": ({ scannedAt }) => ({ scannedAt: scannedAt!.subarray(25) }),
  "a last instant without its end": ({ scannedAt }) => ({ scannedAt: bytes(scannedAt!, 0x61) }),
  "an instant that is none": ({ scannedAt }) => ({
    scannedAt: firstText(scannedAt!, ascii("yesterday at noon, or later")),
  }),
  "a block without bytes": ({ lengths }) => ({ lengths: new Uint8Array(lengths!.length) }),
  "a block more": ({ lengths }) => ({ lengths: bytes(lengths!, 1) }),
  "a digest less": ({ digests }) => ({ digests: digests!.subarray(16) }),
  "a value twice": ({ "filters.band.values": values }) => ({
    "filters.band.values": bytes(values!, values!),
  }),
  "values without an end": () => ({ "filters.band.values": ascii("good") }),
  "a count less": ({ "filters.tag.counts": counts }) => ({
    "filters.tag.counts": counts!.subarray(1),
  }),
  "counts of billions": ({ "filters.tag.counts": counts }) => ({
    "filters.tag.counts": new Uint8Array(4 * counts!.length).fill(255),
  }),
  "numbers of five bytes": ({ "filters.tag.counts": counts }) => ({
    "filters.tag.counts": new Uint8Array(5 * counts!.length),
  }),
  "a place more": ({ "filters.tag.places": places }) => ({
    "filters.tag.places": bytes(places!, 0),
  }),
  "a place that is not there": ({ "filters.tag.places": places }) => ({
    "filters.tag.places": Uint8Array.from(places!).fill(200, 0, 1),
  }),
  "a column more": () => ({ more: Uint8Array.of(1) }),
};

describe("the rules of a search file", () => {
  it("are kept by one as a build writes it", () => {
    expect(readSearchFile(withColumns(() => ({}))).map(({ size }) => size)).toEqual([40, 0, 17]);
  });

  it.each(Object.entries(BROKEN))("refuse one with %s", (_, edit) => {
    expect(() => readSearchFile(withColumns(edit))).toThrow(BadColumnsError);
  });

  it("refuse one that is cut or longer", () => {
    for (const length of [0, 8, 100, good.length - 8]) {
      expect(() => readSearchFile(good.slice(0, length))).toThrow(BadColumnsError);
    }
    expect(() => readSearchFile(bytes(good, new Uint8Array(8)))).toThrow(BadColumnsError);
  });

  it("hold for whatever is read of a file with any byte changed", () => {
    const random = seeded(5);
    const times = repeated(400, 4_000);
    let read = 0;
    for (let time = 0; time < times; time += 1) {
      const mutant = good.slice();
      mutant[whole(random, 0, good.length - 1)] = whole(random, 0, 255);
      let buckets: readonly SearchBucket[];
      try {
        buckets = readSearchFile(mutant);
      } catch (error) {
        expect(error).toBeInstanceOf(BadColumnsError);
        continue;
      }
      read += 1;
      for (const bucket of buckets) expectRules(bucket);
    }
    // Changes of a text or a digest break no rule.
    expect(read).toBeGreaterThan(times / 8);
  });
});

/** What the engine relies on. */
function expectRules(bucket: SearchBucket): void {
  const { size, scores, units, fields, recents, scannedAt, filters, answers, summaries } = bucket;
  const lengths = [scores.length, (fields.length - 1) / FIELDS, summaries.length];
  expect(lengths).toEqual([size, size, Math.ceil(size / SUMMARIES_A_BLOCK)]);
  expect(scores.every((score) => score <= LIMITS.scoreMax || score === NO_SCORE)).toBe(true);
  expect(areStarts(fields, units.length)).toBe(true);
  for (const end of fields.subarray(1)) expect(units[end - 1]).toBe(FIELD_END);
  for (const texts of [recents, scannedAt]) {
    expect(texts.starts).toHaveLength(size + 1);
    expect(areStarts(texts.starts, texts.bytes.length)).toBe(true);
  }
  for (const name of VALUE_NAMES) {
    const { values, starts, places } = filters[name];
    expect(areStarts(starts, places.length)).toBe(true);
    expect(starts).toHaveLength(size + 1);
    expect(places.every((place) => place < values.length)).toBe(true);
    expect(new Set(values).size).toBe(values.length);
    for (let row = 0; row < size; row += 1) {
      const own = places.subarray(starts[row], starts[row + 1]);
      expect(new Set(own).size).toBe(own.length);
    }
  }
  let end = 0;
  for (const { offset, length, digest } of [answers, ...summaries]) {
    expect([offset, digest.length]).toEqual([end, 32]);
    expect(length).toBeGreaterThan(0);
    end += length;
  }
}
