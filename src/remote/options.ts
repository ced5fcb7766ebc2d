import { NUMBERS, STORE } from "../options/defaults.js";
import {
  callback,
  checkedOptions,
  FLAG,
  FOLDER,
  type Rule,
  SIGNAL,
  wholeNumber,
} from "../options/options.js";
import type { OnProgress } from "../options/progress.js";
import { PUBLIC_KEYS, publicKeysOf, SIGNING_KEY, signingKeyOf } from "../signing/options.js";
import { PULL_ADDRESS, PUSH_ADDRESS } from "./address.js";
import { GRACE_MIN_MS } from "./sweep.js";

/** Options of `push`. */
export interface PushOptions {
  /** The local store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
  /** How many generations keep their files in the bucket, including the new one: 1 to 1000. Default: 3. */
  readonly keep?: number | undefined;
  /**
   * How long files stay in the bucket after the last kept generation that names them: "90s", "10m", "1h", "7d".
   * Readers that are still loading need them. At least "60s": within a shorter time, this push could delete files that
   * another one is about to publish. All pushes to a bucket must use the same value. Default: "1h".
   */
  readonly grace?: string | undefined;
  /**
   * Whether to use a store that ignores or refuses conditional writes. Then no other push may run at the same time.
   * Default: false.
   */
  readonly allowUnconditional?: boolean | undefined;
  /**
   * A secret key of minisign without a password, as for `build`. The snapshot is signed with its generation in the
   * bucket. Default: a signature of the local snapshot is copied, if it names that generation.
   */
  readonly signingKey?: string | undefined;
  /** Ends the push before its commit. The push then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes uploaded so far. */
  readonly onProgress?: OnProgress | undefined;
}

/** Options of `pull`. */
export interface PullOptions {
  /**
   * One or two public keys. A snapshot that is not signed with one of them, or is older than one that the store has had,
   * is refused. Default: signatures are not checked.
   */
  readonly publicKeys?: readonly string[] | undefined;
  /**
   * Whether a web server may redirect to other hosts. Then its owner chooses which hosts this machine asks, internal ones
   * included. A bucket's requests carry credentials, and never follow a redirect. Default: false, so that redirects work
   * on the host itself alone.
   */
  readonly allowRedirects?: boolean | undefined;
  /** The local store's folder; created if it does not exist. Default: "snapshots". */
  readonly store?: string | undefined;
  /** How many snapshots stay in the local store, including the new one: 1 to 1000. Default: 3. */
  readonly keep?: number | undefined;
  /** Ends the pull before its snapshot becomes current. The pull then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes downloaded so far. */
  readonly onProgress?: OnProgress | undefined;
}

/** The grace time if none is given. */
export const GRACE = "1h";

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The longest grace time: a year. */
const GRACE_MAX_MS = 366 * 86_400_000;

/** Reads a grace time such as `90s`, `10m`, `1h` or `7d` as milliseconds; null for any other text. */
function durationMs(text: string): number | null {
  const [, digits, unit = ""] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const ms = digits === undefined ? null : Number(digits) * (UNIT_MS[unit] ?? 0);
  return ms === null || ms < GRACE_MIN_MS || ms > GRACE_MAX_MS ? null : ms;
}

/** A time as `durationMs` reads it. */
export const DURATION: Rule<string> = {
  expected:
    "a time such as 90s, 10m, 1h or 7d, from 60s to 366d (in less than 60s, a push could delete files that another one is about to publish)",
  accepts: (value): value is string => typeof value === "string" && durationMs(value) !== null,
};

const COMMON = {
  store: FOLDER,
  keep: wholeNumber(NUMBERS.keep),
  signal: SIGNAL,
  onProgress: callback<OnProgress>(),
};
const PULL = { ...COMMON, allowRedirects: FLAG, publicKeys: PUBLIC_KEYS };
const PUSH = {
  ...COMMON,
  grace: DURATION,
  allowUnconditional: FLAG,
  signingKey: SIGNING_KEY,
};

export type PushSettings = ReturnType<typeof pushSettings>;
export type PullSettings = ReturnType<typeof pullSettings>;

/** Checks the arguments of `push`. @returns the options with their defaults @throws TypeError */
export function pushSettings(url: string, given: PushOptions) {
  requireAddress("push", url, PUSH_ADDRESS);
  const {
    store = STORE,
    keep = NUMBERS.keep.usual,
    grace = GRACE,
    allowUnconditional = false,
    signingKey,
    ...rest
  } = checkedOptions("push", given, PUSH);
  const key = signingKeyOf(signingKey);
  return {
    ...rest,
    store,
    keep,
    graceMs: durationMs(grace) ?? GRACE_MIN_MS,
    allowUnconditional,
    key,
  };
}

/** Checks the arguments of `pull`. @returns the options with their defaults @throws TypeError */
export function pullSettings(url: string, given: PullOptions) {
  requireAddress("pull", url, PULL_ADDRESS);
  const {
    store = STORE,
    keep = NUMBERS.keep.usual,
    allowRedirects = false,
    publicKeys,
    ...rest
  } = checkedOptions("pull", given, PULL);
  return { ...rest, store, keep, allowRedirects, publicKeys: publicKeysOf(publicKeys) };
}

/** Like `requireArgument`, but does not repeat the value: it may hold a password. @throws TypeError */
function requireAddress(caller: string, url: string, rule: Rule<string>): void {
  if (!rule.accepts(url)) throw new TypeError(`${caller}: "url" must be ${rule.expected}`);
}
