import { availableParallelism } from "node:os";
import { installedExtras } from "../extra.js";
import {
  callback,
  checkedOptions,
  FLAG,
  FOLDER,
  flag,
  type OptionTable,
  optional,
  type Rule,
  wholeNumber,
  withDefault,
} from "../lib/options.js";
import type { ExtraVerifyOptions } from "../store/signers.js";
import type { Log } from "./observer.js";

/** Options of `serve` that extras bring. Each declares its own into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: without extras it is empty
export interface ExtraServeOptions {}

/** Options of `serve`. */
export interface ServeOptions extends ExtraServeOptions, ExtraVerifyOptions {
  /** TCP port; 0 takes a free one. Default: 3000. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: "127.0.0.1". */
  readonly host?: string | undefined;
  /** Megabytes (2^20 bytes) of answers that the server may cache in memory; 0 caches none. Default: 64. */
  readonly cacheMb?: number | undefined;
  /**
   * Threads that answer at the same address, and share one index and the megabytes of `cacheMb`; 0 takes one for each
   * core. Default: 1.
   */
  readonly threads?: number | undefined;
  /**
   * The folder for what the server keeps for its next start: the index, and the files of a store that is not in a
   * folder. Default: `.index` in the store, unless signatures are checked; for the files of a store at an address, see
   * docs/serving.md.
   */
  readonly cacheDir?: string | undefined;
  /** Whether the server answers at `/metrics`. Default: false. */
  readonly metrics?: boolean | undefined;
  /** Whether each request is logged to stdout as a line of JSON. Default: false. */
  readonly requestLog?: boolean | undefined;
  /** Receives messages for the operator. Default: none are kept. */
  readonly log?: Log | undefined;
}

const ADDRESS: Rule<string> = {
  expected: "an IP address or the name of a host",
  accepts: (value): value is string => typeof value === "string" && /^[\w.:%-]+$/.test(value),
};
/** A TCP port; 0 takes a free one. */
export const PORT = wholeNumber(0, 65_535);

const THREADS_MAX = 64;

export const SERVE = {
  port: withDefault(PORT, 3000, {
    flags: "-p, --port <number>",
    help: "TCP port; 0 picks a free one",
    env: "PORT",
  }),
  host: withDefault(ADDRESS, "127.0.0.1", {
    flags: "--host <address>",
    help: "address to listen on",
    env: "HOST",
  }),
  cacheMb: withDefault(wholeNumber(0, 65_536), 64, {
    flags: "--cache-mb <size>",
    help: "megabytes of answers kept in memory",
  }),
  threads: withDefault(wholeNumber(0, THREADS_MAX), 1, {
    flags: "--threads <count>",
    help: "threads that answer, on one index; 0 takes one for each core",
    env: "CRAWLDEX_THREADS",
  }),
  cacheDir: optional(FOLDER, {
    flags: "--cache-dir <folder>",
    help: "where the index, and the files of a store at an address, are kept for the next start",
  }),
  metrics: flag("--metrics", "serve metrics for Prometheus at /metrics"),
  /** The command line has `--log json`. */
  requestLog: withDefault(FLAG, false),
  log: withDefault(callback<Log>(), () => {}),
} satisfies OptionTable<Omit<ServeOptions, keyof ExtraServeOptions | keyof ExtraVerifyOptions>>;

/** Checks the options of `serve`. @returns the options with their defaults @throws TypeError */
export function serveSettings(options: ServeOptions) {
  const checked = checkedOptions("serve", options, SERVE);
  const { cacheMb, threads: given, ...rest } = checked;
  const threads = given === 0 ? availableParallelism() : given;
  const cacheBytes = cacheMb * 1024 * 1024;
  const answering = { ...rest, threads, without: switchedOff(rest), cacheBytes };
  return { checked, answering };
}

/** Whether a store's name is an address, as no folder's path is. */
export function isAddress(store: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(store);
}

/** The names of the extras that an option of the same name switches off. */
function switchedOff(options: Readonly<Record<string, unknown>>): string[] {
  return installedExtras().flatMap(({ name }) => (options[name] === false ? name : []));
}
