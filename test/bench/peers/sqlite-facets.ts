import type { ListingFilters } from "../../../src/contract/query.js";
import { type FacetCounts, facetsWriter } from "./bodies.js";
import type { Catalog } from "./catalog.js";
import { Conditions, type Sql } from "./sqlite-conditions.js";
import {
  type COUNTED,
  type Kind,
  PACKED,
  PACKED_BITS,
  packsOf,
  type Schema,
} from "./sqlite-schema.js";
import { type Statements, textSource } from "./sqlite-statements.js";

type Counted = (typeof COUNTED)[number];

/** Rows up to which summing all packed counters is quicker than going through the postings of a kind. */
const SUMMED_MAX = 20_000;

/** Counts of listings, all of them and by value. */
interface Sums {
  readonly total: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Facets in SQL: sums of packed counters over few rows, streams of postings for many. */
export class SqliteFacets {
  readonly #catalog: Catalog;
  readonly #schema: Schema;
  readonly #statements: Statements;
  readonly #write: (counts: FacetCounts) => Uint8Array;

  constructor(catalog: Catalog, schema: Schema, statements: Statements) {
    this.#catalog = catalog;
    this.#schema = schema;
    this.#statements = statements;
    this.#write = facetsWriter(catalog.facets);
    schema.db.exec("PRAGMA query_only = 0; CREATE TEMP TABLE hit (rank INTEGER PRIMARY KEY)");
  }

  answer(query: ListingFilters): Uint8Array {
    const text = this.#collect(query);
    const all = this.#sum("capability", query, [], text);
    const anyCategory = this.#count("category", query, text);
    const anyPlatform = this.#count("platform", query, text);
    return this.#write({
      total: all.total,
      anyCategory: anyCategory.total,
      categories: anyCategory.counts,
      signals: all.counts,
      platforms: anyPlatform.counts,
    });
  }

  /** Puts what holds the request's text into `hit`. @returns how many those are; null without a text */
  #collect({ q }: ListingFilters): number | null {
    if (q === undefined) return null;
    this.#statements.one("DELETE FROM hit").run();
    const text = textSource(q, this.#schema.grams, ["text", "gram"]);
    if (text === null) return 0;
    const insert = `INSERT INTO hit SELECT ${text.number} FROM ${text.sql}`;
    return this.#statements.one(insert).run(...text.values).changes;
  }

  /** Counts of one kind, its own filter left open. */
  #count(kind: Counted, query: ListingFilters, text: number | null): Sums {
    const conditions = new Conditions(this.#catalog, this.#schema, query, [kind]);
    const rows = text ?? conditions.posting()?.rows ?? this.#catalog.entries.length;
    return text !== null || rows <= SUMMED_MAX
      ? this.#sum(kind, query, [kind], text)
      : this.#stream(kind, conditions);
  }

  #source(conditions: Conditions, text: number | null): Sql {
    if (text !== null) {
      return { sql: "hit h CROSS JOIN fact d ON d.rank = h.rank WHERE TRUE", values: [] };
    }
    const posting = conditions.posting();
    if (posting === null) return { sql: "fact d WHERE TRUE", values: [] };
    return {
      sql: posting.sql.replace("posting d", "posting d CROSS JOIN fact f ON f.rank = d.rank"),
      values: posting.values,
    };
  }

  #sum(kind: Counted, query: ListingFilters, open: readonly Kind[], text: number | null): Sums {
    const table = this.#schema.tables[kind];
    const conditions = new Conditions(this.#catalog, this.#schema, query, open);
    const source = this.#source(conditions, text);
    const alias = source.sql.startsWith("posting") ? "f" : "d";
    const sums = packsOf(kind, table).map((name) => `sum(${alias}.${name})`);
    const where = conditions.where();
    const row = this.#statements
      .one(`SELECT count(*), ${sums.join()} FROM ${source.sql}${where.sql}`)
      .raw()
      .safeIntegers()
      .get(...source.values, ...where.values) as [bigint, ...(bigint | null)[]];
    const counts = new Map<string, number>();
    for (const [value, bit] of table.bits) {
      const packed = row[1 + Math.floor(bit / PACKED)] ?? 0n;
      const shift = BigInt((bit % PACKED) * PACKED_BITS);
      counts.set(value, Number((packed >> shift) & ((1n << BigInt(PACKED_BITS)) - 1n)));
    }
    return { total: Number(row[0]), counts };
  }

  /** The postings of a kind one after the other, counted as they come. */
  #stream(kind: Counted, conditions: Conditions): Sums {
    const { bits, base } = this.#schema.tables[kind];
    const where = conditions.where();
    const rows = this.#statements
      .one(
        `SELECT d.value, count(*) FROM posting d
         WHERE d.value BETWEEN ? AND ?${where.sql} GROUP BY d.value`,
      )
      .raw()
      .all(base, base + bits.size - 1, ...where.values) as [number, number][];
    const byNumber = new Map(rows);
    const counts = new Map([...bits].map(([value, bit]) => [value, byNumber.get(base + bit) ?? 0]));
    // Every listing has one category, or none, which is a value too: together they are all listings.
    return { total: [...counts.values()].reduce((sum, count) => sum + count, 0), counts };
  }
}
