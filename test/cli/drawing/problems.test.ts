import { describe, expect, it } from "vitest";
import { cellsOf } from "../../../cli/drawing/cells.js";
import { placeIn } from "../../../cli/drawing/excerpt.js";
import { plain } from "../../../cli/drawing/paint.js";
import { parted, problemLines, restLines } from "../../../cli/drawing/problems.js";
import type { Problem } from "../../../src/published/checking/problem.js";

function aProblem(changes: Partial<Problem> = {}): Problem {
  const place = { file: "listings/a.ndjson", line: 12, column: 9 };
  return { ...place, path: "$.host", message: "found 1, expected a host", ...changes };
}

/** So many problems of a file. */
function many(file: string, count: number): Problem[] {
  return Array.from({ length: count }, (_, at) => aProblem({ file, line: at + 1 }));
}

const drawing = { width: 80, paint: plain };

describe("an error of the input", () => {
  it("has its place, the reason, and the line with a caret under the column", () => {
    const place = placeIn('{"host":1,"url":"https://x.example/"}', 9);
    expect(problemLines(aProblem(), "error", place, drawing)).toEqual([
      "error: listings/a.ndjson:12:9  $.host  found 1, expected a host",
      '  12 | {"host":1,"url":"https://x.example/"}',
      "     |         ^",
    ]);
  });

  it("is shown without its line if the line cannot be read, or does not fit", () => {
    const head = ["error: listings/a.ndjson:12:9  $.host  found 1, expected a host"];
    expect(problemLines(aProblem(), "error", null, drawing)).toEqual(head);
    const place = placeIn("x".repeat(50), 9);
    const narrow = problemLines(aProblem(), "error", place, { width: 17, paint: plain });
    expect(narrow.join("\n")).not.toContain("|");
  });

  it("is broken between words in a narrow terminal, and its excerpt stays on its lines", () => {
    const place = placeIn(`{"host":1,${"日".repeat(90)}`, 9);
    const lines = problemLines(aProblem(), "error", place, { width: 30, paint: plain });
    expect(lines).toEqual([
      "error: listings/a.ndjson:12:9",
      "  $.host",
      "  found 1, expected a host",
      `  12 | {"host":1,${"日".repeat(5)}…`,
      "     |         ^",
    ]);
    for (const width of [18, 40, 79, 400]) {
      const [, ...rest] = problemLines(aProblem(), "error", place, { width, paint: plain });
      for (const line of rest.slice(-2)) expect(cellsOf(line)).toBeLessThan(width);
    }
  });

  it("prints no character that a terminal would act on", () => {
    const evil = "\x1b]0;owned\x07\x9b31m\u202e\r\n";
    const problem = aProblem({ file: `a${evil}`, path: `$["${evil}"]`, message: `found ${evil}` });
    const place = placeIn(`{"x":"${evil}"}`, 7);
    const found = problemLines(problem, "error", place, drawing).join("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(found).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(found).toContain("a\\u001b]0;owned\\u0007\\u009b31m\\u202e\\u000d\\u000a:12:9");
    const rest = restLines(many(evil, 1), 1, "error", drawing).join("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });

  it("has one colour for its kind: red errors, yellow warnings", () => {
    const paint = (role: string, text: string) => `<${role}>${text}</>`;
    const place = placeIn("ab", 2);
    const lines = problemLines(aProblem(), "warning", place, { width: 80, paint });
    expect(lines[0]).toMatch(/^<warning>warning: <\/>/);
    expect(lines.join("\n")).toContain("<warning>found 1, expected a host</>");
    expect(lines.at(-1)).toContain(" <warning>^</>");
    expect(lines.join("\n")).not.toContain("<error>");
  });
});

describe("many errors", () => {
  it("are limited to twenty, first the first five of each file, then others, in order", () => {
    const problems = [...many("a", 100), ...many("b", 3), ...many("c", 100)];
    const { shown, rest } = parted(problems);
    const counts = (of: readonly Problem[]) =>
      ["a", "b", "c"].map((file) => of.filter((one) => one.file === file).length);
    expect(counts(shown)).toEqual([12, 3, 5]);
    expect(counts(rest)).toEqual([88, 0, 95]);
    expect(shown).toEqual(problems.filter((one) => shown.includes(one)));
    expect(shown[0]).toBe(problems[0]);
    expect(parted(problems.slice(0, 20)).shown).toEqual(problems.slice(0, 20));
    expect(parted([])).toEqual({ shown: [], rest: [] });
  });

  it("are counted by file if they are not shown", () => {
    const rest = [...many("listings/a.ndjson", 1_200), ...many("scans/日本.json", 1)];
    expect(restLines(rest, 1_201, "error", drawing)).toEqual([
      "error: ... and 1,201 more (--json lists them):",
      "  listings/a.ndjson  1,200",
      "  scans/日本.json        1",
    ]);
    expect(restLines(many("a", 1), 1, "warning", drawing)[0]).toBe(
      "warning: ... and 1 more (--json lists them):",
    );
  });

  it("of many files are counted for the first ten files; those that were not kept are counted separately", () => {
    const rest = Array.from({ length: 15 }, (_, at) => many(`file-${at}`, at + 1)).flat();
    const lines = restLines(rest, 1_000_120, "error", drawing);
    expect(lines).toHaveLength(13);
    expect(lines[0]).toBe("error: ... and 1,000,120 more:");
    expect(lines[10]).toBe("  file-9                      10");
    expect(lines[11]).toBe("  in 5 other files            65");
    expect(lines[12]).toBe("  not counted by file  1,000,000");
    const narrow = restLines(many("x".repeat(99), 2), 2, "error", { width: 40, paint: plain });
    expect(cellsOf(narrow[1] ?? "")).toBeLessThan(40);
  });
});
