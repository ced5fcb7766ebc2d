import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../../../src/contract/query.js";
import type { Answerer } from "../engine/requests.js";
import { fold } from "../engine/text.js";
import { type FacetCounts, facetsWriter, searchBody, suggestionsBody } from "./bodies.js";
import { type Catalog, SORTS } from "./catalog.js";
import type { Sql } from "./sqlite-conditions.js";
import { openDatabase } from "./sqlite-schema.js";
import { Statements } from "./sqlite-statements.js";

type Kind = "category" | "tag" | "platform" | "capability";

/**
 * better-sqlite3 as its users would have it: FTS5 trigrams, a join table and an index for each filter,
 * bodies ready made, statements prepared once, facets grouped over a temporary table.
 */
export class PlainSqlitePeer implements Answerer {
  readonly #statements: Statements;
  readonly #write: (counts: FacetCounts) => Uint8Array;

  constructor(catalog: Catalog) {
    const db = openDatabase();
    this.#statements = new Statements(db);
    this.#write = facetsWriter(catalog.facets);
    db.exec(`BEGIN;
      CREATE TABLE listing (rank INTEGER PRIMARY KEY, category TEXT, band TEXT, status TEXT, score INTEGER,
        ${SORTS.map((sort) => `"${sort} place" INTEGER`).join()});
      CREATE TABLE body (rank INTEGER PRIMARY KEY, host TEXT, name TEXT, tagline TEXT, summary TEXT, suggestion TEXT);
      CREATE VIRTUAL TABLE text USING fts5(host, name, tagline, content = 'body', content_rowid = 'rank',
        tokenize = 'trigram case_sensitive 1');
      CREATE TABLE tag (value TEXT, rank INTEGER, PRIMARY KEY (value, rank)) WITHOUT ROWID;
      CREATE TABLE platform (value TEXT, rank INTEGER, PRIMARY KEY (value, rank)) WITHOUT ROWID;
      CREATE TABLE capability (value TEXT, rank INTEGER, PRIMARY KEY (value, rank)) WITHOUT ROWID;`);
    const listing = db.prepare("INSERT INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const body = db.prepare("INSERT INTO body VALUES (?, ?, ?, ?, ?, ?)");
    for (const [rank, { summary, places, folded, ...json }] of catalog.entries.entries()) {
      const { category, latestBand, status, latestScore } = summary;
      const order = SORTS.map((sort) => places[sort]);
      listing.run(rank, category?.slug ?? null, latestBand, status, latestScore, ...order);
      body.run(rank, ...folded, json.summaryJson, json.suggestionJson);
      const insert = (kind: Kind, values: readonly string[]) => {
        const statement = this.#statements.one(`INSERT INTO ${kind} VALUES (?, ?)`);
        for (const value of values) statement.run(value, rank);
      };
      insert(
        "tag",
        summary.tags.map(({ slug }) => slug),
      );
      insert("platform", summary.platforms);
      insert("capability", summary.capabilities);
    }
    db.exec(`INSERT INTO text (text) VALUES ('rebuild'); INSERT INTO text (text) VALUES ('optimize');
      ${["category", "band", "status", "score"].map((name) => `CREATE INDEX by_${name} ON listing (${name});`).join("")}
      ${SORTS.slice(1)
        .map((sort) => `CREATE INDEX "by ${sort}" ON listing ("${sort} place");`)
        .join("")}
      CREATE INDEX platform_of ON platform (rank, value); CREATE INDEX capability_of ON capability (rank, value);
      CREATE TEMP TABLE shared (rank INTEGER PRIMARY KEY, category TEXT);
      COMMIT; ANALYZE;`);
  }

  search(query: SearchQuery): Uint8Array {
    const { sort, page, limit } = query;
    const { sql, values } = conditions(query, []);
    const total = this.#values(`SELECT count(*) FROM listing l WHERE ${sql}`, values)[0] as number;
    const ordered = `SELECT b.summary FROM (SELECT l.rank, l."${sort} place" AS place FROM listing l
      WHERE ${sql} ORDER BY place LIMIT ? OFFSET ?) p JOIN body b ON b.rank = p.rank ORDER BY p.place`;
    const summaries = this.#values(ordered, [...values, limit, (page - 1) * limit]);
    return searchBody(summaries as string[], query, total);
  }

  facets(query: ListingFilters): Uint8Array {
    const shared = conditions(query, ["category", "platform"]);
    this.#statements.one("DELETE FROM shared").run();
    const insert = `INSERT INTO shared SELECT l.rank, l.category FROM listing l WHERE ${shared.sql}`;
    this.#statements.one(insert).run(...shared.values);
    const { category, platform } = query;
    const among = (kinds: Pick<ListingFilters, "category" | "platform">): Sql =>
      conditions(kinds, [], "s");
    const inCategory = among({ category });
    const onPlatform = among({ platform });
    const both = among({ category, platform });
    const total = ({ sql, values }: Sql) =>
      this.#values(`SELECT count(*) FROM shared s WHERE ${sql}`, values)[0] as number;
    return this.#write({
      total: total(both),
      anyCategory: total(onPlatform),
      categories: this.#counts("s.category", "shared s", onPlatform),
      signals: this.#counts("v.value", "shared s JOIN capability v ON v.rank = s.rank", both),
      platforms: this.#counts("v.value", "shared s JOIN platform v ON v.rank = s.rank", inCategory),
    });
  }

  suggest({ q }: SuggestionsQuery): Uint8Array {
    const piece = fold(q);
    const { sql, values } = holding(q, "b.rank", 2);
    const ordered = `SELECT b.suggestion FROM body b JOIN listing l ON l.rank = b.rank WHERE ${sql}
      ORDER BY CASE WHEN b.host = ?1 THEN 0 WHEN b.name = ?1 THEN 1
        WHEN substr(b.host, 1, length(?1)) = ?1 OR substr(b.name, 1, length(?1)) = ?1 THEN 2
        ELSE 3 END, l."host place" LIMIT 5`;
    const found = this.#values(ordered.replaceAll("?1", "?"), [
      ...values,
      ...Array.from({ length: 6 }, () => piece),
    ]);
    return suggestionsBody(found as string[]);
  }

  #values(sql: string, values: readonly unknown[]): unknown[] {
    return this.#statements
      .one(sql)
      .pluck()
      .all(...values);
  }

  #counts(value: string, from: string, { sql, values }: Sql): Map<string, number> {
    const grouped = `SELECT ${value}, count(*) FROM ${from} WHERE ${sql} GROUP BY 1`;
    return new Map(
      this.#statements
        .one(grouped)
        .raw()
        .all(...values) as [string, number][],
    );
  }
}

