import fc from "fast-check";
import { expect, it } from "vitest";
import { inexactNumbers, isInexact } from "../../../src/input/checking/json.js";

/** A number's value as a fraction of whole numbers, by its definition. */
function fractionOf(text: string): readonly [numerator: bigint, denominator: bigint] {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`.replace(/^-/, ""));
  const signed = text.startsWith("-") ? -digits : digits;
  return power < 0 ? [signed, 10n ** BigInt(-power)] : [signed * 10n ** BigInt(power), 1n];
}

/** Whether JavaScript prints a number with the value that it was written with. */
function isExact(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const [a, b] = fractionOf(text);
  const [c, d] = fractionOf(String(number));
  return a * d === c * b;
}

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 25 });
const number = fc
  .tuple(
    fc.constantFrom("", "-"),
    digits.map((text) => text.replace(/^0+/, "") || "0"),
    digits.map((text) => (text === "" ? "" : `.${text}`)),
    fc.oneof(
      fc.constant(""),
      fc
        .tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.integer({ min: 0, max: 400 }))
        .map((parts) => parts.join("")),
    ),
  )
  .map((parts) => parts.join(""));
const anyNumber = fc.oneof(number, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String));

it("a number is inexact if its value is not the one that JavaScript prints", () => {
  const known = {
    "12345678901234567890": true,
    "0.1234567890123456789": true,
    "1e400": true,
    "1e-400": true,
    "9007199254740993": true,
    "9007199254740992": false,
    "-0": false,
    "1.0": false,
    "0e999": false,
    "100000000000000000000000": false,
    "0.1": false,
    "5e-324": false,
    "1e21": false,
    "2e+3": false,
  };
  for (const [text, is] of Object.entries(known))
    expect([text, isInexact(text)]).toEqual([text, is]);
  fc.assert(
    fc.property(anyNumber, (text) => {
      expect([text, isInexact(text)]).toEqual([text, !isExact(text)]);
    }),
    { numRuns: 5_000 },
  );
});

it("every inexact number of a text is found at its place, and nothing in quotes is one", () => {
  const blank = fc.constantFrom("", " ", "\n", "\t");
  const entry = fc.record({ number: anyNumber, quoted: fc.boolean(), before: blank, after: blank });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
      const items = entries.map(({ number, quoted, before, after }) =>
        quoted ? `": ${number} ,"` : `${before}${number}${after}`,
      );
      const text = `{"a":[${items.join(",")}],"b":{"c":${items[0] ?? "null"}}}`;
      JSON.parse(text);
      const wrong = entries.map(({ number, quoted }) => !quoted && !isExact(number));
      const expected = [
        ...wrong.flatMap((is, at) => (is ? [`a.${at}`] : [])),
        ...(wrong[0] === true ? ["b.c"] : []),
      ];
      const found = inexactNumbers(text);
      expect(found.map(({ path }) => path.join("."))).toEqual(expected);
      for (const { at } of found) expect(text.slice(Number(at))).toMatch(/^-?\d/);
    }),
    { numRuns: 2_000 },
  );
});

it("a text of a million inexact numbers has as many findings as are shown", () => {
  expect(inexactNumbers(`[${"12345678901234567890,".repeat(100_000)}1]`).length).toBe(1_001);
});
