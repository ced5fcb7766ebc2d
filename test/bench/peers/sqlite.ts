import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../../../src/contract/query.js";
import type { Answerer } from "../engine/requests.js";
import { fold } from "../engine/text.js";
import { searchBody, suggestionsBody } from "./bodies.js";
import type { Catalog } from "./catalog.js";
import { Conditions } from "./sqlite-conditions.js";
import { SqliteFacets } from "./sqlite-facets.js";
import { buildSchema, type Schema, type Statement } from "./sqlite-schema.js";
import { Statements, textSource } from "./sqlite-statements.js";

/**
 * better-sqlite3 at its limit: page, total and counts in SQL, over tables made for exactly these requests. RESULTS.md has
 * figures of others, too, all of which were slower: FTS5 with plain joins, itemsjs, Orama, MiniSearch.
 */
export class SqlitePeer implements Answerer {
  readonly #catalog: Catalog;
  readonly #schema: Schema;
  readonly #statements: Statements;
  readonly #facets: SqliteFacets;
  readonly #summary: Statement;
  readonly #suggestion: Statement;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#schema = buildSchema(catalog);
    this.#statements = new Statements(this.#schema.db);
    this.#facets = new SqliteFacets(catalog, this.#schema, this.#statements);
    const { db } = this.#schema;
    this.#summary = db.prepare("SELECT summary FROM body WHERE rank = ?").pluck();
    this.#suggestion = db.prepare("SELECT suggestion FROM title WHERE place = ?").pluck();
  }

  search(query: SearchQuery): Uint8Array {
    const conditions = new Conditions(this.#catalog, this.#schema, query, []);
    const [total, ranks] =
      query.q === undefined
        ? this.#filtered(query, conditions)
        : this.#containing(query, query.q, conditions);
    return searchBody(
      ranks.map((rank) => this.#summary.get(rank) as string),
      query,
      total,
    );
  }

  facets(query: ListingFilters): Uint8Array {
    return this.#facets.answer(query);
  }

  /** Two statements, each over the shortest posting or over an index that covers what it looks at. */
  #filtered({ sort, page, limit }: SearchQuery, conditions: Conditions): [number, number[]] {
    const place = sort === "score" ? "rank" : sort.replace("-", "_");
    const posting = conditions.posting();
    const { sql, values } = conditions.where();
    const source = posting?.sql ?? "item d WHERE TRUE";
    const bound = [...(posting?.values ?? []), ...values];
    const total = this.#statements
      .one(`SELECT count(*) FROM ${source}${sql}`)
      .pluck()
      .get(...bound) as number;
    const ordered = `SELECT d.rank FROM ${source}${sql} ORDER BY d.${place} LIMIT ? OFFSET ?`;
    const ranks = this.#statements.one(ordered).pluck();
    return [total, ranks.all(...bound, limit, (page - 1) * limit) as number[]];
  }

  /** One statement: what holds the text and passes the filters is collected once. */
  #containing(
    { sort, page, limit }: SearchQuery,
    q: string,
    conditions: Conditions,
  ): [number, number[]] {
    const text = textSource(q, this.#schema.grams, ["text", "gram"]);
    if (text === null) return [0, []];
    const place = sort === "score" ? "rank" : sort.replace("-", "_");
    const where = conditions.where();
    const bare = conditions.open && place === "rank";
    const columns = bare
      ? `${text.number} AS rank, ${text.number} AS place`
      : `d.rank AS rank, d.${place} AS place`;
    const joined = bare
      ? text.sql
      : text.sql.replace(" WHERE ", ` CROSS JOIN item d ON d.rank = ${text.number} WHERE `);
    const row = this.#statements
      .one(
        `WITH hit AS MATERIALIZED (SELECT ${columns} FROM ${joined}${where.sql})
         SELECT (SELECT count(*) FROM hit), (SELECT json_group_array(rank) FROM
           (SELECT rank FROM hit ORDER BY place LIMIT ? OFFSET ?))`,
      )
      .raw()
      .get(...text.values, ...where.values, limit, (page - 1) * limit) as [number, string];
    return [row[0], JSON.parse(row[1]) as number[]];
  }

  /** Class after class, each in the order of hosts, which is that of the numbers. */
  suggest({ q }: SuggestionsQuery): Uint8Array {
    const piece = fold(q);
    const end = `${piece}\u{10ffff}`;
    const places = new Set<number>();
    const add = (found: readonly number[]): boolean => {
      for (const place of found) if (places.size < 5) places.add(place);
      return places.size < 5;
    };
    const all = (sql: string, ...values: unknown[]) =>
      this.#statements
        .one(`SELECT ${sql}`)
        .pluck()
        .all(...values) as number[];
    const goesOn =
      add(all("place FROM title WHERE host = ?", piece)) &&
      add(all("place FROM title WHERE name = ? ORDER BY place LIMIT 5", piece)) &&
      add(
        [
          ...all("place FROM title WHERE host >= ? AND host < ? ORDER BY host LIMIT 6", piece, end),
          ...all(
            "place FROM title WHERE name >= ? AND name < ? ORDER BY place LIMIT 10",
            piece,
            end,
          ),
        ].sort((a, b) => a - b),
      );
    if (goesOn) {
      const text = textSource(q, this.#schema.titleGrams, ["title_text", "title_gram"]);
      if (text !== null) {
        add(
          all(`${text.number} FROM ${text.sql} ORDER BY ${text.number} LIMIT 10`, ...text.values),
        );
      }
    }
    return suggestionsBody([...places].map((place) => this.#suggestion.get(place) as string));
  }
}
