import type { SiteSummary } from "../../../src/contract/listing.js";
import { type Catalog, requirePeer, SORTS } from "./catalog.js";

/** What is used of better-sqlite3. */
export interface Statement {
  run(...values: unknown[]): { changes: number };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  pluck(): Statement;
  raw(): Statement;
  safeIntegers(): Statement;
}
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
}

/** A property by which listings are filtered; its values are the bits of a column. */
export const KINDS = ["category", "tag", "platform", "capability", "band", "status"] as const;
export type Kind = (typeof KINDS)[number];

/** No listing has more values of a kind than bits that SQLite's integers and this leave exact. */
const BITS_MAX = 52;
/** Counts summed at once: three to an integer, 20 bits each. */
export const PACKED = 3;
export const PACKED_BITS = 20;

/** Values of a kind: their bits, the number of their posting, and how many listings have them. */
export interface ValueTable {
  readonly bits: ReadonlyMap<string, number>;
  readonly base: number;
  readonly counts: readonly number[];
}

export interface Schema {
  readonly db: Database;
  readonly tables: Readonly<Record<Kind, ValueTable>>;
  /** Listings by gram of one to three characters, of any field and of host and name. */
  readonly grams: ReadonlyMap<string, number>;
  readonly titleGrams: ReadonlyMap<string, number>;
}

/** No category, as a value. */
const NONE = "";

export function valuesOf(summary: SiteSummary): Record<Kind, readonly string[]> {
  return {
    category: [summary.category?.slug ?? NONE],
    tag: summary.tags.map(({ slug }) => slug),
    platform: summary.platforms,
    capability: summary.capabilities,
    band: summary.latestBand === null ? [] : [summary.latestBand],
    status: [summary.status],
  };
}

/** A database in memory that keeps no journal. */
export function openDatabase(): Database {
  const Sqlite = requirePeer<new (path: string) => Database>("better-sqlite3");
  const db = new Sqlite(":memory:");
  db.exec(`PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2000000; PRAGMA locking_mode = EXCLUSIVE;`);
  return db;
}

const MASKS = KINDS.join(", ");
const PLACES = "score_asc, host, recent";

/**
 * All tables: narrow rows for filters, with an index covering them in each order; a posting for each value,
 * covering too; packed counters for facets; bodies ready made; FTS5 for texts of four characters and more,
 * postings of grams for shorter ones.
 */
export function buildSchema(catalog: Catalog): Schema {
  const db = openDatabase();
  db.exec("BEGIN");
  const tables = numberValues(catalog);
  writeItems(db, catalog, tables);
  writeFacts(db, catalog, tables);
  writeBodies(db, catalog);
  const grams = writeGrams(db, "gram", catalog, 3, (number) => number);
  const place = (number: number) => catalog.entries[number]!.places.host;
  const titleGrams = writeGrams(db, "title_gram", catalog, 2, place);
  db.exec("COMMIT; ANALYZE; PRAGMA query_only = 1;");
  return { db, tables, grams, titleGrams };
}

function numberValues({ entries }: Catalog): Schema["tables"] {
  let base = 0;
  const tables = KINDS.map((kind) => {
    const bits = new Map<string, number>();
    const counts: number[] = [];
    for (const { summary } of entries) {
      for (const value of valuesOf(summary)[kind]) {
        const bit = bits.get(value) ?? bits.size;
        bits.set(value, bit);
        counts[bit] = (counts[bit] ?? 0) + 1;
      }
    }
    if (bits.size > BITS_MAX) throw new Error(`${kind} has more than ${BITS_MAX} values`);
    const table = { bits, base, counts };
    base += bits.size;
    return table;
  });
  const [category, tag, platform, capability, band, status] = tables;
  return {
    category: category!,
    tag: tag!,
    platform: platform!,
    capability: capability!,
    band: band!,
    status: status!,
  };
}

function maskOf({ bits }: ValueTable, values: readonly string[]): number {
  return values.reduce((mask, value) => mask + 2 ** bits.get(value)!, 0);
}

function masksOf(summary: SiteSummary, tables: Schema["tables"]): number[] {
  const values = valuesOf(summary);
  return KINDS.map((kind) => maskOf(tables[kind], values[kind]));
}

function writeItems(db: Database, { entries }: Catalog, tables: Schema["tables"]): void {
  const integers = (names: string) => names.split(", ").map((name) => `${name} INTEGER NOT NULL`);
  const columns = [...integers(PLACES), ...integers(MASKS)].join();
  db.exec(`CREATE TABLE item (rank INTEGER PRIMARY KEY, ${columns});
    CREATE TABLE posting (value INTEGER NOT NULL, rank INTEGER NOT NULL, bit INTEGER NOT NULL,
      ${columns}, PRIMARY KEY (value, rank)) WITHOUT ROWID;`);
  const item = db.prepare(`INSERT INTO item VALUES (?, ${"?, ".repeat(8)}?)`);
  const rows: [value: number, rank: number, bit: number, rest: readonly number[]][] = [];
  for (const [rank, { summary, places }] of entries.entries()) {
    const rest = [places["score-asc"], places.host, places.recent, ...masksOf(summary, tables)];
    item.run(rank, ...rest);
    const values = valuesOf(summary);
    for (const kind of KINDS) {
      for (const value of values[kind]) {
        const bit = tables[kind].bits.get(value)!;
        rows.push([tables[kind].base + bit, rank, 2 ** bit, rest]);
      }
    }
  }
  rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const posting = db.prepare(`INSERT INTO posting VALUES (?, ?, ?, ${"?, ".repeat(8)}?)`);
  for (const [value, rank, bit, rest] of rows) posting.run(value, rank, bit, ...rest);
  for (const sort of SORTS.slice(1)) {
    const place = sort.replace("-", "_");
    db.exec(`CREATE INDEX by_${place} ON item (${place}, rank, ${MASKS})`);
  }
}

