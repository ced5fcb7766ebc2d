/** One step of a long run. */
export interface Phase {
  /** The name that people see, such as `compiling`. */
  readonly name: string;
  /** The unit of the counts. */
  readonly unit: "bytes" | "records" | "files" | "buckets";
}

/**
 * Receives a phase's progress whenever a piece of work is done. A total of 0 means that the amount of
 * work is unknown. Must not throw.
 */
export type OnProgress = (done: number, total: number, phase: Phase) => void;

/** The phases of all long runs. */
export const PHASES = {
  listings: { name: "reading listings", unit: "bytes" },
  scans: { name: "reading scans", unit: "bytes" },
  checking: { name: "checking", unit: "records" },
  compiling: { name: "compiling", unit: "records" },
  publishing: { name: "publishing", unit: "files" },
  verifying: { name: "verifying", unit: "bytes" },
  rollingBack: { name: "rolling back", unit: "buckets" },
  removing: { name: "removing", unit: "files" },
  uploading: { name: "uploading", unit: "bytes" },
  downloading: { name: "downloading", unit: "bytes" },
  exporting: { name: "exporting", unit: "files" },
} as const satisfies Record<string, Phase>;
