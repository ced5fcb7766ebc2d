import type { ExtraOption } from "../../extra.js";
import {
  checkedOptions,
  DURATION,
  durationMs,
  flag,
  keepOption,
  type OnProgress,
  type OptionTable,
  optional,
  PROGRESS_OPTION,
  type Rule,
  requireArgument,
  SIGNAL_OPTION,
  STORE_OPTION,
  wholeNumber,
  withDefault,
} from "../../lib/options.js";
import type { ExtraSignOptions, ExtraVerifyOptions } from "../../store/signers.js";
import { PULL_ADDRESS, PUSH_ADDRESS } from "./address.js";

declare module "../../server/options.js" {
  interface ExtraServeOptions {
    /**
     * Whether the server keeps a whole copy of a remote store in `cacheDir`, pulls each new snapshot into it, and
     * answers from the copy, so that it starts and answers while the remote store cannot be reached. Default: false, so
     * that only tables are copied, and reports are read when they are requested.
     */
    readonly mirror?: boolean | undefined;
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
  }
}

/** Options of `push`. If none makes a signature, the one of the local snapshot is copied. */
export interface PushOptions extends ExtraSignOptions {
  /** The local store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
  /** How many snapshots keep their files in the bucket, including the new one: 1 to 1000. Default: 3. */
  readonly keep?: number | undefined;
  /**
   * How long files stay in the bucket that no kept snapshot needs: "90s", "10m", "1h", "7d".
   * Readers that are still loading need them. At least "60s": slow readers, and a refused push that is
   * run again, need the files for longer. All pushes to a bucket must use the same value. Default: "1h".
   */
  readonly grace?: string | undefined;
  /**
   * Whether to use a store that ignores or refuses conditional writes. Then no other push may run at the same time.
   * Default: false.
   */
  readonly allowUnconditional?: boolean | undefined;
  /** Ends the push before its commit. The push then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes uploaded so far. */
  readonly onProgress?: OnProgress | undefined;
}

/** Options of `pull`. */
export interface PullOptions extends ExtraVerifyOptions {
  /**
   * Whether a web server may redirect to other hosts. Then its owner chooses which hosts this machine asks, including
   * internal ones. A bucket's requests carry credentials, and never follow a redirect. Default: false, so that only
   * redirects within the host itself are followed.
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

/** A grace time, with the reason for its lower limit. */
const GRACE: Rule<string> = {
  ...DURATION,
  expected: `${DURATION.expected} (slow readers, and a refused push that is run again, need the files for as long)`,
};

export const PULL = {
  store: STORE_OPTION,
  keep: keepOption("the store"),
  allowRedirects: flag("--allow-redirects", "let the web server redirect to other hosts"),
  signal: SIGNAL_OPTION,
  onProgress: PROGRESS_OPTION,
} satisfies OptionTable<Omit<PullOptions, keyof ExtraVerifyOptions>>;

export const PUSH = {
  store: STORE_OPTION,
  keep: keepOption("the bucket"),
  grace: withDefault(GRACE, "1h", {
    flags: "--grace <time>",
    help: "how long files stay that no kept snapshot needs, such as 90s, 10m or 1h; at least 60s",
  }),
  allowUnconditional: flag(
    "--allow-unconditional",
    "use a store without conditional writes; only one push may run at a time",
  ),
  signal: SIGNAL_OPTION,
  onProgress: PROGRESS_OPTION,
} satisfies OptionTable<Omit<PushOptions, keyof ExtraSignOptions>>;

/** Seconds between two looks, unless other ones are chosen. */
export const REFRESH_SECONDS = 10;

const refreshSeconds = withDefault(wholeNumber(1, 86_400), REFRESH_SECONDS, {
  flags: "--refresh-seconds <count>",
  help: "seconds between two pulls, or two looks at a store at an address",
});
const maxAge = optional(DURATION, {
  flags: "--max-age <time>",
  help: "not ready at /readyz once pulls have failed for this time, with --mirror",
});

/** What `serve` takes for a store at an address. */
export const SERVE_REMOTE: Readonly<Record<string, ExtraOption>> = {
  mirror: {
    ...flag("--mirror", "keep a whole copy of a store at an address, and answer from it"),
    after: "mcp",
    example: "crawldex serve s3://bucket/prefix --mirror",
  },
  allowRedirects: {
    ...flag("--allow-redirects", "let the server of an address redirect to other hosts"),
    after: "mirror",
  },
  refreshSeconds: { ...refreshSeconds, after: "allowRedirects" },
  maxAge: { ...maxAge, after: "refreshSeconds" },
};

export type PushSettings = ReturnType<typeof pushSettings>;
export type PullSettings = ReturnType<typeof pullSettings>;

/** Checks the arguments of `push`. @returns the options with their defaults @throws TypeError */
export function pushSettings(url: string, given: PushOptions) {
  requireArgument("push", "url", url, PUSH_ADDRESS);
  const { grace, ...rest } = checkedOptions("push", given, PUSH);
  return { ...rest, graceMs: durationMs(grace) };
}

/** Checks the arguments of `pull`. @returns the options with their defaults @throws TypeError */
export function pullSettings(url: string, given: PullOptions) {
  requireArgument("pull", "url", url, PULL_ADDRESS);
  return checkedOptions("pull", given, PULL);
}
