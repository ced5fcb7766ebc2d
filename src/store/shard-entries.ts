import { hostHash } from "../contract/host.js";
import { itemAt } from "../contract/item-at.js";
import { byCodeUnit } from "../contract/order.js";
import type { AnswerPlace } from "./columns/answers.js";
import type { ColumnEntry } from "./columns/columns.js";
import type { AnswerLocation, ShardEntry } from "./format.js";
import { shortDigest } from "./layout.js";

/** The order of a shard's entries: by the host's hash, then by host. */
export function byShardOrder(a: string, b: string): number {
  return hostHash(a) - hostHash(b) || byCodeUnit(a, b);
}

/** The locations of all of a listing's answers, in the order in which they were written. */
export function answersOf({ report, enrichment, historical }: ShardEntry): AnswerLocation[] {
  return [report, enrichment, ...historical.map((one) => one.report)];
}

/**
 * Converts a shard's entries for `writeColumns`.
 * @param checksums for each entry, the CRC-32 of its answers, in their order in the pack
 */
export function columnEntries(
  entries: readonly ShardEntry[],
  checksums: readonly (readonly number[])[],
): ColumnEntry[] {
  return entries.map(({ report, enrichment, historical, ...entry }, i) => {
    const ofEntry = itemAt(checksums, i);
    const place = ([offset, length, hash]: AnswerLocation, answer: number): AnswerPlace => ({
      offset,
      length,
      crc: itemAt(ofEntry, answer),
      digest: shortDigest(hash),
    });
    return {
      ...entry,
      report: place(report, 0),
      enrichment: place(enrichment, 1),
      historical: historical.map(({ scan, report }, at) => ({
        scan,
        report: place(report, 2 + at),
      })),
    };
  });
}
