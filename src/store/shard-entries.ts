import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import type { AnswerPlace } from "./columns/answers.js";
import type { ColumnEntry } from "./columns/columns.js";
import type { AnswerLocation, ShardEntry } from "./format.js";

/** The order of a shard's entries: by the host's hash, then by host. */
export function byShardOrder(a: string, b: string): number {
  return hostHash(a) - hostHash(b) || byCodeUnit(a, b);
}

/** The locations of all of a listing's answers, in the order in which they were written. */
export function answersOf({ report, enrichment, historical }: ShardEntry): AnswerLocation[] {
  return [report, enrichment, ...historical.map((one) => one.report)];
}

/** Converts a shard's entries for `writeColumns`. */
export function columnEntries(entries: readonly ShardEntry[]): ColumnEntry[] {
  const place = ([offset, length, sha256]: AnswerLocation): AnswerPlace => ({
    offset,
    length,
    sha256,
  });
  return entries.map(({ report, enrichment, historical, ...entry }) => ({
    ...entry,
    report: place(report),
    enrichment: place(enrichment),
    historical: historical.map(({ scan, report }) => ({ scan, report: place(report) })),
  }));
}
