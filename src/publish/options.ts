import { availableParallelism } from "node:os";
import { isWarningCode, WARNING_CODES, type WarningCode } from "../input/checking/codes.js";
import { didYouMean } from "../input/checking/problem.js";
import type { Select } from "../input/selection.js";
import {
  checkedOptions,
  dryRunOption,
  FOLDER,
  flag,
  JOBS_MAX,
  JOBS_OPTION,
  keepOption,
  listOf,
  type OnProgress,
  type OptionTable,
  optional,
  PROGRESS_OPTION,
  PURGE_LIST_OPTION,
  type Rule,
  requireArgument,
  SIGNAL_OPTION,
  STORE_OPTION,
  wholeNumber,
} from "../lib/options.js";
import { type ExtraSignOptions, signerFor } from "../store/signers.js";
import { MAX_REMOVED, type MaxRemoved } from "./removal-limit.js";

/** Options of `validate`. */
export interface ValidateOptions {
  /** Worker threads, 1 to 256. Default: one for each core. With 1, the calling thread does all the work. */
  readonly jobs?: number | undefined;
  /** Whether warnings count as errors. Default: false. */
  readonly strict?: boolean | undefined;
  /**
   * The codes of warnings that are known and meant, besides those in directory.json, such as `file-unread`. They are
   * only counted. Default: none.
   */
  readonly accept?: readonly WarningCode[] | undefined;
  /** Ends the run early. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of reading, then of checking or compiling and publishing. */
  readonly onProgress?: OnProgress | undefined;
}

/** Options of `build` that extras bring. Each declares its own into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: without extras it is empty
export interface ExtraBuildOptions {}

/** Options of `build`. If `signal` ends a build, nothing is published. */
export interface BuildOptions extends ValidateOptions, ExtraBuildOptions, ExtraSignOptions {
  /** The store's folder; created if it does not exist. Default: "snapshots". */
  readonly store?: string | undefined;
  /** How many snapshots stay in the store, including the new one: 1 to 1000. Default: 3. */
  readonly keep?: number | undefined;
  /** Whether to ignore the previous build and read, compile and write everything. Default: false. */
  readonly full?: boolean | undefined;
  /**
   * How many of the listings with a report or in search the build may remove: "20%" of them, or 50.
   * Default: 20%, and then fewer than 10 may always go.
   */
  readonly maxRemoved?: MaxRemoved | undefined;
  /**
   * How many of the listings with a score the build may leave without one while they stay in search, as after an outage
   * of the scanner: "20%" of them, or 50. Default: 20%, and then fewer than 10 may always lose it.
   */
  readonly maxUnscored?: MaxRemoved | undefined;
  /**
   * How many of the listings with a band the build may leave without one while they keep their score, as when
   * scans have a version that nobody knows: "20%" of them, or 50. Default: 20%, and then fewer than 10 may always lose
   * it.
   */
  readonly maxUnbanded?: MaxRemoved | undefined;
  /**
   * A file for the addresses, one a line, that changed or were removed, so that caches can purge them.
   * Default: none is written.
   */
  readonly purgeList?: string | undefined;
  /**
   * Whether to do everything but publish: the result says what a build would change, and the store stays as it is. No
   * purge list is written and nothing is signed. Default: false.
   */
  readonly dryRun?: boolean | undefined;
  /**
   * About how many listings a segment gets, at least 1. Default: by the size of the directory. With few, a test has
   * several segments of few listings.
   * @internal
   */
  readonly segmentSize?: number | undefined;
}

/** The options of `build` that do not concern reading the input. */
type ReadingOptions =
  | "jobs"
  | "strict"
  | "accept"
  | "full"
  | "segmentSize"
  | keyof ExtraBuildOptions;
export type PublishOptions = Omit<BuildOptions, ReadingOptions>;

const WARNING_CODE: Rule<WarningCode> = {
  expected: "the code of a warning, such as file-unread",
  accepts: isWarningCode,
  hint: (value) => (typeof value === "string" ? didYouMean(value, WARNING_CODES) : ""),
};

