import fc from "fast-check";
import { expect, it } from "vitest";
import { briefFiles } from "../../../src/store/segments/brief-files.js";

const segment = fc.record({
  table: fc
    .string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 32 })
    .map((hash) => ({ file: `segments/${hash}.parquet`, bytes: 1, sha256: "" })),
  rows: fc.oneof(fc.integer({ min: 200, max: 900 }), fc.integer({ min: 0, max: 5_000 })),
});
const segments = fc.uniqueArray(segment, { selector: ({ table }) => table.file, maxLength: 60 });

it("a tree has each table once, in order, in files of bounded size that keep their names while others change", () => {
  const shared = { kept: 0, all: 0 };
  fc.assert(
    fc.property(segments, fc.nat(), (all, at) => {
      const files = briefFiles(all);
      expect(files.flatMap((file) => file.segments)).toEqual(all);
      expect(new Set(files.map(({ file }) => file)).size).toBe(files.length);
      for (const { file, segments: own } of files) {
        expect(file).toMatch(/^segments\/[\w-]{16,200}\.briefs$/);
        const rows = own.map((one) => one.rows);
        if (own.length === 1) continue;
        expect(Math.min(...rows)).toBeGreaterThanOrEqual(256);
        expect(rows.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2_560);
      }
      // A new segment with few rows changes no other file.
      const added = {
        ...all[0]!,
        table: { ...all[0]?.table, file: "segments/new.parquet" },
        rows: 9,
      };
      if (all[0] === undefined) return;
      expect(briefFiles([...all, added as (typeof all)[0]]).slice(0, -1)).toEqual(files);
      const names = new Set(files.map(({ file }) => file));
      const left = briefFiles(all.toSpliced(at % all.length, 1));
      shared.kept += left.filter(({ file }) => names.has(file)).length;
      shared.all += left.length;
    }),
    { seed: 1, numRuns: 100 },
  );
  // One that goes changes few.
  expect(shared.kept / shared.all).toBeGreaterThan(0.8);
});
