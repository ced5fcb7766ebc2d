import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Counted, countBytes } from "./edge/memory.js";
import { drawRequests } from "./edge/requests.js";
import { figure, table } from "./engine/statistics.js";
import { storeOf } from "./engine/stores.js";
import { dated, MACHINE, note, report } from "./kit.js";

/**
 * `npm run bench:edge [-- options]`: what a fetch handler downloads for its first search, and the bytes of its typed
 * arrays, which are counted in Node. The figures go into RESULTS.md. Exits with 1 if typed arrays take more bytes than
 * their bars. Options:
 *
 *     --listings 1500,20000,100000   the samples' sizes
 *     --requests 100                 of each read, after a warm-up
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
    print: { type: "boolean", default: false },
  },
});
const requests = Number(options.requests);

interface Measured {
  readonly listings: number;
  /** Bytes of the first search. */
  readonly downloaded: number;
  readonly memory: Counted;
}

const measured: Measured[] = [];
for (const listings of options.listings.split(",").map(Number)) {
  const store = storeOf(listings);
  const drawn = await drawRequests({ store, warmUp: WARM_UP, measured: requests });
  const { downloaded } = await countBytes(store, { ...drawn, warmUp: [], measured: [] });
  measured.push({ listings, downloaded, memory: await countBytes(store, drawn) });
  note(`${listings} listings measured`);
}
report(sections(), options.print);
if (!measured.every(keepsBars)) process.exitCode = 1;

function keepsBars({ listings, memory }: Measured): boolean {
  const { steady, peak } = BARS.get(listings) ?? { steady: Infinity, peak: Infinity };
  return steadyOf(memory) <= steady * 1e6 && memory.peak <= peak * 1e6;
}

function steadyOf({ afterFirst, afterAll }: Counted): number {
  return Math.max(afterFirst, afterAll);
}

function sections(): string[] {
  const head = ["", ...measured.map(({ listings }) => listings.toLocaleString("en"))];
  const mb = (name: string, bytes: (one: Measured) => number, bar?: "steady" | "peak") => [
    `${name}, MB`,
    ...measured.map((one) => {
      const most = bar && BARS.get(one.listings)?.[bar];
      return figure(bytes(one) / 1e6) + (most === undefined ? "" : ` (bar ${most})`);
    }),
  ];
  const rows = [
    mb("downloaded for the first search", ({ downloaded }) => downloaded),
    mb("typed arrays after the first search", ({ memory }) => memory.afterFirst),
    mb("typed arrays, steady", ({ memory }) => steadyOf(memory), "steady"),
    mb("typed arrays, peak", ({ memory }) => memory.peak, "peak"),
  ];
  const about = `${MACHINE}, load ${Math.round(loadavg()[1] ?? 0)}; ${requests} requests of each read, mixed, after a warm-up`;
  return [dated("the fetch handler's bytes"), about, table(head, rows)];
}
