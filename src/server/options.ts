import { installedExtras } from "../extra.js";
import {
  callback,
  checkedOptions,
  DURATION,
  durationMs,
  FLAG,
  FOLDER,
  flag,
  type OptionTable,
  optional,
  type Rule,
  wholeNumber,
  withDefault,
} from "../lib/options.js";
import { PUBLIC_KEYS_OPTION } from "../signing/options.js";
import { optionalPublicKeys } from "../signing/verify.js";
import type { Log } from "./observer.js";

/** Options of `serve` that extras bring. Each declares its own into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: without extras it is empty
export interface ExtraServeOptions {}

/** Options of `serve`. */
export interface ServeOptions extends ExtraServeOptions {
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
   * Whether the server keeps a whole copy of a remote store in `cacheDir`, pulls each new snapshot into it, and answers
   * from the copy, so that it starts and answers while the remote store cannot be reached. Default: false, so that only
   * tables are copied, and reports are read when they are requested.
   */
  readonly mirror?: boolean | undefined;
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

const ADDRESS: Rule<string> = {
  expected: "an IP address or the name of a host",
  accepts: (value): value is string => typeof value === "string" && /^[\w.:%-]+$/.test(value),
};
/** A TCP port; 0 takes a free one. */
export const PORT = wholeNumber(0, 65_535);

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
  metrics: flag("--metrics", "serve metrics for Prometheus at /metrics"),
  mirror: flag("--mirror", "keep a whole copy of a store at an address, and answer from it"),
  cacheDir: optional(FOLDER, {
    flags: "--cache-dir <folder>",
    help: "where the files of a store at an address are kept",
  }),
  allowRedirects: flag("--allow-redirects", "let the server of an address redirect to other hosts"),
  refreshSeconds: withDefault(wholeNumber(1, 86_400), 10, {
    flags: "--refresh-seconds <count>",
    help: "seconds between two pulls, or two looks at a store at an address",
  }),
  maxAge: optional(DURATION, {
    flags: "--max-age <time>",
    help: "not ready at /readyz once pulls have failed for this time, with --mirror",
  }),
  publicKeys: PUBLIC_KEYS_OPTION,
  /** The command line has `--log json`. */
  requestLog: withDefault(FLAG, false),
  log: withDefault(callback<Log>(), () => {}),
} satisfies OptionTable<Omit<ServeOptions, keyof ExtraServeOptions>>;

/** Checks the options of `serve`. @returns the options with their defaults @throws TypeError */
export function serveSettings(given: ServeOptions) {
  const checked = checkedOptions("serve", given, SERVE);
  const { mirror, cacheDir, allowRedirects, cacheMb, refreshSeconds, maxAge, ...rest } = checked;
  optionalPublicKeys(rest.publicKeys);
  const answering = { ...rest, without: switchedOff(rest), cacheBytes: cacheMb * 1024 * 1024 };
  const refreshMs = refreshSeconds * 1_000;
  const maxAgeMs = maxAge === undefined ? Infinity : durationMs(maxAge);
  return { checked, answering, mirror, cacheDir, allowRedirects, refreshMs, maxAgeMs };
}

/** The names of the extras that an option of the same name switches off. */
function switchedOff(options: Readonly<Record<string, unknown>>): string[] {
  return installedExtras().flatMap(({ name }) => (options[name] === false ? name : []));
}
