import { FACET_FILTERS } from "../../contract/filters.js";
import { LIMITS } from "../../contract/limits.js";
import type { Vocabulary } from "../../contract/listing.js";
import { foldText } from "../../contract/order.js";
import type { ListingFilters, SearchQuery } from "../../contract/query.js";
import type {
  AnswerEngine,
  CountedFacets,
  DatedHost,
  Found,
  FoundPage,
  Leaving,
  ScoreRubric,
  StoredSummary,
} from "../../engine/answering.js";
import { correctLater, type WordTree } from "../../engine/corrections.js";
import { countedFacet, type FacetTerms, facetTermsOf } from "../../engine/facets.js";
import {
  away,
  type ClickHouse,
  deadline,
  endedError,
  LostTableError,
  type StatementValues,
} from "./connection.js";
import { countsByValue, type FacetRow, facetColumns, facetScoresOf } from "./facet-columns.js";
import { CONDITIONS, containing, isAmong, QuerySets } from "./sets.js";
import { GRANULE_ROWS, RANKS, requireRows, type TableRows, type Tables } from "./tables.js";

/** Everything that an engine answers from. */
export interface ClickHouseSource {
  readonly connection: ClickHouse;
  readonly tables: Tables;
  readonly rows: TableRows;
  readonly scored: number;
  readonly words: WordTree;
  readonly vocabulary: Vocabulary;
  /** Called when the tables are gone, or have lost rows. */
  readonly onLost: () => void;
}

/** For a search that ends with its first hit. With larger blocks, it would read far beyond and take twice as long. */
const FIRST_HIT = "SETTINGS max_block_size = 1024, max_threads = 1";

/**
 * ClickHouse returns bitmaps of up to 32 numbers unsorted. At least this many are sorted here, in case it raises that
 * limit.
 */
const UNSORTED_MAX = 1_024;

/** Values of listings with the listings' numbers, in no particular order. */
type ByNumber<Value> = readonly (readonly [number: number, value: Value])[];

/** The row of a search. */
interface SearchRow {
  /** The number of listings found, and the number of listings that contain the text. */
  readonly total: number;
  readonly holding: number;
  /** The numbers of the listings on the page, in their order, and their summaries as JSON. */
  readonly shown: readonly number[];
  readonly summaries: ByNumber<string>;
}

/** A row of a result, with the numbers of rows that the tables had when the statement ran. */
type Counted<Row> = Row & { readonly rows: readonly [listings: number, terms: number] };

/** What all answers of a source share. */
interface Prepared {
  readonly facets: readonly FacetTerms[];
  /** The words that stand in nearly every granule of the table. */
  readonly common: readonly string[];
}

function prepared({ rows, words, vocabulary }: ClickHouseSource): Prepared {
  const least = rows.listings / GRANULE_ROWS;
  const common = [...words].filter(([, count]) => count >= least).map(([word]) => word);
  const facets = FACET_FILTERS.map((filter) => facetTermsOf(filter, vocabulary, []));
  return { facets, common };
}

/**
 * Answers from tables of ClickHouse what the engine in memory would answer. It holds no listing itself. Each read
 * rejects with StoreAwayError while ClickHouse cannot answer, and if a table does not have all its rows.
 */
export class ClickHouseEngine implements AnswerEngine {
  readonly size: number;
  readonly #source: ClickHouseSource;
  readonly #prepared: Prepared;
  readonly #signal: AbortSignal | undefined;

  /** @param signal ends all statements. Default: each statement has a deadline of its own */
  constructor(source: ClickHouseSource, shared = prepared(source), signal?: AbortSignal) {
    this.#source = source;
    this.#prepared = shared;
    this.#signal = signal;
    this.size = source.rows.listings;
  }