/** The names of a kind's packed counters. */
export function packsOf(kind: Kind, { bits }: ValueTable): string[] {
  return Array.from({ length: Math.ceil(bits.size / PACKED) }, (_, at) => `${kind}${at}`);
}

/** The kinds that facets count. */
export const COUNTED = ["category", "platform", "capability"] as const;

function writeFacts(db: Database, { entries }: Catalog, tables: Schema["tables"]): void {
  const packs = COUNTED.flatMap((kind) => packsOf(kind, tables[kind]));
  const columns = [...KINDS, ...packs].map((name) => `${name} INTEGER NOT NULL`);
  db.exec(`CREATE TABLE fact (rank INTEGER PRIMARY KEY, ${columns.join()})`);
  const insert = db.prepare(`INSERT INTO fact VALUES (?${", ?".repeat(columns.length)})`);
  for (const [rank, { summary }] of entries.entries()) {
    const values = valuesOf(summary);
    const packed = COUNTED.flatMap((kind) => {
      const sums = packsOf(kind, tables[kind]).map(() => 0);
      for (const value of values[kind]) {
        const bit = tables[kind].bits.get(value)!;
        sums[Math.floor(bit / PACKED)]! += 2 ** ((bit % PACKED) * PACKED_BITS);
      }
      return sums;
    });
    insert.run(rank, ...masksOf(summary, tables), ...packed);
  }
}

function writeBodies(db: Database, { entries, orders }: Catalog): void {
  const options = `tokenize = 'trigram case_sensitive 1', content = '', columnsize = 0`;
  db.exec(`CREATE TABLE body (rank INTEGER PRIMARY KEY, summary TEXT NOT NULL);
    CREATE TABLE title (place INTEGER PRIMARY KEY, host TEXT NOT NULL, name TEXT,
      suggestion TEXT NOT NULL);
    CREATE VIRTUAL TABLE text USING fts5(host, name, tagline, ${options});
    CREATE VIRTUAL TABLE title_text USING fts5(host, name, ${options});`);
  const body = db.prepare("INSERT INTO body VALUES (?, ?)");
  const text = db.prepare("INSERT INTO text (rowid, host, name, tagline) VALUES (?, ?, ?, ?)");
  for (const [rank, { summaryJson, folded }] of entries.entries()) {
    body.run(rank, summaryJson);
    text.run(rank, ...folded);
  }
  const title = db.prepare("INSERT INTO title VALUES (?, ?, ?, ?)");
  const titleText = db.prepare("INSERT INTO title_text (rowid, host, name) VALUES (?, ?, ?)");
  for (const [place, number] of orders.host.entries()) {
    const { folded, suggestionJson } = entries[number]!;
    title.run(place, folded[0], folded[1] || null, suggestionJson);
    titleText.run(place, folded[0], folded[1]);
  }
  db.exec(`CREATE UNIQUE INDEX title_host ON title (host);
    CREATE INDEX title_name ON title (name, place) WHERE name IS NOT NULL;
    INSERT INTO text (text) VALUES ('optimize'); INSERT INTO title_text (title_text) VALUES ('optimize');`);
}

/** Writes postings of grams of one to three characters. @returns each gram's number */
function writeGrams(
  db: Database,
  table: string,
  { entries }: Catalog,
  fields: 2 | 3,
  numberOf: (number: number) => number,
): Map<string, number> {
  const postings = new Map<string, number[]>();
  for (const [number, { folded }] of entries.entries()) {
    const grams = new Set<string>();
    for (const field of folded.slice(0, fields)) addGrams(Array.from(field), grams);
    for (const gram of grams) {
      const known = postings.get(gram);
      if (known === undefined) postings.set(gram, [numberOf(number)]);
      else known.push(numberOf(number));
    }
  }
  db.exec(`CREATE TABLE ${table} (gram INTEGER NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (gram, number)) WITHOUT ROWID`);
  const insert = db.prepare(`INSERT INTO ${table} SELECT ?, value FROM json_each(?)`);
  const numbers = new Map<string, number>();
  for (const [gram, listings] of postings) {
    numbers.set(gram, numbers.size);
    insert.run(numbers.get(gram), JSON.stringify(listings.sort((a, b) => a - b)));
  }
  return numbers;
}

function addGrams(points: readonly string[], grams: Set<string>): void {
  for (let at = 0; at < points.length; at += 1) {
    let gram = "";
    for (const point of points.slice(at, at + 3)) {
      gram += point;
      grams.add(gram);
    }
  }
}
