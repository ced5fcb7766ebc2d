import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayRepeatKeys, repeatedKeys } from "../../../src/input/checking/json.js";
import { repeated } from "../../slow.js";
import { outcomeOf, PLACES } from "../tiny.js";

const { listing, listings, scan } = PLACES;

describe("repeated keys of a JSON text", () => {
  /** JSON texts as anybody may write them: blanks anywhere, keys again, colons and quotes in texts. */
  const blank = fc.constantFrom("", "", " ", "\n", "\t\r\n ");
  const text = fc
    .array(fc.constantFrom("a", "b", ":", '"', "\\", " ", "{", ","), { maxLength: 4 })
    .map((parts) => JSON.stringify(parts.join("")));
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", "null", "true"),
      text,
      fc
        .array(fc.tuple(blank, text, blank, blank, tie("json")), { maxLength: 4 })
        .map((all) => `{${all.map(([a, key, b, c, value]) => `${a}${key}${b}:${c}${value}`)}}`),
      fc
        .array(fc.tuple(blank, tie("json"), blank), { maxLength: 3 })
        .map((all) => `[${all.map((one) => one.join(""))}]`),
    ),
  }));

  /** How many keys objects of a value have, and how many its text must have had. */
  const keysIn = (value: unknown): number =>
    typeof value !== "object" || value === null
      ? 0
      : Object.values(value).reduce<number>((sum, item) => sum + keysIn(item), 0) +
        (Array.isArray(value) ? 0 : Object.keys(value).length);

  /** A second opinion: makes every key another, so that the parser keeps all. */
  const keysOfText = (source: string) => {
    let n = 0;
    return keysIn(
      JSON.parse(
        source.replace(/("(?:[^"\\]|\\.)*")(\s*:)?/g, (_, key, colon) =>
          colon === undefined ? key : `"${n++}"${colon}`,
        ),
      ),
    );
  };

  it("are found, each at its place, and a text without any is seldom scanned twice", () => {
    let repeating = 0;
    fc.assert(
      fc.property(json, (source) => {
        const keys = keysIn(JSON.parse(source));
        const found = [...repeatedKeys(source)];
        const hasAny = keysOfText(source) > keys;
        if (hasAny) repeating += 1;
        expect(found.length > 0).toBe(hasAny);
        if (hasAny) expect(mayRepeatKeys(source, keys)).toBe(true);
        for (const { path, at } of found) {
          const key = JSON.stringify(path.at(-1));
          expect(source.startsWith(key, at as number)).toBe(true);
        }
      }),
      { numRuns: repeated(500, 5_000) },
    );
    expect(repeating).toBeGreaterThan(10);
  });

  it("are an error where a listing has two values for what is published of it", async () => {
    const conflict = (key: string, values: string) =>
      `the key "${key}" occurs more than once with different values: ${values}; keep the one that you mean`;
    const equal =
      'the key "visibility" occurs more than once in an object; only the last one counts';
    const { problems, warnings } = await outcomeOf([
      [
        listings,
        '"status":"claimed"',
        '"visibility":"removed","status":"claimed","visib\\u0069lity" : "listed"',
      ],
      [
        listings,
        '"status":"unclaimed"',
        '"status":"unclaimed","entitlements":{"history":[{},"}"],"fixPrompts":1,"history":false,"fixPrompts":1}',
      ],
      [listing, '"blocked"', '"blocked", "visibility": "block\\u0065d"'],
      [scan, '"id": "b1"', '"id": "b1", "profile": { "visibility": 1, "visibility": 2 }'],
    ]);
    expect(problems).toEqual([
      `listings/ab.ndjson:1:98  $.visibility  ${conflict("visibility", '"removed", then "listed"')}`,
      `listings/ab.ndjson:2:125  $.entitlements.history  ${conflict("history", "an array, then false")}`,
    ]);
    expect(warnings).toEqual([
      `listings/single/gamma.json:6:28  $.visibility  ${equal}`,
      `scans/2026/b/b1.json:3:45  $.profile.visibility  ${equal}`,
    ]);
  });
});
