import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { LOAD_LIMITS } from "../../answer/limits.js";
import { addWords, type CommonWords, WordTree } from "../../engine/corrections.js";
import { messageOf } from "../../files/errors.js";
import type { EngineMaker, MadeEngine } from "../../server/load-snapshot.js";
import type { Log } from "../../server/observer.js";
import { Repeating } from "../../server/repeating.js";
import { clickHouseAccess } from "./address.js";
import { away, ClickHouse } from "./connection.js";
import { ClickHouseEngine } from "./engine.js";
import { type FilledFrom, fillTables } from "./fill.js";
import { dropUnused, NOTE_MS, noteUse, type TableRows, tablesOf } from "./tables.js";

/**
 * Makes engines that answer from a ClickHouse server. Each uses the tables of its snapshot's content, and fills them
 * first if no other server has done so.
 * @param address one that CLICKHOUSE_ADDRESS accepts. The password is in the environment
 */
export function clickHouseEngine(address: string, log: Log): EngineMaker {
  const access = clickHouseAccess(address);
  return async ({ store, manifest, bringTables, pause }) => {
    const connection = new ClickHouse(access);
    const tables = tablesOf(manifest.content);
    const ensure = async () => {
      const rows = await noteUse(connection, tables);
      if (rows !== null) return rows;
      await bringTables();
      await fillAside({ address, store, manifest });
      const filled = await noteUse(connection, tables);
      if (filled === null) throw away("its tables were changed while they were filled");
      return filled;
    };
    try {
      const rows = await ensure();
      const words = await readWords(connection, tables.words, pause);
      const scored = await countScored(connection, tables.terms, rows);
      let keeping: Repeating | null = null;
      const keeper = new Keeper(connection, ensure, log);
      const engine = new ClickHouseEngine({
        connection,
        tables,
        rows,
        scored,
        words,
        vocabulary: manifest.vocabulary,
        onLost: () => keeper.isDue() && keeping?.runNow(),
      });
      keeping = new Repeating(
        () => keeper.keep(),
        () => NOTE_MS,
      );
      return { engine, close: closing(keeping, connection) };
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
}

/** The least time between two attempts to fill tables that were lost, in milliseconds. */
const AGAIN_MS = 2_000;

/** Keeps the tables of a content while an engine answers from them. */
class Keeper {
  readonly #connection: ClickHouse;
  readonly #ensure: () => Promise<TableRows>;
  readonly #log: Log;
  #endedAt = performance.now();
  #trouble: string | null = null;

  /** @param ensure notes that the tables are in use, and fills them again if they are gone */
  constructor(connection: ClickHouse, ensure: () => Promise<TableRows>, log: Log) {
    this.#connection = connection;
    this.#ensure = ensure;
    this.#log = log;
  }

  /** Whether the last attempt was long ago. */
  isDue(): boolean {
    return performance.now() - this.#endedAt > AGAIN_MS;
  }

  /** Looks after the tables, and drops those that no server uses. Never rejects. */
  async keep(): Promise<void> {
    let trouble: string | null = null;
    try {
      await this.#ensure();
      await dropUnused(this.#connection);
    } catch (error) {
      trouble = messageOf(error);
    }
    if (trouble !== null && trouble !== this.#trouble) {
      this.#log(`the tables in ClickHouse cannot be kept: ${trouble}`, "trouble");
    }
    this.#trouble = trouble;
    this.#endedAt = performance.now();
  }
}

function closing(keeping: Repeating, connection: ClickHouse): MadeEngine["close"] {
  return () => {
    // A fill that is under way ends by itself.
    void keeping.close().then(() => connection.close());
  };
}

/** Fills tables in another thread, unless there is little to do: other requests are answered meanwhile. */
async function fillAside(work: FilledFrom): Promise<void> {
  const rows = work.manifest.segments.reduce((sum, segment) => sum + segment.rows, 0);
  if (rows <= LOAD_LIMITS.aloneRowsMax) return fillTables(work);
  const { content, counts, segments, vocabulary } = work.manifest;
  const workerData = { ...work, manifest: { content, counts, segments, vocabulary } };
  const worker = new Worker(new URL("./fill-worker.js", import.meta.url), { workerData });
  // An error of the thread rejects this.
  await once(worker, "exit");
}

/** Reads the words that corrections choose from. @throws StoreAwayError */
async function readWords(
  connection: ClickHouse,
  table: string,
  pause: () => Promise<void>,
): Promise<WordTree> {
  const found = await connection.read<{ readonly word: string; readonly count: number }>(
    `SELECT word, count FROM ${table} ORDER BY place`,
  );
  const words: CommonWords = {
    texts: found.map(({ word }) => word),
    counts: Uint32Array.from(found, ({ count }) => count),
  };
  const tree = new WordTree();
  for (const _ of addWords(tree, words)) await pause();
  return tree;
}

/** Counts the listings that have a score. @throws StoreAwayError */
async function countScored(
  connection: ClickHouse,
  table: string,
  { listings }: TableRows,
): Promise<number> {
  const [found] = await connection.read<{ readonly unscored: number }>(
    `SELECT sum(bitmapCardinality(listings)) AS unscored FROM ${table} WHERE term = 'score:255'`,
  );
  return listings - Number(found?.unscored ?? 0);
}
