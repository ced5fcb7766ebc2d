import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/input/checking/json.js";
import { locatedProblems, syntaxFinding } from "../../../src/input/checking/positions.js";
import { repeated } from "../../slow.js";

type Path = (string | number)[];

/** Writes a value as JSON with blanks of all kinds between its tokens. */
function spaced(value: unknown, blank: () => string): string {
  const join = (items: string[]) => items.join(`${blank()},${blank()}`);
  if (Array.isArray(value)) {
    return `[${blank()}${join(value.map((item) => spaced(item, blank)))}${blank()}]`;
  }
  if (typeof value === "object" && value !== null) {
    const items = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}${blank()}:${blank()}${spaced(item, blank)}`,
    );
    return `{${blank()}${join(items)}${blank()}}`;
  }
  return JSON.stringify(value);
}

/** Every path into a value, with what is there. */
function* pathsInto(value: unknown, path: Path = []): Generator<[Path, unknown]> {
  yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    yield* pathsInto(item, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** The offset in a text of a line and column, by counting. */
function offsetOf(text: string, line: number, column: number): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}

const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 0, -1.5e3, "", "x", 'q"\\', "é\u{1f600}", "\n{[,:"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "é", "a b", '"', "0", "\u{1f600}"), tie("value")),
  ),
})).value;

const blanks = fc.infiniteStream(fc.constantFrom("", "", " ", "\n", "\t", "\r\n"));

describe("locatedProblems", () => {
  it("puts every value and key of any JSON text at its line and column", () => {
    fc.assert(
      fc.property(jsonValue, blanks, fc.integer({ min: 1, max: 9 }), (value, stream, line) => {
        const text = spaced(value, () => stream.next().value ?? "");
        for (const [path, inner] of pathsInto(value)) {
          const finding = { code: "value-wrong", path, message: "" } as const;
          const [placed] = locatedProblems("f", line, text, [finding]);
          const rest = text.slice(offsetOf(text, placed!.line - line + 1, placed!.column));
          const literal = JSON.stringify(inner);
          const first = typeof inner === "object" && inner !== null ? literal[0]! : literal;
          expect(rest.startsWith(first)).toBe(true);
          const key = path.at(-1);
          if (typeof key !== "string") continue;
          const [atKey] = locatedProblems("f", line, text, [{ ...finding, at: "key" }]);
          const fromKey = text.slice(offsetOf(text, atKey!.line - line + 1, atKey!.column));
          expect(fromKey.startsWith(JSON.stringify(key))).toBe(true);
        }
      }),
      { numRuns: repeated(60, 500) },
    );
  });

  it("places many findings of one text as it places each alone, in the order of their places", () => {
    fc.assert(
      fc.property(jsonValue, blanks, (value, stream) => {
        const text = spaced(value, () => stream.next().value ?? "");
        const findings = [...pathsInto(value)].map(([path], place) => {
          return { code: "value-wrong" as const, path, message: String(place) };
        });
        const alone = findings.flatMap((finding) => locatedProblems("f", 1, text, [finding]));
        const together = locatedProblems("f", 1, text, findings.toReversed());
        const byMessage = together.toSorted((a, b) => Number(a.message) - Number(b.message));
        expect(byMessage).toEqual(alone);
        const places = together.map(({ line, column }) => line * 1e6 + column);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
      { numRuns: repeated(60, 500) },
    );
  });

  it("takes the last of equal keys, as JSON.parse does, even if the first had more in it", () => {
    const text = '{"a":{"b":1,"c":2},"a":{"b":3},"x":[{"y":0},{"y":1,"y":2}]}';
    const column = (path: Path) =>
      locatedProblems("f", 1, text, [{ code: "value-wrong", path, message: "" }])[0]!.column;
    expect(text.slice(column(["a", "b"]) - 1)).toMatch(/^3/);
    expect(text.slice(column(["x", 1, "y"]) - 1)).toMatch(/^2/);
  });
});

const PIECES = [..."{}[],:\"\\u01-+.eE \t\n\r\v\u00a0\ufeff/x'é\0\u001f\u2028"];
const TEXTS = [
  '{"a":[1,-2.5e3,true,false,null,"x\\n\\u00e9"],"b":{"c":"d"}}',
  '{"host":"a.example","x":[{},[],""]}',
  "[12.5e-3]",
];

const brokenText = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.array(
      fc.record({
        at: fc.nat(70),
        cut: fc.nat(2),
        put: fc.constantFrom("", "//", "/**/", "nul", "\\u12", ...PIECES),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([text, changes]) =>
    changes.reduce((now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut), text),
  );

describe("a text that JSON.parse refuses", () => {
  it("has a finding inside the text in plain words, and an accepted text has none", () => {
    let refused = 0;
    fc.assert(
      fc.property(brokenText, (text) => {
        let taken = true;
        try {
          JSON.parse(text);
        } catch {
          taken = false;
        }
        const json = parseJson(Buffer.from(text));
        expect("value" in json).toBe(taken);
        if (!("finding" in json)) return;
        refused += 1;
        const { at, message } = json.finding;
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(text.length);
        // NULs at the start look like halves of UTF-16 units.
        const other = text.slice(0, 4).includes("\0") ? "UTF-16" : "empty";
        expect(message).toMatch(new RegExp(`^is (?:not JSON: found|${other}, expected)`));
      }),
      { numRuns: repeated(800, 8_000) },
    );
    expect(refused).toBeGreaterThan(repeated(200, 2_000));
  });

  it.each([
    ['{"a":1.}', 6, "is not JSON: found `1.`, which lacks digits at its end"],
    [
      '{"a":"\\n\\u12G4"}',
      9,
      "is not JSON: found `\\u12G4`, expected four hexadecimal digits after `\\u`",
    ],
    ['{"a":1,\n}', 9, "is not JSON: found `}`, expected a key in double quotes"],
    ['{"a":1', 7, "is not JSON: found the end, expected `}`"],
    ['{"a":1} {}', 9, "is not JSON: found `{` after the end of the record"],
    ['{"a":"x\ty"}', 8, "is not JSON: found `\\u0009` in a text, expected its escape sequence"],
    ['{"a" 1}', 6, "is not JSON: found `1`, expected `:`"],
    ["{}  \n ", 1, "is not JSON"],
  ])("%j: column %i, %s", (text, column, message) => {
    const { at } = syntaxFinding(text);
    expect([Number(at) + 1, syntaxFinding(text).message]).toEqual([column, message]);
  });
});
