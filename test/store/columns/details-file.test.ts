import { describe, expect, it } from "vitest";
import { hostHash } from "../../../src/contract/host.js";
import { answerColumns, writeAnswers } from "../../../src/store/columns/answers.js";
import { type HostAnswers } from "../../../src/store/segments/answer-table.js";
import { readAnswersBlock, readSummaryBlock, writeAnswersBlock, writeSummaryBlocks } from "../../../src/store/columns/details-file.js";
import { BadColumnsError, joinColumns } from "../../../src/store/columns/file.js";

const place = (offset: number) => ({
  offset,
  length: 10,
  sha256: offset.toString(16).padStart(64, "f0"),
});
const entries: HostAnswers[] = ["a.example", "b.example", "c.example"]
  .sort((a, b) => hostHash(a) - hostHash(b))
  .map((host, at) => ({
    host,
    report: place(33 * at),
    enrichment: place(33 * at + 11),
    publishedScan: `scan-${at}`,
    historical: [{ scan: "old", report: place(33 * at + 22) }],
    locked: ["locked"],
  }));

describe("the block of a bucket's answers", () => {
  it("has every host's answers, and no others", () => {
    const answers = readAnswersBlock(writeAnswersBlock(answerColumns(entries)));
    expect([...answers.hosts()]).toEqual(entries.map(({ host }) => host));
    for (const entry of entries) {
      const { host, report, enrichment, publishedScan, historical, locked } = answers.get(
        entry.host,
      )!;
      expect({ host, report, enrichment, publishedScan, historical, locked }).toEqual(entry);
    }
    expect(answers.get("d.example")).toBeUndefined();
    expect([...readAnswersBlock(writeAnswersBlock(answerColumns([]))).hosts()]).toEqual([]);
  });

  it.each([
    ["hashes that fall", (one: ReturnType<typeof answerColumns>) => one.hashes.reverse()],
    ["an offset that is no number", ({ offsets }) => offsets.fill(Number.NaN)],
    ["an offset below 0", ({ offsets }) => offsets.fill(-1)],
    ["an answer without bytes", ({ lengths }) => lengths.fill(0)],
  ] as [string, (columns: ReturnType<typeof answerColumns>) => unknown][])(
    "is refused with %s",
    (_, damage) => {
      const columns = answerColumns(entries);
      damage(columns);
      expect(() => readAnswersBlock(joinColumns(writeAnswers(columns)))).toThrow(BadColumnsError);
    },
  );

  it("is refused where a column is of another length, or missing, or more", () => {
    const columns = writeAnswers(answerColumns(entries));
    for (const at of columns.keys()) {
      const shorter = columns.with(at, columns[at]!.slice(1));
      const without = columns.filter((_, place) => place !== at);
      for (const others of [shorter, without, [...columns, columns[at]!]]) {
        expect(() => readAnswersBlock(joinColumns(others))).toThrow(BadColumnsError);
      }
    }
  });
});

describe("the blocks of a bucket's summaries", () => {
  it("have sixteen listings each, byte by byte, and the last one the rest", () => {
    for (const count of [0, 1, 15, 16, 17, 40]) {
      const summaries = Array.from({ length: count }, (_, row) =>
        JSON.stringify({ name: `é\n${row} ☕` }),
      );
      const blocks = writeSummaryBlocks(summaries);
      const read = blocks.map(readSummaryBlock);
      expect(read.map(({ length }) => length)).toEqual(
        Array.from({ length: Math.ceil(count / 16) }, (_, at) => Math.min(16, count - 16 * at)),
      );
      const texts = read.flat().map((bytes) => new TextDecoder().decode(bytes));
      expect(texts).toEqual(summaries);
      expect(
        read.flat().every(({ buffer }, at) => buffer === blocks[Math.floor(at / 16)]?.buffer),
      ).toBe(true);
    }
  });

  it("are refused with a listing without bytes, or with more than sixteen", () => {
    for (const text of ["", "\n", "{}\n", "\n{}", "{}\n\n{}", Array(17).fill("{}").join("\n")]) {
      expect(() => readSummaryBlock(new TextEncoder().encode(text))).toThrow(BadColumnsError);
    }
  });
});
