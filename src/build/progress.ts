import { partOfHash } from "../contract/host.js";
import type { OnProgress, Phase } from "../options/defaults.js";
import type { SharedPublished } from "../published/published.js";
import type { CompileOrder } from "./segment-work.js";

/**
 * Reports finished orders, counting the records that they read.
 * @param orders all with the same `bits`
 * @returns a function to call with each finished order's part
 */
export function recordProgress(
  { listings, scans }: SharedPublished,
  orders: readonly Pick<CompileOrder, "part" | "bits" | "reads">[],
  phase: Phase,
  onProgress: OnProgress | undefined,
): (part: number) => void {
  if (onProgress === undefined) return () => {};
  const bits = orders[0]?.bits ?? 0;
  const readsByPart = new Map(orders.map(({ part, reads }) => [part, reads]));
  const records = new Uint32Array(2 ** bits);
  for (const { columns } of [listings, scans]) {
    for (let record = 0; record < columns.count; record += 1) {
      const hash = columns.hostHash[record]!;
      const part = partOfHash(hash, bits);
      const reads = readsByPart.get(part);
      if (reads === null || reads?.has(hash) === true) records[part]! += 1;
    }
  }
  const total = records.reduce((sum, count) => sum + count, 0);
  let done = 0;
  onProgress(done, total, phase);
  return (part) => {
    done += records[part]!;
    onProgress(done, total, phase);
  };
}
