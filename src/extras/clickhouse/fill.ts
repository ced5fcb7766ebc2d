import { itemAt } from "../../contract/tables.js";
import { ListingWords } from "../../engine/corrections.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { textAt } from "../../store/columns/columns.js";
import { FIELDS, type ListingColumns, VALUE_NAMES } from "../../store/columns/listings.js";
import type { Manifest } from "../../store/format.js";
import { segmentsIn } from "../../store/reader.js";
import { clickHouseAccess } from "./address.js";
import { away, ClickHouse, LIMITS } from "./connection.js";
import {
  creationOf,
  dropTables,
  ownTablesOf,
  publishTables,
  rankingOf,
  type TableRows,
  type Tables,
  tablesOf,
  termFillingOf,
} from "./tables.js";

/** The snapshot that tables are filled from. */
export interface FilledFrom {
  /** The address of the server, as a user gives it. */
  readonly address: string;
  /** The folder with the segments' tables. */
  readonly store: string;
  readonly manifest: Pick<Manifest, "content" | "counts" | "segments" | "vocabulary">;
}

/** The distance between the first row ids of neighbouring segments. Ids stay below 2^53 for any number of segments. */
const SEGMENT_ROWS = 2 ** 32;

/**
 * Fills tables with the listings of a snapshot, one segment after another, and publishes them when they are complete.
 * It takes the memory of one segment.
 * @throws BadSnapshotError, StoreAwayError
 */
export async function fillTables({ address, store, manifest }: FilledFrom): Promise<void> {
  const { content, segments, vocabulary, counts } = manifest;
  const connection = new ClickHouse(clickHouseAccess(address));
  const own = ownTablesOf(content);
  try {
    for (const statement of creationOf(own)) await connection.run(statement);
    for (const [number, segment] of segments.entries()) {
      const columns = await segmentsIn(store, [segment], vocabulary).rows(0);
      if (columns.size > 0) await connection.insert(own.rows, rowsOf(columns, number));
    }
    await connection.run(rankingOf(own));
    await connection.run(termFillingOf(own));
    await fillWords(connection, own, counts.searchable);
    const rows = await countRows(connection, own);
    if (rows.listings !== counts.searchable) {
      throw new BadSnapshotError("its tables do not have as many listings as its manifest says");
    }
    await publishTables(connection, own, tablesOf(content), rows);
  } finally {
    await dropTables(connection, Object.values(own)).catch(() => {
      // A later sweep drops them.
    });
    await connection.close();
  }
}

/** The rows of a segment, one at a time. */
function* rowsOf(columns: ListingColumns, segment: number): Generator<object> {
  const { size, units, fields, recents, scores, filters } = columns;
  const folded = (row: number, field: number) => {
    const start = fields[FIELDS * row + field]!;
    return String.fromCharCode(...units.subarray(start, fields[FIELDS * row + field + 1]! - 1));
  };
  const valuesIn = (name: (typeof VALUE_NAMES)[number], row: number) => {
    const { values, starts, places } = filters[name];
    return Array.from(places.subarray(starts[row], starts[row + 1]), (at) => itemAt(values, at));
  };
  for (let row = 0; row < size; row += 1) {
    const score = scores[row]!;
    yield {
      id: segment * SEGMENT_ROWS + row,
      score,
      recent: textAt(recents, row),
      host: folded(row, 0),
      name: folded(row, 1),
      tagline: folded(row, 2),
      json: decoder.decode(columns.summary(row)),
      values: [
        ...TERM_NAMES.flatMap((name) => valuesIn(name, row).map((value) => `${name}:${value}`)),
        `score:${score}`,
      ],
      exempt: valuesIn("exempt", row),
    };
  }
}

const decoder = new TextDecoder();
const TERM_NAMES = VALUE_NAMES.filter((name) => name !== "exempt");

/** Counts the words that corrections choose from, as the engine in memory does. */
async function fillWords(
  connection: ClickHouse,
  { words, listings }: Tables,
  size: number,
): Promise<void> {
  const counted = new ListingWords();
  let read = 0;
  let units = new Uint16Array(1 << 12);
  // No word has a line end.
  const query = `SELECT replaceAll(text, '\\xff', '\\n') AS text FROM ${listings} ORDER BY number`;
  for await (const rows of connection.stream<{ readonly text: string }>(query, LIMITS.fillMs)) {
    for (const { text } of rows) {
      const { length } = text;
      if (length > units.length) units = new Uint16Array(2 * length);
      for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at);
      counted.add(units, 0, length);
    }
    read += rows.length;
  }
  if (read !== size) throw away("its answer is not whole");
  const { texts, counts } = counted.commonest();
  if (texts.length === 0) return;
  await connection.insert(
    words,
    texts.map((word, place) => ({ place, word, count: counts[place] })),
  );
}

async function countRows(connection: ClickHouse, tables: Tables): Promise<TableRows> {
  const [counted] = await connection.read<TableRows>(
    `SELECT (SELECT count() FROM ${tables.words}) AS words, (SELECT count() FROM ${tables.terms}) AS terms,
       (SELECT count() FROM ${tables.listings}) AS listings`,
  );
  const { words = 0, terms = 0, listings = 0 } = counted ?? {};
  return { words: Number(words), terms: Number(terms), listings: Number(listings) };
}
