import type { LoadOutput } from "./load.js";
import type { Prepared } from "./prepare.js";
import type { ReadsOutput } from "./reads.js";
import { figure, median, spreadOf, table } from "./statistics.js";
import type { Read } from "./workload.js";

/** One read. */
export function readSection(read: Read, ours: ReadsOutput, prepared: Prepared): string {
  const first = ours.first[read];
  const { median: middle, p99, max } = spreadOf(first);
  const hits = spreadOf(ours.hits[read]);
  const best = spreadOf(ours.best[read]);
  const rows = [
    ["crawldex", ...[middle, p99, max].map(figure), `${first.length}`],
    [
      "those with a hit",
      ...[hits.median, hits.p99, hits.max].map(figure),
      `${ours.hits[read].length}`,
    ],
    ["each one's best of three", ...[best.median, best.p99, best.max].map(figure), ""],
  ];
  const head = ["µs", "median", "p99", "max", "requests"];
  return [`### ${read}`, "", summary(read, prepared), "", table(head, rows)].join("\n");
}

function summary(read: Read, { texts, misses }: Prepared): string {
  return `${texts[read]} of the requests have a text, ${misses[read]} of those no hit.`;
}

export function slowestSection({ best, adversaries, scans, marked }: ReadsOutput): string {
  const bar = median(scans);
  const slowest = ([name, values]: readonly [string, readonly number[]]): string[] => {
    const { median: middle, p99, max } = spreadOf(values);
    return [name, ...[middle, p99, max].map(figure), (max / bar).toFixed(2)];
  };
  const kinds = Object.entries(adversaries ?? {}).flatMap(([kind, reads]) =>
    Object.entries(reads)
      .filter(([, values]) => values.length > 0)
      .map(([read, values]) => [`adversarial ${read}, ${kind}`, values] as const),
  );
  return [
    "### Slowest",
    "",
    `The bar: one pass over all folded text marks ${marked} listings in ${figure(bar)} µs ` +
      `(median of ${scans.length}).`,
    "",
    table(
      ["µs, each request's best of three", "median", "p99", "max", "max / bar"],
      [...Object.entries(best), ...kinds].map(slowest),
    ),
  ].join("\n");
}

export function loadSection(loads: readonly LoadOutput[]): string {
  const of = (key: keyof LoadOutput) => figure(median(loads.map((one) => one[key])));
  return [
    "### Load",
    "",
    `From the store on disk to the first answer ${of("milliseconds")} ms (median of ${loads.length}); ` +
      `CPU time of all threads: ${of("cpuMilliseconds")} ms.`,
  ].join("\n");
}

export interface Memory {
  readonly size: number;
  readonly empty: number;
  readonly loaded: number;
  readonly corrected: number;
  readonly firstCorrection: number;
}

export function memorySection({ size, empty, loaded, corrected, firstCorrection }: Memory): string {
  const each = (megabytes: number) => figure((megabytes * 2 ** 20) / size);
  return [
    "### Memory",
    "",
    `Resident with ${size} listings in search: ${figure(loaded)} MB, ${each(loaded - empty)} bytes a ` +
      `listing beyond the empty process (${figure(empty)} MB). With \`didYouMean\` used: ` +
      `${figure(corrected - loaded)} MB more; its first use took ${figure(firstCorrection)} ms.`,
  ].join("\n");
}