  during(leaving?: Leaving): ClickHouseEngine {
    return new ClickHouseEngine(this.#source, this.#prepared, deadline(leaving));
  }

  inTime<T>(work: Promise<T>): Promise<T> {
    const signal = this.#signal;
    if (signal === undefined) return work;
    return new Promise((resolve, reject) => {
      const end = () => reject(endedError(signal));
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
      work.then(resolve, reject);
    });
  }

  async *scoredHosts(): AsyncGenerator<readonly string[]> {
    const { scored } = this.#source;
    const query = `SELECT host FROM ${this.#listings} WHERE number < ${scored} ORDER BY number`;
    for await (const rows of this.#all<{ host: string }>(query, scored))
      yield rows.map(({ host }) => host);
  }

  async *datedHosts(numbers: Uint32Array): AsyncGenerator<readonly DatedHost[]> {
    if (numbers.length === 0) return;
    const { condition, values } = isAmong("number", "UInt32", [...numbers]);
    const { found } = await this.#one<{ found: ByNumber<readonly [string, string]> }>(
      `SELECT groupArray((number, (host, JSONExtractString(json, 'latestScannedAt')))) AS found
       FROM ${this.#listings} WHERE ${condition}`,
      values,
    );
    yield valuesInOrder(numbers, found).map(([host, date]) => ({ host, scannedAt: date || null }));
  }

  async *allSummaries(): AsyncGenerator<readonly StoredSummary[]> {
    const query = `SELECT json FROM ${this.#listings} ORDER BY host_rank`;
    for await (const rows of this.#all<{ json: string }>(query, this.size))
      yield rows.map(({ json }) => encode(json));
  }

  async exemptOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#byHost<string[]>("exempt", hosts);
  }

  async summariesOf(hosts: readonly string[]): Promise<(StoredSummary | undefined)[]> {
    const found = await this.#byHost<string>("json", hosts);
    return hosts.map((host) => {
      const json = found.get(host);
      return json === undefined ? undefined : encode(json);
    });
  }

  async hostsFound(query: ListingFilters): Promise<string[]> {
    const sets = this.#setsOf(query);
    const found = sets.all("found", CONDITIONS);
    const { hosts } = await this.#one<{ hosts: string[] }>(
      `${sets.clause} SELECT arraySort((SELECT groupArray(host) FROM ${this.#listings} WHERE ` +
        `bitmapContains(${found}, number))) AS hosts`,
      sets.values,
    );
    return hosts;
  }

