import fc from "fast-check";
import { expect, it } from "vitest";
import type { SiteSummary, TaxonomyEntry } from "../../../src/contract/listing.js";
import { foldText, instantKey } from "../../../src/contract/order.js";
import { namesOf } from "../../../src/contract/tables.js";
import { textAt } from "../../../src/store/columns/columns.js";
import {
  FIELD_END,
  type ListingColumns,
  NO_SCORE,
  VALUE_NAMES,
  VALUES,
  type ValueName,
} from "../../../src/store/columns/listings.js";
import { gunzip } from "../../../src/store/folder-source.js";
import { openTable, TABLE_BYTES_MAX } from "../../../src/store/segments/rows.js";
import {
  COLUMNS,
  summaryColumns,
  type TableColumn,
  type TableRow,
} from "../../../src/store/segments/table.js";
import { writeBrief, writeTable } from "../../../src/store/segments/write-table.js";
import { repeated } from "../../slow.js";

/** Any well-formed text: of every script, with quotes, controls and characters that fold to several. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", '"\\\u0000\n', "\u2028\ufeff", "İSTANBUL", "ſtraße GROẞ", "𝒞ode", "null"),
);
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const entry = (slug: string): TaxonomyEntry => ({
  slug,
  name: `"${slug}" 𝒞`,
  group: "ß",
  order: -1,
});
const TERMS = {
  categories: ["constructor", "news", "1"].map(entry),
  tags: ["a", "b", "__proto__"].map(entry),
};
const words = fc.oneof(
  fc.array(fc.oneof(text, fc.constantFrom("x", "y", "constructor")), { maxLength: 4 }),
  fc.subarray(["a", "x", "y"]),
);

const summary: fc.Arbitrary<Omit<TableRow, "host">> = fc.record({
  url: text,
  name: nullable(text),
  tagline: nullable(text),
  status: text,
  latestScore: nullable(fc.integer({ min: 0, max: 100 })),
  latestBand: nullable(text),
  latestScoreVersion: nullable(text),
  latestScannedAt: nullable(
    fc.constantFrom(
      "2026-01-01T00:00:00Z",
      "2026-01-01T09:00:00+09:00",
      "2025-12-31T23:59:59.5Z",
      "2026-01-01T00:00:00.000Z",
      "2025-12-31T23:59:59.999Z",
      "1970-01-01T00:00:00.000Z",
    ),
  ),
  platforms: words,
  hosting: nullable(text),
  linkRel: text,
  category: nullable(fc.constantFrom(...TERMS.categories)),
  tags: fc.array(fc.constantFrom(...TERMS.tags), { maxLength: 4 }),
  capabilities: words,
  logoUrl: nullable(text),
  ogImageUrl: nullable(text),
  highlighted: fc.boolean(),
  exempt: words,
  gists: words,
});
const summaries = fc
  .array(summary, { minLength: 1, maxLength: 9 })
  .map((all) => all.map((one, n): TableRow => withHost({ host: `Host-${n}.example`, ...one })));

/** Some addresses name the host, as most do. */
function withHost(site: TableRow): TableRow {
  return { ...site, logoUrl: site.logoUrl && `${site.logoUrl}//${site.host}/${site.host}` };
}

function columnsIn(bytes: Uint8Array, rows: number, live: readonly number[]): ListingColumns {
  return openTable(gunzip(bytes, TABLE_BYTES_MAX), { rows }, TERMS).rows(Uint32Array.from(live));
}

/** What a filter finds of a listing. */
function valuesOf(site: TableRow, name: ValueName): string[] {
  if (name === "scoreVersion" && site.latestScore === null) return [];
  const value: unknown = site[VALUES[name].column];
  const all = (Array.isArray(value) ? value : [value]).filter((one) => one !== null);
  return [...new Set(all.map((one) => (one as TaxonomyEntry).slug ?? String(one)))];
}

/** Columns as objects, and the same from summaries. */
function rowsIn({ size, summary, scores, recents, units, fields, filters }: ListingColumns) {
  return Array.from({ length: size }, (_, row) => ({
    summary: JSON.parse(new TextDecoder().decode(summary(row))) as SiteSummary,
    score: scores[row],
    recent: textAt(recents, row),
    folded: [0, 1, 2].map((field) => {
      const at = 3 * row + field;
      return String.fromCharCode(...units.subarray(fields[at], fields[at + 1]));
    }),
    filters: Object.fromEntries(
      VALUE_NAMES.map((name) => {
        const { values, starts, places } = filters[name];
        return [
          name,
          Array.from(places.subarray(starts[row], starts[row + 1]), (at) => values[at]),
        ];
      }),
    ),
  }));
}

function modelOf(site: TableRow): ReturnType<typeof rowsIn>[number] {
  const { exempt: _, gists: __, ...summary } = site;
  const folded = [site.host, site.name, site.tagline].map((one) => foldText(one ?? ""));
  return {
    summary,
    score: site.latestScore ?? NO_SCORE,
    recent: site.latestScannedAt === null ? "" : instantKey(site.latestScannedAt),
    folded: folded.map((one) => one + String.fromCharCode(FIELD_END)),
    filters: Object.fromEntries(VALUE_NAMES.map((name) => [name, valuesOf(site, name)])),
  };
}

it("a table's rows read back as the same summaries, in any selection, with all that the engine needs", () => {
  const some = summaries.chain((all) => fc.tuple(fc.constant(all), fc.subarray([...all.keys()])));
  fc.assert(
    fc.property(some, ([all, live]) => {
      const bytes = writeTable(all);
      const rows = rowsIn(columnsIn(bytes, all.length, live));
      expect(rows).toEqual(live.map((row) => modelOf(all[row]!)));
      const table = openTable(gunzip(bytes, TABLE_BYTES_MAX), { rows: all.length }, TERMS);
      expect(table.gists(Uint32Array.from(live))).toEqual(
        live.map((row) => {
          const { host, latestScore: score, gists } = all[row]!;
          return { host, score, gists };
        }),
      );
      // The JSON has its members in the contract's order.
      expect(rows.map(({ summary }) => Object.keys(summary))).toEqual(
        live.map(() => summaryColumns()),
      );
    }),
    { seed: 1, numRuns: repeated(50, 500) },
  );
});

it.each(namesOf(COLUMNS).filter((name) => COLUMNS[name].isNullable))(
  "a table that lacks %s reads it as null",
  (name) => {
    const [all] = fc.sample(fc.array(summary, { minLength: 5, maxLength: 5 }), {
      seed: 2,
      numRuns: 1,
    });
    const sites = all!.map((one, n): TableRow => ({ host: `host-${n}.example`, ...one }));
    const columns: Partial<Record<string, TableColumn>> = COLUMNS;
    const whole = { ...columns };
    delete columns[name];
    const bytes = Buffer.concat(writeBrief(sites));
    // In their order, which other tests need.
    for (const column of Object.keys(columns)) delete columns[column];
    Object.assign(columns, whole);
    const table = openTable(bytes, { rows: 5 }, TERMS);
    const without = sites.map((site) => ({ ...site, [name]: null }));
    expect(rowsIn(table.rows(Uint32Array.from(sites.keys())))).toEqual(without.map(modelOf));
  },
);
