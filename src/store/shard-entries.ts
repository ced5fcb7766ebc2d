import type { AnswerPlace } from "./columns/answers.js";
import type { ColumnEntry } from "./columns/columns.js";
import type { AnswerLocation, ShardEntry } from "./format.js";
import { shortDigest } from "./layout.js";

/** Where all of a listing's answers lie, in the order in which they were written. */
export function answersOf({ report, enrichment, historical }: ShardEntry): AnswerLocation[] {
  return [report, enrichment, ...historical.map((one) => one.report)];
}

/**
 * What a shard's entries are as columns.
 * @param checksums the CRC-32 of each entry's answers, in the order in which they lie in the pack
 */
export function columnEntries(
  entries: readonly ShardEntry[],
  checksums: readonly (readonly number[])[],
): ColumnEntry[] {
  return entries.map(({ report, enrichment, historical, ...entry }, i) => {
    const place = ([offset, length, hash]: AnswerLocation, answer: number): AnswerPlace => ({
      offset,
      length,
      crc: checksums[i]![answer]!,
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
