import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromiumPath, launch } from "../browser/browsers.js";
import { startInPage } from "./edge/browser.js";
import type { Memory } from "./edge/live-bytes.js";
import { countBytes } from "./edge/memory.js";
import { type EdgeFigures, measurePlatform } from "./edge/platform.js";
import { drawRequests, EDGE_READS } from "./edge/requests.js";
import { startWorkerd } from "./edge/workerd.js";
import { figure, median, percentile, table } from "./engine/statistics.js";
import { FOLDER, storeOf } from "./engine/stores.js";
import { dated, MACHINE, note, report } from "./kit.js";

/**
 * `npm run bench:edge [-- options]`: the fetch handler in workerd over an R2 bucket (Miniflare), and in Chromium over the
 * plain files of a web server; the bytes of its typed arrays are counted in Node. The figures go into RESULTS.md. Exits
 * with 1 if typed arrays take more bytes than their bars. Options:
 *
 *     --listings 1500,20000,100000   the samples' sizes
 *     --requests 100                 of each read, after a warm-up
 *     --rounds 3                     loads of the store, whose median is taken
 *     --print                        leaves RESULTS.md as it is
 */
const WARM_UP = 20;
/** By listings, the most megabytes (10^6 bytes) of typed arrays, steady and at the peak. */
const BARS = new Map([
  [20_000, { steady: 20, peak: 30 }],
  [100_000, { steady: 90, peak: 120 }],
]);

const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "1500,20000,100000" },
    requests: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
    print: { type: "boolean", default: false },
  },
});
const requests = Number(options.requests);
const rounds = Number(options.rounds);

const PLATFORMS = ["workerd", "Chromium"] as const;

interface Measured {
  readonly listings: number;
  readonly memory: Memory;
  readonly figures: Readonly<Record<(typeof PLATFORMS)[number], EdgeFigures>>;
}

const measured: Measured[] = [];
for (const listings of options.listings.split(",").map(Number))
  measured.push(await measure(listings));
report(sections(), options.print);
if (!measured.every(keepsBars)) process.exitCode = 1;

async function measure(listings: number): Promise<Measured> {
  const store = storeOf(listings);
  const drawn = await drawRequests({ store, warmUp: WARM_UP, measured: requests });
  const memory = await countBytes(store, drawn);
  note(`${listings} listings: bytes counted`);
  const bucket = join(FOLDER, `r2-${listings}`);
  const workerd = await measurePlatform(() => startWorkerd(store, bucket), drawn, rounds);
  note(`${listings} listings: workerd measured`);
  const path = chromiumPath();
  if (path === null) throw new Error("Chromium is missing: install it, or name it in CHROMIUM");
  const browser = await launch(path);
  try {
    const Chromium = await measurePlatform(() => startInPage(browser, store), drawn, rounds);
    note(`${listings} listings: Chromium measured`);
    return { listings, memory, figures: { workerd, Chromium } };
  } finally {
    await browser.close();
  }
}

function keepsBars({ listings, memory }: Measured): boolean {
  const { steady, peak } = BARS.get(listings) ?? { steady: Infinity, peak: Infinity };
  return steadyOf(memory) <= steady * 1e6 && memory.peak <= peak * 1e6;
}

function steadyOf({ afterFirst, afterAll }: Memory): number {
  return Math.max(afterFirst, afterAll);
}

function sections(): string[] {
  const head = ["", ...measured.map(({ listings }) => listings.toLocaleString("en"))];
  const row = (name: string, cell: (one: Measured) => string) => [name, ...measured.map(cell)];
  const mb = (name: string, bytes: (one: Measured) => number, bar?: "steady" | "peak") =>
    row(`${name}, MB`, (one) => {
      const most = bar && BARS.get(one.listings)?.[bar];
      return figure(bytes(one) / 1e6) + (most === undefined ? "" : ` (bar ${most})`);
    });
  const loads = [
    ...PLATFORMS.flatMap((name) => [
      mb(`first search, ${name}: downloaded`, ({ figures }) => figures[name].firstBytes),
      row(`first search, ${name}: time, ms`, ({ figures }) =>
        figure(median(figures[name].firstMs)),
      ),
    ]),
    mb("typed arrays after the first search", ({ memory }) => memory.afterFirst),
    mb("typed arrays, steady", ({ memory }) => steadyOf(memory), "steady"),
    mb("typed arrays, peak", ({ memory }) => memory.peak, "peak"),
    ...PLATFORMS.flatMap((name) => [
      mb(
        `${name} at the end: typed arrays`,
        ({ figures }) => figures[name].usage.backingStorageSize,
      ),
      mb(`${name} at the end: objects and strings`, ({ figures }) => figures[name].usage.usedSize),
    ]),
  ];
  const latencies = EDGE_READS.flatMap((read) =>
    PLATFORMS.map((name) =>
      row(`${read}, ${name}`, ({ figures }) => {
        const ms = figures[name].ms[read];
        return `${figure(median(ms))} / ${figure(percentile(ms, 0.99))}`;
      }),
    ),
  );
  const about = `${MACHINE}, load ${Math.round(loadavg()[1] ?? 0)}; ${requests} requests of each read, mixed, after a warm-up; loads: medians of ${rounds}`;
  const title = dated("the fetch handler in workerd and in a browser");
  return [title, about, table(head, loads), "Median / p99, ms:", table(head, latencies)];
}
