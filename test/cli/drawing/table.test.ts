import { describe, expect, it } from "vitest";
import { bytes, clock, count, duration } from "../../../cli/drawing/amounts.js";
import { plain } from "../../../cli/drawing/cells.js";
import { summaryLines } from "../../../cli/drawing/table.js";

const ID = "0123456789abcdef0123456789abcdef";
const SUMMARY = {
  title: "A new snapshot is current.",
  rows: [
    { label: "snapshot", value: ID },
    { label: "listings", value: 20_000 },
    { label: "buckets", value: 128, note: "3 made, 125 kept" },
    { label: "size", value: "5.6 MB" },
  ],
};

describe("the summary at the end", () => {
  it("aligns figures in a column, and puts texts beside their labels", () => {
    expect(summaryLines(SUMMARY, 80, plain)).toEqual([
      "A new snapshot is current.",
      `  snapshot  ${ID}`,
      "  listings  20,000",
      "  buckets      128  3 made, 125 kept",
      "  size      5.6 MB",
    ]);
  });

  it("puts a text that does not fit on a line of its own", () => {
    expect(summaryLines(SUMMARY, 36, plain)).toEqual([
      "A new snapshot is current.",
      "  snapshot",
      `    ${ID}`,
      "  listings  20,000",
      "  buckets      128  3 made, 125 kept",
      "  size      5.6 MB",
    ]);
    expect(summaryLines(SUMMARY, 30, plain).slice(4, 6)).toEqual([
      "  buckets      128",
      "    3 made, 125 kept",
    ]);
  });

  it("prints no character that a terminal would act on", () => {
    const rows = [{ label: "tree", value: "\x1b[2J", note: "\x07" }];
    const lines = summaryLines({ title: "\x1bc", rows, notes: ["\u009b"] }, 80, plain);
    expect(lines).toEqual(["\\u001bc", "  tree  \\u001b[2J  \\u0007", "\\u009b"]);
  });
});

describe("amounts", () => {
  it("numbers have commas between thousands", () => {
    expect([0, 999, 1_000, 1_234_567].map(count)).toEqual(["0", "999", "1,000", "1,234,567"]);
  });

  it("bytes have the unit that needs few digits", () => {
    const values = [0, 999, 1_000, 9_949, 9_950, 999_499, 999_500, 5.6e9, 3e15];
    expect(values.map(bytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "9.9 kB",
      "10 kB",
      "999 kB",
      "1.0 MB",
      "5.6 GB",
      "3,000 TB",
    ]);
  });

  it("times have seconds, minutes and hours", () => {
    expect([0, 9.6, 65, 3_723].map((seconds) => clock(Math.round(seconds)))).toEqual([
      "0:00",
      "0:10",
      "1:05",
      "1:02:03",
    ]);
    expect([40, 9_949, 9_950, 59_499, 59_500, 3_723_000].map(duration)).toEqual([
      "0.0 s",
      "9.9 s",
      "10 s",
      "59 s",
      "1:00 min",
      "1:02:03 h",
    ]);
  });
});
