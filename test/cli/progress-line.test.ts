import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { barLine, type Paint, ProgressLine } from "../../cli/terminal.js";
import { PHASES } from "../../src/lib/options.js";

const plain: Paint = (_, text) => text;

function aLine() {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const terminal = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: 80,
    write,
    getColorDepth: () => 1,
  });
  return { written, line: new ProgressLine(terminal as unknown as NodeJS.WriteStream) };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

describe("the progress line", () => {
  it("draws at most ten times a second, however often progress is reported", () => {
    const { written, line } = aLine();
    for (let ms = 0; ms <= 1_000; ms += 1) {
      line.report(ms, 2_000, PHASES.compiling);
      vi.advanceTimersByTime(1);
    }
    expect(written).toHaveLength(10);
    expect(written[0]).toContain("compiling");
  });

  it("leaves an empty line when it ends, once, and draws nothing for work that ends at once", () => {
    const { written, line } = aLine();
    line.report(1, 10, PHASES.compiling);
    vi.advanceTimersByTime(90);
    line.report(9, 10, PHASES.compiling);
    line.hide();
    expect(written).toEqual([]);
    line.report(1, 10, PHASES.compiling);
    vi.advanceTimersByTime(500);
    line.report(2, 10, PHASES.compiling);
    for (let i = 0; i < 2; i += 1) line.hide();
    expect(written).toEqual([expect.stringContaining("20%"), "\r\x1b[K"]);
  });

  it("estimates the time left from the time since the phase began", () => {
    const { written, line } = aLine();
    line.report(1, 10, PHASES.listings);
    vi.advanceTimersByTime(60_000);
    line.report(0, 100, PHASES.compiling);
    vi.advanceTimersByTime(10_000);
    line.report(25, 100, PHASES.compiling);
    expect(written.at(-1)).toContain(" 25%  0:30 left");
  });
});

it.each([
  [
    "the whole line",
    80,
    0.5,
    5_000,
    `compiling ${"█".repeat(15)}${"░".repeat(15)}  50%  0:05 left`,
  ],
  ["no estimate at the start", 80, 0.1, 500, `compiling ███${"░".repeat(27)}  10%`],
  ["no division by zero", 80, 0, 5_000, `compiling ${"░".repeat(30)}   0%`],
  ["the share alone if there is little room", 40, 0.5, 5_000, "compiling  50%"],
  ["what fits", 10, 0.5, 5_000, "compil…"],
  ["the time if the amount of work is unknown", 80, null, 65_000, "compiling 1:05"],
])("a bar's line: %s", (_, width, share, elapsed, expected) => {
  expect(barLine("compiling", share, elapsed, width, plain)).toBe(expected);
});
