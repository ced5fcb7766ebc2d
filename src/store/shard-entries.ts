import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import type { AnswerPlace } from "./columns/answers.js";
import type { ColumnEntry } from "./columns/columns.js";
import type { AnswerLocation, ShardEntry } from "./format.js";

/** The order of a shard's entries: by the host's hash, then by host. */
export function byShardOrder(a: string, b: string): number {
  return hostHash(a) - hostHash(b) || byCodeUnit(a, b);
}

/** The locations of all of a listing's answers and excerpts, in the order in which they were written. */
export function answersOf(entry: ShardEntry): AnswerLocation[] {
  const { report, enrichment, historical, excerpts = [] } = entry;
  return [report, enrichment, ...[...historical, ...excerpts].map((one) => one.report)].sort(
    ([one], [other]) => one - other,
  );
}

/** Converts a shard's entries for `writeColumns`. */
export function columnEntries(entries: readonly ShardEntry[]): ColumnEntry[] {
  const place = ([offset, length, sha256]: AnswerLocation): AnswerPlace => ({
    offset,
    length,
    sha256,
  });
  const ofScan = ({ scan, report }: ShardEntry["historical"][number]) => ({
    scan,
    report: place(report),
  });
  return entries.map(({ report, enrichment, historical, excerpts, ...entry }) => ({
    ...entry,
    report: place(report),
    enrichment: place(enrichment),
    historical: historical.map(ofScan),
    excerpts: excerpts?.map(ofScan),
  }));
}
