import { bucketOfHash } from "../published/locating/record-index.js";
import type { SharedPublished } from "../published/published.js";

/** What a long run is at. */
export interface Phase {
  /** As people are told: `compiling`. */
  readonly name: string;
  /** What is counted. */
  readonly unit: "bytes" | "records" | "files" | "buckets" | "listings";
}

/**
 * Is told how far a phase is, as often as something is done anyway. With a total of 0 nobody knows how much
 * there is to do. It must not throw.
 */
export type OnProgress = (done: number, total: number, phase: Phase) => void;

/** The phases of what is done with a store. */
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

/** Tells of buckets as they are done, by the number of their records; to be called with each one's number. */
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
