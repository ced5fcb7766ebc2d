import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gramRows } from "../../../src/engine/text/gram-rows.js";
import { gatherText } from "../../../src/engine/text/text.js";
import { rankingOf } from "../rankings.js";

describe("rows of grams", () => {
  it("name each listing's pieces of one to three units once, those of host and name first", () => {
    const field = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ host: field, name: field, tagline: field }), { maxLength: 12 }),
        (listings) => {
          const { numbering, counts, ...rows } = gramRows(gatherText(rankingOf(listings)));
          const textOf = (gram: number) => String.fromCharCode(...numbering.unitsOf(gram));
          const read = (from: number, to: number) =>
            Array.from(rows.grams.subarray(from, to), textOf).sort();
          const seen = { all: new Map<string, number>(), titles: new Map<string, number>() };
          for (const [number, { host, name, tagline }] of listings.entries()) {
            const titleEnd = rows.titleEnds[number]!;
            const titles = piecesOf([host, name]);
            const others = piecesOf([tagline]).filter((piece) => !titles.includes(piece));
            expect(read(rows.starts[number]!, titleEnd)).toEqual(titles);
            expect(read(titleEnd, rows.starts[number + 1]!)).toEqual(others);
            for (const piece of titles) add(seen.titles, piece);
            for (const piece of [...titles, ...others]) add(seen.all, piece);
          }
          for (let gram = 0; gram < numbering.count; gram += 1) {
            expect(counts.all[gram]).toBe(seen.all.get(textOf(gram)));
            expect(counts.titles[gram]).toBe(seen.titles.get(textOf(gram)) ?? 0);
          }
          expect(seen.all.size).toBe(numbering.count);
        },
      ),
      { seed: 5 },
    );
  });
});

function add(counts: Map<string, number>, piece: string): void {
  counts.set(piece, (counts.get(piece) ?? 0) + 1);
}

/** The pieces of one to three units of any of the fields, each once, sorted. */
function piecesOf(fields: readonly string[]): string[] {
  const pieces = new Set<string>();
  for (const field of fields) {
    for (let at = 0; at < field.length; at += 1) {
      for (const length of [1, 2, 3]) {
        if (at + length <= field.length) pieces.add(field.slice(at, at + length));
      }
    }
  }
  return [...pieces].sort();
}