/** A request's filters as conditions on a listing. */
function conditions(query: ListingFilters, without: readonly Kind[], listing = "l"): Sql {
  const parts: string[] = ["TRUE"];
  const bound: unknown[] = [];
  const add = (sql: string, values: readonly unknown[]) => {
    parts.push(sql);
    bound.push(...values);
  };
  const marks = (values: readonly unknown[]) => values.map(() => "?").join();
  const { q, category, band, status, minScore, maxScore, capability = [] } = query;
  if (category !== undefined && !without.includes("category")) {
    add(`${listing}.category IN (${marks(category)})`, category);
  }
  if (band !== undefined) add(`${listing}.band IN (${marks(band)})`, band);
  if (status !== undefined) add(`${listing}.status = ?`, [status]);
  if (minScore !== undefined) add(`${listing}.score >= ?`, [minScore]);
  if (maxScore !== undefined) add(`${listing}.score <= ?`, [maxScore]);
  for (const kind of ["tag", "platform"] as const) {
    const values = without.includes(kind) ? undefined : query[kind];
    if (values === undefined) continue;
    add(`${listing}.rank IN (SELECT rank FROM ${kind} WHERE value IN (${marks(values)}))`, values);
  }
  for (const id of capability) {
    add(`${listing}.rank IN (SELECT rank FROM capability WHERE value = ?)`, [id]);
  }
  if (q !== undefined) {
    const { sql, values } = holding(q, `${listing}.rank`, 3);
    add(sql, values);
  }
  return { sql: parts.join(" AND "), values: bound };
}

/** That a field of a listing holds a text: FTS5 knows pieces of three characters and more. */
function holding(text: string, rank: string, fields: 2 | 3): Sql {
  const piece = fold(text);
  if (Array.from(piece).length >= 3) {
    const columns = fields === 3 ? "" : "{host name} : ";
    const phrase = `${columns}"${piece.replaceAll('"', '""')}"`;
    return { sql: `${rank} IN (SELECT rowid FROM text WHERE text MATCH ?)`, values: [phrase] };
  }
  const columns = ["host", "name", "tagline"].slice(0, fields);
  const held = columns.map((column) => `instr(${column}, ?)`).join(" OR ");
  const sql = `${rank} IN (SELECT rank FROM body WHERE ${held})`;
  return { sql, values: columns.map(() => piece) };
}
