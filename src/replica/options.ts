import { CLICKHOUSE_ADDRESS } from "../clickhouse/address.js";
import { DURATION, durationMs, HOST, NUMBERS } from "../options/defaults.js";
import {
  callback,
  checkedOptions,
  FLAG,
  FOLDER,
  ruled,
  text,
  wholeNumber,
} from "../options/options.js";
import type { Log } from "../runtime/observe/observer.js";
import { PUBLIC_KEY_TEXTS } from "../signing/options.js";

/** Options of `serve`. */
export interface ServeOptions {
  /** TCP port; 0 takes a free one. Default: 3000. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: "127.0.0.1". */
  readonly host?: string | undefined;
  /** Megabytes (2^20 bytes) of answers that the server may cache in memory; 0 caches none. Default: 64. */
  readonly cacheMb?: number | undefined;
  /** Whether the server answers at `/metrics`. Default: false. */
  readonly metrics?: boolean | undefined;
  /** Whether each request is logged to stdout as a line of JSON. Default: false. */
  readonly requestLog?: boolean | undefined;
  /**
   * Whether each report has a card: a picture of its score that other sites show beside a link. The first card loads
   * the program that draws them, which takes 30 MB. Default: true.
   */
  readonly cards?: boolean | undefined;
  /**
   * Whether the server answers agents over the Model Context Protocol at `/mcp`. The first request loads the program
   * for it, which takes 15 MB. Default: true.
   */
  readonly mcp?: boolean | undefined;
  /**
   * Whether the server keeps a whole copy of a remote store in `cacheDir`, pulls each new snapshot into it, and answers
   * from the copy, so that it starts and answers while the remote store cannot be reached. Default: false, so that only
   * tables are copied, and reports are read when they are requested.
   */
  readonly mirror?: boolean | undefined;
  /**
   * The address of a ClickHouse server that answers searches, such as `clickhouse://user@host/database`; its password
   * is in the environment, in CLICKHOUSE_PASSWORD. Default: an index in memory answers them.
   */
  readonly engine?: string | undefined;
  /**
   * The folder for the files of a remote store. Default: "snapshots" with `mirror`, otherwise one in the system's
   * folder for temporary files.
   */
  readonly cacheDir?: string | undefined;
  /** Whether the origin may redirect pulls to other hosts, as for `pull`. Default: false. */
  readonly allowRedirects?: boolean | undefined;
  /**
   * Seconds between two pulls, which grow to a minute while pulls fail, or between two looks at a remote store; 1 to
   * 86400. Default: 10.
   */
  readonly refreshSeconds?: number | undefined;
  /**
   * How long pulls may fail, such as `10m`, 60s to 366d. Then `/readyz` answers 503 until a pull succeeds; reads are
   * still answered. Default: for ever.
   */
  readonly maxAge?: string | undefined;
  /**
   * One or two public keys. Snapshots that are not signed with one of them, or are older than one that the store has or
   * that was served, are refused: neither pulled nor served. Default: signatures are not checked.
   */
  readonly publicKeys?: readonly string[] | undefined;
  /** Receives messages for the operator. Default: none are kept. */
  readonly log?: Log | undefined;
}

const OPTIONS = {
  port: wholeNumber(NUMBERS.port).default(NUMBERS.port.usual),
  host: text("an address to listen on").default(HOST),
  cacheMb: wholeNumber(NUMBERS.cacheMb).default(NUMBERS.cacheMb.usual),
  metrics: FLAG.default(false),
  requestLog: FLAG.default(false),
  cards: FLAG.default(true),
  mcp: FLAG.default(true),
  mirror: FLAG.default(false),
  engine: ruled(CLICKHOUSE_ADDRESS).optional(),
  cacheDir: FOLDER.optional(),
  allowRedirects: FLAG.default(false),
  refreshSeconds: wholeNumber(NUMBERS.refreshSeconds).default(NUMBERS.refreshSeconds.usual),
  maxAge: ruled(DURATION).optional(),
  publicKeys: PUBLIC_KEY_TEXTS,
  log: callback<Log>().default(() => () => {}),
};

/** Checks the options of `serve`. @returns the options with their defaults @throws TypeError */
export function serveSettings(given: ServeOptions) {
  const { mirror, engine, cacheDir, allowRedirects, cacheMb, refreshSeconds, maxAge, ...rest } =
    checkedOptions("serve", given, OPTIONS);
  const answering = { ...rest, cacheBytes: cacheMb * 1024 * 1024 };
  const refreshMs = refreshSeconds * 1_000;
  const maxAgeMs = maxAge === undefined ? Infinity : durationMs(maxAge);
  return { answering, mirror, engine, cacheDir, allowRedirects, refreshMs, maxAgeMs };
}
