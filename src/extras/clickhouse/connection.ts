import { Readable } from "node:stream";
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from "@clickhouse/client";
import type { Leaving } from "../../engine/answering.js";
import { codeOf } from "../../files/errors.js";
import { StoreAwayError } from "../../store/bad-snapshot.js";
import type { ClickHouseAccess } from "./address.js";

/** A table is gone, or has lost rows: it must be filled again. */
export class LostTableError extends StoreAwayError {}

/** Limits of a connection. Times in milliseconds. */
export const LIMITS = {
  /** Time for all statements of an answer, from when its request is taken. Beyond: 503. */
  readMs: 4_000,
  /** Time for a statement that reads all listings, for work that several answers share. Beyond: the work fails. */
  streamMs: 600_000,
  /** Time for a statement that fills a table. Beyond: the load fails, and is tried again later. */
  fillMs: 3_600_000,
  /** Statements that run at the same time. */
  runningMax: 16,
  /** Reads that run or wait. Beyond: 503. */
  waitingMax: 256,
  /** Bytes of a list in one parameter. A server takes 128 KiB. */
  parameterBytes: 100_000,
} as const;

/** Error codes of ClickHouse: the table or the database does not exist. */
const LOST_CODES: readonly string[] = ["60", "81"];

/**
 * Whatever a user's profile says, an answer is complete or an error: no limit cuts it short. A server stops reading for
 * a client that has left only if the statement is read-only.
 */
const READ_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  readonly: "2",
  cancel_http_readonly_queries_on_client_close: 1,
  max_execution_time: LIMITS.readMs / 1_000,
  timeout_overflow_mode: "throw",
  read_overflow_mode: "throw",
  set_overflow_mode: "throw",
  result_overflow_mode: "throw",
  group_by_overflow_mode: "throw",
  sort_overflow_mode: "throw",
  distinct_overflow_mode: "throw",
  limit: "0",
  offset: "0",
  output_format_json_quote_64bit_integers: 0,
};

/** For rows that are sent as they are read. An answer that is cut short has too few rows, or is not JSON. */
const STREAM_SETTINGS: ClickHouseSettings = {
  ...READ_SETTINGS,
  wait_end_of_query: 0,
  max_execution_time: LIMITS.fillMs / 1_000,
};

/** Progress in headers keeps the connection of a long statement alive through any proxy. */
const FILL_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: "10000",
  max_execution_time: LIMITS.fillMs / 1_000,
};

/** Values for the placeholders `{name:Type}` of a statement. */
export type StatementValues = Readonly<
  Record<string, string | number | readonly (string | number)[]>
>;

/**
 * Asks one ClickHouse server. Every failure is a StoreAwayError, whose message has no text of a statement. Texts of
 * requests get into statements only as parameters.
 */
export class ClickHouse {
  readonly #client: ClickHouseClient;
  #waiting = 0;

  constructor(access: ClickHouseAccess) {
    this.#client = createClient({
      ...access,
      application: "crawldex",
      // Each call has its own deadline.
      request_timeout: LIMITS.fillMs,
      max_open_connections: LIMITS.runningMax,
      use_multipart_params_auto: true,
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /**
   * Runs a SELECT that a client waits for.
   * @param signal cancels it. Default: its own deadline
   * @throws StoreAwayError
   */
  async read<Row>(
    query: string,
    values: StatementValues = {},
    signal = deadline(),
  ): Promise<Row[]> {
    if (this.#waiting >= LIMITS.waitingMax) throw away("too many requests wait for it");
    this.#waiting += 1;
    try {
      signal.throwIfAborted();
      const asked = { query, query_params: { ...values }, abort_signal: signal };
      const result = await this.#client.query({
        ...asked,
        format: "JSON",
        clickhouse_settings: READ_SETTINGS,
      });
      return (await result.json<Row>()).data;
    } catch (error) {
      throw awayError(error, signal, LIMITS.readMs);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Runs a statement that has no result. @throws StoreAwayError */
  async run(query: string): Promise<void> {
    await this.#filling((abort_signal) =>
      this.#client.command({ query, abort_signal, clickhouse_settings: FILL_SETTINGS }),
    );
  }

  /** Inserts rows, which are read as they are sent. @throws StoreAwayError, or what `rows` throws */
  async insert(table: string, rows: Iterable<object>): Promise<void> {
    await this.#filling((abort_signal) =>
      this.#client.insert({
        table,
        abort_signal,
        clickhouse_settings: FILL_SETTINGS,
        values: Readable.from(rows, { objectMode: true }),
        format: "JSONEachRow",
      }),
    );
  }

  /** Reads the rows of a SELECT of any length, part by part. @throws StoreAwayError */
  async *stream<Row>(query: string, limitMs: number = LIMITS.streamMs): AsyncGenerator<Row[]> {
    const signal = AbortSignal.timeout(limitMs);
    try {
      const result = await this.#client.query({
        query,
        abort_signal: signal,
        format: "JSONEachRow",
        clickhouse_settings: STREAM_SETTINGS,
      });
      for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json());
    } catch (error) {
      throw awayError(error, signal, limitMs);
    }
  }

  async #filling(action: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const signal = AbortSignal.timeout(LIMITS.fillMs);
    try {
      await action(signal);
    } catch (error) {
      throw awayError(error, signal, LIMITS.fillMs);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** A signal that ends all statements of an answer: at the deadline, or when its client has left. */
export function deadline(leaving?: Leaving): AbortSignal {
  const end = AbortSignal.timeout(LIMITS.readMs);
  return leaving === undefined ? end : AbortSignal.any([end, leaving()]);
}

/** @param signal the one that may have ended the statement, at the latest after `limitMs` milliseconds */
function awayError(error: unknown, signal: AbortSignal, limitMs: number): Error {
  if (error instanceof ClickHouseError) {
    const { code, type = "unknown" } = error;
    const why = `it answered with error ${code} (${type})`;
    return LOST_CODES.includes(code) ? new LostTableError(message(why)) : away(why);
  }
  if (signal.aborted) return endedError(signal, limitMs);
  const code = codeOf(error);
  // An answer that is not JSON was cut short.
  if (error instanceof SyntaxError) return away("its answer is not whole");
  return away(code === undefined ? "the connection has ended" : `${code}`);
}

/** The error of a statement, or of an answer, that its signal has ended. */
export function endedError({ reason }: AbortSignal, limitMs: number = LIMITS.readMs): Error {
  const isLate = reason instanceof Error && reason.name === "TimeoutError";
  return away(isLate ? `no whole answer in ${limitMs / 1_000} s` : "the client has left");
}

function message(why: string): string {
  return `ClickHouse cannot answer: ${why}`;
}

export function away(why: string): StoreAwayError {
  return new StoreAwayError(message(why));
}
