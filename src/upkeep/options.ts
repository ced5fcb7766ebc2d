import {
  dryRunOption,
  flag,
  KEEP_ALL_OPTION,
  type OnProgress,
  type OptionTable,
  optional,
  PROGRESS_OPTION,
  PURGE_LIST_OPTION,
  SIGNAL_OPTION,
  SNAPSHOT_NAME,
  STORE_OPTION,
} from "../lib/options.js";
import type { ExtraSignOptions } from "../store/signers.js";

/** Options of `rollback`. */
export interface RollbackOptions extends ExtraSignOptions {
  /**
   * The snapshot to go back to: its generation or id, or the beginning of its id. Default: the one before the current
   * snapshot.
   */
  readonly to?: string | undefined;
  /**
   * Whether listings that the last build's input does not have come back, to repair an accidental loss.
   * Default: false.
   */
  readonly restoreMissing?: boolean | undefined;
  /** Whether to publish nothing, and only say what would come back and what would stay away. Default: false. */
  readonly dryRun?: boolean | undefined;
  /**
   * A file for the addresses, one a line, that changed or were removed, so that caches can purge them. Default: none.
   */
  readonly purgeList?: string | undefined;
  /** Ends the rollback before its snapshot is published. The rollback then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each segment. */
  readonly onProgress?: OnProgress | undefined;
}

export const ROLLBACK = {
  to: optional(SNAPSHOT_NAME, {
    flags: "--to <snapshot>",
    help:
      "go to this snapshot: its generation, or an unambiguous prefix of its id (default: the one before " +
      "the current)",
  }),
  restoreMissing: flag(
    "--restore-missing",
    "also bring back listings that are missing from the last build's input",
  ),
  dryRun: dryRunOption("what would come back and what would stay away"),
  purgeList: PURGE_LIST_OPTION,
  signal: SIGNAL_OPTION,
  onProgress: PROGRESS_OPTION,
} satisfies OptionTable<Omit<RollbackOptions, keyof ExtraSignOptions>>;

/** Options of `withdraw`. */
export interface WithdrawOptions extends ExtraSignOptions {
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
  /** Whether to lift the withdrawals instead, so that the next build publishes the hosts again. Default: false. */
  readonly restore?: boolean | undefined;
  /** How many snapshots stay in the store, including the new one: 1 to 1000. Default: all. */
  readonly keep?: number | undefined;
  /** Whether to publish nothing, and only say what would go. Default: false. */
  readonly dryRun?: boolean | undefined;
  /**
   * A file for the addresses, one a line, that were removed or changed, so that caches can purge them. Default: none.
   */
  readonly purgeList?: string | undefined;
  /** Ends the withdrawal before its snapshot is published. It then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export const WITHDRAW = {
  store: STORE_OPTION,
  restore: flag(
    "--restore",
    "lift the withdrawal instead: the next build publishes the hosts again",
  ),
  keep: KEEP_ALL_OPTION,
  dryRun: dryRunOption("what would go"),
  purgeList: PURGE_LIST_OPTION,
  signal: SIGNAL_OPTION,
} satisfies OptionTable<Omit<WithdrawOptions, keyof ExtraSignOptions>>;
