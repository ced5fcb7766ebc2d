import { describe, expect, it } from "vitest";
import { cellsOf, plain } from "../../../cli/drawing/cells.js";
import {
  firstProblem,
  groupLine,
  linePosition,
  mostFrequent,
  problemLines,
} from "../../../cli/drawing/problems.js";
import {
  formatProblem,
  type Problem,
  type ProblemGroup,
} from "../../../src/published/checking/problem.js";

function aProblem(changes: Partial<Problem> = {}): Problem {
  const place = { file: "listings/a.ndjson", line: 12, column: 9 };
  return { ...place, path: "$.host", message: "found 1, expected a host", ...changes };
}

const drawing = { width: 80, paint: plain };

describe("an error of the input", () => {
  it("has its place, the reason, and the line with a caret under the column", () => {
    const place = linePosition('{"host":1,"url":"https://x.example/"}', 9);
    expect(problemLines(aProblem(), "error", place, drawing)).toEqual([
      "error: listings/a.ndjson:12:9  $.host  found 1, expected a host",
      '  12 | {"host":1,"url":"https://x.example/"}',
      "     |         ^",
    ]);
  });

  it("is shown without its line if the line cannot be read, or does not fit", () => {
    const head = ["error: listings/a.ndjson:12:9  $.host  found 1, expected a host"];
    expect(problemLines(aProblem(), "error", null, drawing)).toEqual(head);
    const place = linePosition("x".repeat(50), 9);
    const narrow = problemLines(aProblem(), "error", place, { width: 17, paint: plain });
    expect(narrow.join("\n")).not.toContain("|");
  });

  it("is broken between words in a narrow terminal, and its excerpt stays on its lines", () => {
    const place = linePosition(`{"host":1,${"日".repeat(90)}`, 9);
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
    const place = linePosition(`{"x":"${evil}"}`, 7);
    const found = problemLines(problem, "error", place, drawing).join("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(found).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(found).toContain("a\\u001b]0;owned\\u0007\\u009b31m\\u202e\\u000d\\u000a:12:9");
  });

  it("has one colour for its kind: red errors, yellow warnings", () => {
    const paint = (role: string, text: string) => `<${role}>${text}</>`;
    const place = linePosition("ab", 2);
    const lines = problemLines(aProblem(), "warning", place, { width: 80, paint });
    expect(lines[0]).toMatch(/^<warning>warning: <\/>/);
    expect(lines.join("\n")).toContain("<warning>found 1, expected a host</>");
    expect(lines.at(-1)).toContain(" <warning>^</>");
    expect(lines.join("\n")).not.toContain("<error>");
  });
});

describe("errors of one kind", () => {
  const group = (changes: Partial<ProblemGroup> = {}): ProblemGroup => ({
    ...{ files: "listings/*.ndjson", path: "$.host", count: 7_305, first: aProblem() },
    ...changes,
  });

  it("take one line with their number, the pattern of their files, and the first place", () => {
    expect(groupLine(group())).toBe(
      "7,305 x listings/*.ndjson $.host: found 1, expected a host; first at listings/a.ndjson:12:9",
    );
    const evil = group({ files: "a\n*", first: aProblem({ file: "a\n\u202e" }) });
    expect(groupLine(evil)).not.toMatch(/[\n\u202e]/);
    expect(firstProblem(group())).toEqual(
      aProblem({ message: "found 1, expected a host (7,305 x listings/*.ndjson, first here)" }),
    );
  });

  it("are shown like any error if there is one, or one that counts all records", () => {
    const single = aProblem({ times: 12 });
    expect(groupLine(group({ count: 12, first: single }))).toBe(formatProblem(single));
    expect(firstProblem(group({ count: 12, first: single }))).toBe(single);
  });

  it("are left out if there are too many kinds, the least frequent first", () => {
    const groups = [2, 9, 1, 5].map((count) => group({ count }));
    expect(mostFrequent(groups, 3).map(({ count }) => count)).toEqual([2, 9, 5]);
  });
});
