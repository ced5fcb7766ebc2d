/** The state of the pulls of a server that follows a remote store, for its metrics. */
export interface PullState {
  /** Seconds since the last pull that succeeded; if none has yet, since the first one began. */
  readonly ageSeconds: number;
  /** The generation that was pulled last; null if none was, or if the remote store has no generations. */
  readonly generation: number | null;
  /** How many pulls succeeded, with or without a new snapshot, and how many failed. */
  readonly succeeded: number;
  readonly failed: number;
}
