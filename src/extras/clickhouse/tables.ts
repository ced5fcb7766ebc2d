import type { RankedSort } from "../../contract/sorts.js";
import { randomName } from "../../files/random-name.js";
import { away, type ClickHouse, LostTableError } from "./connection.js";

/*
 * The tables of one content. Their names carry its id, and a table gets its name only once it is complete: fillers
 * write into tables with other names, and rename them. Equal contents make equal tables, so it does not matter which
 * filler comes first. The comment of each table says when a server last used it.
 */

/** Raised when the tables of a content would have other rows, columns or folded texts. */
const LAYOUT = 4;

export const PARTS = ["words", "terms", "listings"] as const;
type TablePart = (typeof PARTS)[number];
/** Names made of a content id and a random name, both hexadecimal digits. */
export type Tables = Readonly<Record<TablePart, string>>;

export type TableRows = Readonly<Record<TablePart, number>>;

const OWN_NAME = /^crawldex\d+_[0-9a-f]{32}_(?:[0-9a-f]{32}_)?(?:words|terms|listings|rows)$/;
const CONTENT = /^[0-9a-f]{32}$/;
/** Seconds since 1970 when a server last used a table; then the rows of all three, if they are complete. */
const COMMENT = /^used (\d+)(?: rows (\d+) (\d+) (\d+))?$/;

/** Milliseconds after which a table that no server uses is dropped, and between two notes of a server that uses it. */
const GRACE_MS = 3_600_000;
export const NOTE_MS = GRACE_MS / 4;

/** @throws TypeError if the id is not valid: it becomes part of statements */
export function tablesOf(content: string): Tables {
  return tableNames(content, "");
}

/** The tables of a filler, and the one for the rows that it uploads. */
export function ownTablesOf(content: string): Tables & { readonly rows: string } {
  const own = `_${randomName()}`;
  return { ...tableNames(content, own), rows: `crawldex${LAYOUT}_${content}${own}_rows` };
}

function tableNames(content: string, own: string): Tables {
  if (!CONTENT.test(content)) throw new TypeError("the content of a snapshot has no valid id");
  const name = (part: TablePart) => `crawldex${LAYOUT}_${content}${own}_${part}`;
  return { words: name("words"), terms: name("terms"), listings: name("listings") };
}

/** The listings that are read together, and that an index skips together. */
export const GRANULE_ROWS = 128;

const ROW_COLUMNS = `
  host String, json String CODEC(ZSTD),
  values Array(LowCardinality(String)), exempt Array(LowCardinality(String))`;

/** The statements that create a filler's tables. */
export function creationOf({ words, terms, listings, rows }: ReturnType<typeof ownTablesOf>) {
  const comment = `COMMENT '${commentAt(Date.now())}'`;
  return [
    `CREATE TABLE ${rows} (
       id UInt64, score UInt8, recent String, name String, tagline String, ${ROW_COLUMNS})
     ENGINE = MergeTree ORDER BY host ${comment}`,
    // A text ends with a byte that no UTF-8 has, so no match spans two fields. Most searches read all texts:
    // uncompressed texts take two thirds of the time and a tenth more disk space. A page reads summaries that lie far
    // apart, each with its whole granule: granules of 128 rows take a quarter of the time of granules of 1,024.
    `CREATE TABLE ${listings} (
       number UInt32, ${ranks.map(({ column }) => `${column} UInt32`).join(", ")}, ${ROW_COLUMNS},
       title String CODEC(NONE), text String CODEC(NONE),
       INDEX hosts host TYPE bloom_filter(0.001) GRANULARITY 8,
       INDEX titles title TYPE text(tokenizer = ngrams(3)),
       INDEX texts text TYPE text(tokenizer = ngrams(3))
     ) ENGINE = MergeTree ORDER BY number
     SETTINGS index_granularity = ${GRANULE_ROWS} ${comment}`,
    // A row is read without its neighbours: each may be a large set.
    `CREATE TABLE ${terms} (term String, listings AggregateFunction(groupBitmap, UInt32))
     ENGINE = MergeTree ORDER BY term SETTINGS index_granularity = 1 ${comment}`,
    `CREATE TABLE ${words} (place UInt32, word String, count UInt32)
     ENGINE = MergeTree ORDER BY place ${comment}`,
  ];
}

/** By sort, the column that has a listing's rank, and the columns of `rankingOf` that it is ordered by. */
export const RANKS: Readonly<Record<RankedSort, { readonly column: string; readonly by: string }>> =
  {
    "score-asc": { column: "score_asc", by: "worst, host" },
    host: { column: "host_rank", by: "host" },
    recent: { column: "recent_rank", by: "latest DESC, host" },
  };
const ranks = Object.values(RANKS);

/**
 * Numbers the rows, as the engine in memory does (engine/ranking.ts). Hosts and instants are ASCII, whose order
 * by byte is that by code unit. Of several rows of a host, the one with the highest id counts. ClickHouse sorts what
 * it inserts block by block: sorting all rows together took more than 12 GB for 10,000,000.
 */
