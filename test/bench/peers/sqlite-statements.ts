import { fold } from "../engine/text.js";
import type { Sql } from "./sqlite-conditions.js";
import type { Database, Statement } from "./sqlite-schema.js";

/** Prepared statements by their text. */
export class Statements {
  readonly #db: Database;
  readonly #prepared = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  one(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

/** Characters from which FTS5's trigrams answer; shorter texts are grams themselves. */
const FTS_MIN = 4;

/** The numbers of the listings that hold a text, as `t`, and the column they are in; null where none can. */
export function textSource(
  text: string,
  grams: ReadonlyMap<string, number>,
  [fts, postings]: readonly [fts: string, postings: string],
): (Sql & { readonly number: string }) | null {
  const piece = fold(text);
  if (Array.from(piece).length >= FTS_MIN) {
    const phrase = `"${piece.replaceAll('"', '""')}"`;
    return { sql: `${fts} t WHERE t.${fts} MATCH ?`, values: [phrase], number: "t.rowid" };
  }
  const gram = grams.get(piece);
  if (gram === undefined) return null;
  return { sql: `${postings} t WHERE t.gram = ?`, values: [gram], number: "t.number" };
}
