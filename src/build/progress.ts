import { bucketOfHash } from "../published/locating/record-index.js";
import type { SharedPublished } from "../published/published.js";

/** One step of a long run. */
export interface Phase {
  /** The name that people see, such as `compiling`. */
  readonly name: string;
  /** The unit of the counts. */
  readonly unit: "bytes" | "records" | "files" | "buckets" | "listings";
}

/**
 * Receives a phase's progress whenever a piece of work is done. A total of 0 means that the amount of
 * work is unknown. Must not throw.
 */
export type OnProgress = (done: number, total: number, phase: Phase) => void;

/** The phases of all commands that work on a store. */
export const PHASES = {
  listings: { name: "reading listings", unit: "bytes" },
  scans: { name: "reading scans", unit: "bytes" },
  checking: { name: "checking", unit: "records" },
  compiling: { name: "compiling", unit: "records" },
  publishing: { name: "publishing", unit: "files" },
  verifying: { name: "verifying", unit: "bytes" },
  rollingBack: { name: "rolling back", unit: "buckets" },
  removing: { name: "removing", unit: "files" },
  exporting: { name: "exporting", unit: "files" },
} as const satisfies Record<string, Phase>;

/**
 * Reports finished buckets, counting their records. @returns a function to call with each finished
 * bucket's number
 */
export function recordProgress(
  { listings, scans }: SharedPublished,
  bits: number,
  buckets: readonly number[],
  phase: Phase,
  onProgress: OnProgress | undefined,
): (bucket: number) => void {
  if (onProgress === undefined) return () => {};
  const records = new Uint32Array(2 ** bits);
  for (const { columns } of [listings, scans]) {
    for (let record = 0; record < columns.count; record += 1) {
      records[bucketOfHash(columns.hostHash[record]!, bits)]! += 1;
    }
  }
  const total = buckets.reduce((sum, bucket) => sum + records[bucket]!, 0);
  let done = 0;
  onProgress(done, total, phase);
  return (bucket) => {
    done += records[bucket]!;
    onProgress(done, total, phase);
  };
}
