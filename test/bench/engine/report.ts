import type { PeerOutput } from "../peers/measure.js";
import type { LoadOutput } from "./load.js";
import type { Prepared } from "./prepare.js";
import type { ReadsOutput } from "./reads.js";
import { figure, median, spreadOf, table, times } from "./statistics.js";
import type { Read } from "./workload.js";

/** How far ahead of the peer each read is to be. */
const BARS: Readonly<Record<Read, readonly [median: number, p99: number]>> = {
  search: [50, 20],
  facets: [100, 50],
  suggestions: [50, 20],
};

/** One read beside the peer, which is compared over the requests that it was asked. */
export function readSection(
  read: Read,
  ours: ReadsOutput,
  peer: PeerOutput | null,
  prepared: Prepared,
): string {
  const first = ours.first[read];
  const { median: middle, p99, max } = spreadOf(first);
  const hits = spreadOf(ours.hits[read]);
  const best = spreadOf(ours.best[read]);
  const rows = [
    ["crawldex", ...[middle, p99, max].map(figure), "", "", `${first.length}`, ""],
    [
      "those with a hit",
      ...[hits.median, hits.p99, hits.max].map(figure),
      "",
      "",
      `${ours.hits[read].length}`,
      "",
    ],
    ["each one's best of three", ...[best.median, best.p99, best.max].map(figure), "", "", "", ""],
  ];
  const measured = peer?.reads[read];
  const asked = measured?.times.length ?? 0;
  const own = spreadOf(first.slice(0, asked));
  const their = spreadOf(measured?.times ?? []);
  const ahead = [their.median / own.median, their.p99 / own.p99].map(times);
  if (measured !== undefined) {
    const same = `${measured.same} of ${measured.compared}`;
    const figures = [their.median, their.p99, their.max].map(figure);
    rows.push(["better-sqlite3, tuned", ...figures, ...ahead, `${asked}`, same]);
  }
  const head = [
    "µs",
    "median",
    "p99",
    "max",
    "median ahead",
    "p99 ahead",
    "requests",
    "same bytes",
  ];
  const lines = [`### ${read}`, "", summary(read, prepared), "", table(head, rows)];
  if (measured !== undefined) {
    const [barMedian, barP99] = BARS[read];
    lines.push(
      "",
      `Ahead of the peer: median ${ahead[0]} (bar ${barMedian} x), p99 ${ahead[1]} (bar ${barP99} x).`,
    );
  }
  return lines.join("\n");
}

function summary(read: Read, { texts, misses }: Prepared): string {
  return `${texts[read]} of the requests have a text, ${misses[read]} of those no hit.`;
}

/** How the peer was made. */
export function peerSection({ built, resident }: PeerOutput): string {
  return `The peer's index was made in ${figure(built)} s; it has ${figure(resident)} MB resident.`;
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

export function loadSection(ours: readonly LoadOutput[], entries: readonly LoadOutput[]): string {
  const of = (key: keyof LoadOutput) =>
    [ours, entries].map((all) => median(all.map((one) => one[key])));
  const [own = 0, floor = 0] = of("milliseconds");
  const [ownCpu = 0, floorCpu = 0] = of("cpuMilliseconds");
  return [
    "### Load",
    "",
    `Shards on disk to first answer ${figure(own)} ms; reading and parsing shards of the search ` +
      `entries alone ${figure(floor)} ms: ${times(own / floor)} (bar 1.5 x; medians of ${ours.length}). ` +
      `CPU time of all threads: ${figure(ownCpu)} and ${figure(floorCpu)} ms, ${times(ownCpu / floorCpu)}.`,
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

export function growthSection(sizes: ReadonlyMap<number, ReadsOutput>): string {
  const rows = [...sizes].flatMap(([size, { first }]) =>
    Object.entries(first).map(([read, values]) => {
      const { median: middle, p99, max } = spreadOf(values);
      return [`${read}, ${size} listings`, ...[middle, p99, max].map(figure)];
    }),
  );
  return ["### Growth", "", table(["µs", "median", "p99", "max"], rows)].join("\n");
}