export function rankingOf({ listings, rows }: ReturnType<typeof ownTablesOf>): string {
  return `
    INSERT INTO ${listings}
    SELECT number, ${ranks.map(({ column }) => column).join(", ")},
      host, json, values, exempt,
      concat(host, '\\xff', name, '\\xff'), concat(host, '\\xff', name, '\\xff', tagline, '\\xff')
    FROM ${rows}
    INNER JOIN (
      SELECT kept AS id,
        row_number() OVER (ORDER BY best DESC, host) - 1 AS number,
        ${ranks.map(({ column, by }) => `row_number() OVER (ORDER BY ${by}) - 1 AS ${column}`).join(", ")}
      FROM (
        SELECT max(id) AS kept, host, argMax(recent, id) AS latest,
          argMax(if(score = ${NO_SCORE}, -1, toInt16(score)), id) AS best, argMax(score, id) AS worst
        FROM ${rows} GROUP BY host
      )
    ) AS ranks USING id`;
}

/** In the tables, the score of a listing that has none. It comes last where scores ascend. */
export const NO_SCORE = 255;

/** The term that all listings have. */
export const ALL = "all:";

export function termFillingOf({ terms, listings }: Tables): string {
  return `
    INSERT INTO ${terms}
    SELECT term, groupBitmapState(number)
    FROM (SELECT number, arrayJoin(arrayPushBack(values, '${ALL}')) AS term FROM ${listings})
    GROUP BY term`;
}

/** Gives a filler's tables their names. A table that already has the name is equal. @throws StoreAwayError */
export async function publishTables(
  connection: ClickHouse,
  from: Tables,
  to: Tables,
  rows: TableRows,
): Promise<void> {
  for (const part of PARTS) {
    await connection.run(
      `ALTER TABLE ${from[part]} MODIFY COMMENT '${commentAt(Date.now(), rows)}'`,
    );
    try {
      await connection.run(`RENAME TABLE ${from[part]} TO ${to[part]}`);
    } catch (error) {
      if ((await readComment(connection, to[part])) === null) throw error;
    }
  }
}

/**
 * Notes that a server uses the tables.
 * @returns their rows; null if they do not exist. Drops them if they have other rows than when they were filled, and
 * returns null
 * @throws StoreAwayError
 */
export async function noteUse(connection: ClickHouse, tables: Tables): Promise<TableRows | null> {
  // This table is renamed last. While it is missing, another filler may still be renaming the others.
  const found = await readComment(connection, tables.listings);
  if (found === null) return null;
  const rows = found.rows && (await countedRows(connection, tables, found.rows));
  if (rows === null) await dropTables(connection, PARTS.map((part) => tables[part]).reverse());
  return rows;
}

/** Notes the use of tables. @returns their rows; null if they are not those that they should have */
async function countedRows(
  connection: ClickHouse,
  tables: Tables,
  rows: TableRows,
): Promise<TableRows | null> {
  try {
    for (const part of PARTS) {
      const comment = commentAt(Date.now(), rows);
      await connection.run(`ALTER TABLE ${tables[part]} MODIFY COMMENT '${comment}'`);
    }
    const [counted] = await connection.read<TableRows>(
      `SELECT ${PARTS.map((part) => `(SELECT count() FROM ${tables[part]}) AS ${part}`).join()}`,
    );
    return PARTS.every((part) => Number(counted?.[part]) === rows[part]) ? rows : null;
  } catch (error) {
    if (error instanceof LostTableError) return null;
    throw error;
  }
}

/** Drops tables, ignoring those that do not exist. @throws StoreAwayError */
export async function dropTables(connection: ClickHouse, names: readonly string[]): Promise<void> {
  for (const name of names) await connection.run(`DROP TABLE IF EXISTS ${name} SYNC`);
}

/** Drops all tables that no server has used for the grace time. @throws StoreAwayError */
export async function dropUnused(connection: ClickHouse, graceMs = GRACE_MS): Promise<void> {
  const before = (Date.now() - graceMs) / 1_000;
  const found = await connection.read<{ readonly name: string; readonly comment: string }>(
    `SELECT name, comment FROM system.tables
     WHERE database = currentDatabase() AND startsWith(name, 'crawldex')`,
  );
  const unused = found.filter(({ name, comment }) => {
    const [, used] = COMMENT.exec(comment) ?? [];
    return OWN_NAME.test(name) && used !== undefined && Number(used) < before;
  });
  await dropTables(
    connection,
    unused.map(({ name }) => name),
  );
}

async function readComment(
  connection: ClickHouse,
  name: string,
): Promise<{ readonly rows: TableRows | null } | null> {
  const [found] = await connection.read<{ readonly comment: string }>(
    "SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = {name:String}",
    { name },
  );
  if (found === undefined) return null;
  const [, , words, terms, listings] = COMMENT.exec(found.comment) ?? [];
  if (listings === undefined) return { rows: null };
  return { rows: { words: Number(words), terms: Number(terms), listings: Number(listings) } };
}

function commentAt(ms: number, rows?: TableRows): string {
  const counts = rows === undefined ? "" : ` rows ${PARTS.map((part) => rows[part]).join(" ")}`;
  return `used ${Math.floor(ms / 1_000)}${counts}`;
}

/** Checks that tables still have all rows when they answer. @throws LostTableError */
export function requireRows(
  found: Pick<TableRows, "terms" | "listings">,
  expected: TableRows,
): void {
  if (Number(found.listings) === expected.listings && Number(found.terms) === expected.terms)
    return;
  throw new LostTableError(away("its tables have lost rows").message);
}