export const ACCEPT_OPTION = optional(listOf(WARNING_CODE, "an array of codes of warnings"), {
  flags: "--accept <code>",
  help: "do not show warnings with this code, only count them; may be given several times",
});

export const VALIDATE = {
  jobs: JOBS_OPTION,
  strict: flag("--strict", "treat warnings as errors"),
  accept: ACCEPT_OPTION,
  signal: SIGNAL_OPTION,
  onProgress: PROGRESS_OPTION,
} satisfies OptionTable<ValidateOptions>;

const LIMIT_USUAL = "(default: 20%; fewer than 10 are always allowed)";

export const PUBLISH = {
  store: STORE_OPTION,
  keep: keepOption("the store"),
  maxRemoved: optional(MAX_REMOVED, {
    flags: "--max-removed <limit>",
    help:
      "refuse a build that removes more than this share or number of the published listings, such as " +
      "20% or 50 (default: 20%; removing fewer than 10 is always allowed)",
  }),
  maxUnscored: optional(MAX_REMOVED, {
    flags: "--max-unscored <limit>",
    help:
      "refuse a build that leaves more than this share or number of the scored listings without a " +
      `score ${LIMIT_USUAL}`,
  }),
  maxUnbanded: optional(MAX_REMOVED, {
    flags: "--max-unbanded <limit>",
    help:
      "refuse a build that leaves more than this share or number of the listings with a band without " +
      `one, though they keep their score ${LIMIT_USUAL}`,
  }),
  purgeList: PURGE_LIST_OPTION,
  dryRun: dryRunOption("what the build would change"),
  signal: SIGNAL_OPTION,
  onProgress: PROGRESS_OPTION,
} satisfies OptionTable<Omit<PublishOptions, keyof ExtraSignOptions>>;

export const BUILD = {
  ...PUBLISH,
  ...VALIDATE,
  full: flag("--full", "reuse nothing from the last build: read, compile and write everything"),
  segmentSize: optional(wholeNumber(1, 1_000_000)),
} satisfies OptionTable<Omit<BuildOptions, keyof ExtraBuildOptions | keyof ExtraSignOptions>>;

/**
 * The time of a publication, in milliseconds since 1970. If `SOURCE_DATE_EPOCH` (in seconds) is set, it is used instead
 * of the clock, so that the same builds give the same bytes, whatever was published before.
 * @throws TypeError
 */
export function timeNow(): number {
  const seconds = process.env.SOURCE_DATE_EPOCH ?? "";
  if (seconds === "") return Date.now();
  if (/^\d{1,11}$/.test(seconds)) return 1_000 * Number(seconds);
  throw new TypeError("SOURCE_DATE_EPOCH must be a whole number of seconds since 1970");
}

/** Checks the arguments of `validate`. @returns the options with their defaults, and the time @throws TypeError */
export function validateSettings(published: string, given: ValidateOptions) {
  requireArgument("validate", "published", published, FOLDER);
  const checked = checkedOptions("validate", given, VALIDATE);
  return { ...checked, jobs: checked.jobs ?? usualJobs(), now: timeNow() };
}

/** Checks the arguments of `build`. @returns its options with defaults, what signs, and the time @throws TypeError */
export async function buildSettings(published: string, given: BuildOptions) {
  requireArgument("build", "published", published, FOLDER);
  const checked = checkedOptions("build", given, BUILD);
  const sign = await signerFor(given);
  return { ...checked, jobs: checked.jobs ?? usualJobs(), sign, now: timeNow() };
}

function usualJobs(): number {
  return Math.min(availableParallelism(), JOBS_MAX);
}

/** What a build does: its options with their defaults, what signs, and the time. */
export type BuildSettings = Awaited<ReturnType<typeof buildSettings>> &
  ExtraBuildOptions & {
    /** Chooses the hosts that are built. Default: all. */
    readonly select?: Select | undefined;
    /** The store in which the hosts are published with all others. Its rubrics count, too. Default: there is none. */
    readonly wholeStore?: string | undefined;
  };

/** What a publication does whose segments are made. */
export type PublishSettings = Omit<BuildSettings, ReadingOptions | "select" | "wholeStore">;
