import { describe, expect, it } from "vitest";
import { cellsOf } from "../../../cli/drawing/cells.js";
import { lineExcerpt, linePosition } from "../../../cli/drawing/problems.js";

/** The excerpt, and below it its caret. */
function shown(line: string, column: number, width: number): string {
  const { text, caret } = lineExcerpt(linePosition(line, column), width);
  return `${text}\n${" ".repeat(caret)}^`;
}

describe("the offending line", () => {
  it("is shown whole if it fits, with the caret under the column, counted in UTF-16 units", () => {
    expect(shown('{"host":"x"}', 9, 40)).toBe('{"host":"x"}\n        ^');
    expect(shown('{"🙂":1}', 6, 40)).toBe('{"🙂":1}\n     ^');
    expect(shown("abc", 1, 40)).toBe("abc\n^");
  });

  it("has the caret behind its end if something is missing there, or the column is beyond it", () => {
    expect(shown("{}", 3, 40)).toBe("{}\n  ^");
    expect(shown("{}", 99, 40)).toBe("{}\n  ^");
    expect(shown("", 1, 40)).toBe("\n^");
    expect(shown("x".repeat(30), 31, 20)).toBe(`…${"x".repeat(18)}\n${" ".repeat(19)}^`);
  });

  it("has the caret in the right place after wide, combining and control characters and tabs", () => {
    expect(shown("日本:x", 4, 40)).toBe("日本:x\n     ^");
    expect(shown("e\u0301:x", 4, 40)).toBe("e\u0301:x\n  ^");
    expect(shown("\t\tx", 3, 40)).toBe("    x\n    ^");
    expect(shown("\x1b[2Jx", 5, 40)).toBe("\\u001b[2Jx\n         ^");
  });

  it("is cut around the column if it is too long", () => {
    const line = `${"a".repeat(50)}X${"b".repeat(50)}`;
    expect(shown(line, 51, 21)).toBe(`…${"a".repeat(10)}X${"b".repeat(8)}…\n${" ".repeat(11)}^`);
    expect(shown(line, 1, 10)).toBe("aaaaaaaaa…\n^");
    expect(shown(line, 101, 10)).toBe("…bbbbbbbbb\n         ^");
  });

  it("fits the columns, and so does the caret, wherever the error is", () => {
    const line = `日本語e\u0301🙂\x1b[31m\t${"x".repeat(30)}日本語\u202e`.repeat(3);
    for (let column = 1; column <= line.length + 1; column += 1) {
      for (const width of [10, 17, 40]) {
        const { text, caret } = lineExcerpt(linePosition(line, column), width);
        expect(cellsOf(text)).toBeLessThanOrEqual(width);
        expect(caret).toBeLessThan(width);
        const at = line.codePointAt(column - 1) ?? 0;
        // The second half of a pair is no place.
        if (column > line.length || (at >= 0xdc00 && at <= 0xdfff)) continue;
        expect(caret).toBe(cellsOf(text.slice(0, unitsAt(text, caret))));
      }
    }
  });

  it("of megabytes is cut as quickly as a short one, and never begins with a combining mark without its letter", () => {
    const { text } = lineExcerpt(linePosition("y".repeat(16_000_000), 8_000_000), 20);
    expect(text).toBe(`…${"y".repeat(18)}…`);
    const marks = lineExcerpt({ before: "\u0301\u0301", after: "x" }, 20);
    expect(marks).toEqual({ text: "x", caret: 0 });
  });
});

/** How many units of a text, whole characters only, fill so many columns. */
function unitsAt(text: string, cells: number): number {
  let units = 0;
  for (const character of text) {
    if (cellsOf(text.slice(0, units)) >= cells) break;
    units += character.length;
  }
  return units;
}
