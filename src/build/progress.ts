import { partOfHash } from "../contract/host.js";
import type { OnProgress, Phase } from "../options/defaults.js";
import type { SharedPublished } from "../published/published.js";

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
      records[partOfHash(columns.hostHash[record]!, bits)]! += 1;
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