  async search(query: SearchQuery): Promise<FoundPage> {
    const { q, sort, page, limit } = query;
    const sets = this.#setsOf(query);
    const isWhole = !CONDITIONS.some((condition) => sets.has(condition));
    const found = sets.all("found", CONDITIONS);
    const skip = (page - 1) * limit;
    const end = page * limit;
    let numbers =
      `arraySlice(arraySort(bitmapToArray(subBitmap(${found}, 0, {first:UInt64}))), {skip:UInt64} + 1, ` +
      "{limit:UInt64})";
    if (sort !== "score") {
      const rank = RANKS[sort].column;
      const part = isWhole
        ? `${rank} >= {skip:UInt64} AND ${rank} < {end:UInt64} ORDER BY ${rank}`
        : `bitmapContains(${found}, number) ORDER BY ${rank} LIMIT {limit:UInt64} OFFSET {skip:UInt64}`;
      numbers = `(SELECT groupArray(number) FROM (SELECT number FROM ${this.#listings} WHERE ${part}))`;
    }
    const holding = sets.has("q") ? "bitmapCardinality(q_set)" : "0";
    const { total, shown, summaries, ...result } = await this.#one<SearchRow>(
      `${sets.clause}, ${numbers} AS shown
       SELECT bitmapCardinality(${found}) AS total, shown, ${holding} AS holding,
         (SELECT groupArray((number, json)) FROM ${this.#listings}
           WHERE number IN (SELECT arrayJoin(shown))) AS summaries`,
      { ...sets.values, skip, limit, end, first: Math.max(end, UNSORTED_MAX) },
    );
    // The filters alone may have emptied the answer. Only a text that no listing contains needs corrections.
    const isUnknown = q !== undefined && total === 0 && result.holding === 0;
    const didYouMean = isUnknown ? await this.#correct(q, "text") : null;
    return { summaries: valuesInOrder(shown, summaries).map(encode), total, didYouMean };
  }

  async facets(query: ListingFilters, rubric: ScoreRubric | null = null): Promise<CountedFacets> {
    const sets = this.#setsOf(query);
    const columns = facetColumns(sets, rubric);
    const counts = await this.#one<FacetRow>(
      `${sets.clause} SELECT ${columns.join(", ")}`,
      sets.values,
    );
    const facets = this.#prepared.facets.map((terms) => {
      const [among, found] = counts[terms.filter];
      const byValue = countsByValue(found);
      return countedFacet(terms, among, (term) => byValue.get(terms.keys[term] ?? "") ?? 0);
    });
    return { total: counts.total, facets, scores: rubric && facetScoresOf(counts, rubric) };
  }

  async suggest(q: string, corrects = true): Promise<Found> {
    // Host and name are read from the title, which the pattern has read already.
    const { found } = await this.#one<{ found: string[] }>(
      `SELECT groupArray(json) AS found FROM (
         SELECT json FROM ${this.#listings} WHERE title LIKE {pattern:String}
         ORDER BY multiIf(startsWith(title, concat({q:String}, '\\xff')), 0,
           endsWith(title, concat('\\xff', {q:String}, '\\xff')), 1,
           startsWith(title, {q:String}) OR position(title, concat('\\xff', {q:String})) > 0, 2, 3), host_rank
         LIMIT ${LIMITS.suggestionsMax})`,
      { q: foldText(q), pattern: containing(q) },
    );
    const isUnknown = corrects && found.length === 0;
    const didYouMean = isUnknown ? await this.#correct(q, "title") : null;
    return { summaries: found.map(encode), didYouMean };
  }

  #setsOf(query: ListingFilters): QuerySets {
    const isCommon = (q: string) => {
      const text = foldText(q);
      return this.#prepared.common.some((word) => word.includes(text));
    };
    return new QuerySets(this.#source.tables, query, isCommon);
  }

  get #listings(): string {
    return this.#source.tables.listings;
  }

  /** By host, a column's value of each of these hosts that is in search. */
  async #byHost<Value>(
    column: string,
    hosts: readonly string[],
  ): Promise<ReadonlyMap<string, Value>> {
    if (hosts.length === 0) return new Map();
    const { condition, values } = isAmong("host", "String", hosts);
    const { found } = await this.#one<{ found: [host: string, value: Value][] }>(
      `SELECT groupArray((host, ${column})) AS found FROM ${this.#listings} WHERE ${condition}`,
      values,
    );
    return new Map(found);
  }

  async #correct(q: string, column: "text" | "title"): Promise<string[]> {
    const { words } = this.#source;
    const haveAny = async (texts: readonly string[]) => {
      const patterns = Object.fromEntries(texts.map((text, at) => [`q${at}`, containing(text)]));
      const counts = Object.keys(patterns).map(
        (name) =>
          `(SELECT count() FROM (SELECT 1 FROM ${this.#listings} WHERE ${column} LIKE {${name}:String} ` +
          `LIMIT 1 ${FIRST_HIT}))`,
      );
      const { found } = await this.#one<{ found: number[] }>(
        `SELECT [${counts.join()}] AS found`,
        patterns,
      );
      return found.map((count) => count > 0);
    };
    // Each word of the tree is in some listing, but perhaps only in its tagline. Folding may change a folded text
    // again.
    const isHeld = (text: string) =>
      column === "text" && words.has(text) && foldText(text) === text;
    return correctLater(q, words, haveAny, isHeld);
  }

  /** Reads one row, and checks that the tables have all their rows. @throws StoreAwayError */
  async #one<Row>(query: string, values: StatementValues): Promise<Row> {
    const { connection, tables, rows } = this.#source;
    try {
      const [row] = await connection.read<Counted<Row>>(
        `SELECT *, [(SELECT count() FROM ${tables.listings}), (SELECT count() FROM ${tables.terms})] AS rows
         FROM (${query})`,
        values,
        this.#signal,
      );
      if (row === undefined) throw away("its answer is empty");
      requireRows({ listings: row.rows[0], terms: row.rows[1] }, rows);
      return row;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  /** Reads a row of each of `count` listings, part by part. @throws StoreAwayError */
  async *#all<Row>(query: string, count: number): AsyncGenerator<Row[]> {
    let read = 0;
    try {
      for await (const rows of this.#source.connection.stream<Row>(query)) {
        read += rows.length;
        yield rows;
      }
      const { rows } = this.#source;
      requireRows({ ...rows, listings: rows.listings - count + read }, rows);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  #noted(error: unknown): unknown {
    if (error instanceof LostTableError) this.#source.onLost();
    return error;
  }
}

const encoder = new TextEncoder();

function encode(json: string): StoredSummary {
  return encoder.encode(json);
}

/** The values of listings, in the order of these numbers. @throws StoreAwayError if one is missing */
function valuesInOrder<Value>(numbers: Iterable<number>, found: ByNumber<Value>): Value[] {
  const values = new Map(found);
  return Array.from(numbers, (number) => {
    const value = values.get(number);
    if (value === undefined) throw away("a listing is missing");
    return value;
  });
}
