import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { figure, median, note, percentile, report, storeOf, table } from "./kit.js";
import { askers, cpuTime, loadEngine, makeWorkload, READS, summariesOf } from "./workload.js";

/**
 * `npm run bench:engine [-- options]`: what the engine takes to load and for each read. The figures go into RESULTS.md.
 *
 *     --listings 100000   the sample's size; --store <folder> measures an existing store instead
 *     --requests 2000     of each read; --seed 1 draws others
 *     --cpu               counts the processors' time instead of the clock's, on a machine that others use
 *     --print             leaves RESULTS.md as it is
 */
const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "100000" },
    store: { type: "string" },
    requests: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    cpu: { type: "boolean", default: false },
    print: { type: "boolean", default: false },
  },
});
/** Long enough for the collector to give back what loading took. */
const SETTLE_MS = 10_000;
const ROUNDS = 3;

const now = options.cpu ? cpuTime : () => performance.now() * 1_000;
const store = options.store ?? storeOf(Number(options.listings));
const requests = Number(options.requests);
const empty = resident();
const began = performance.now();
const cpuBefore = cpuTime();
const engine = await loadEngine(store);
await engine.search({ sort: "score", page: 1, limit: 24 });
const ms = performance.now() - began;
const cpuMs = (cpuTime() - cpuBefore) / 1_000;
await sleep(SETTLE_MS);
const loaded = resident();
note("loaded");
const summaries = await summariesOf(engine);
const warmUp = Math.ceil(requests / 4);
const workload = makeWorkload(summaries, Number(options.seed), requests + warmUp);
const rows: string[][] = [];
for (const read of READS) {
  const asks = askers(read, workload[read]);
  for (const ask of asks.slice(0, warmUp)) await ask(engine);
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timesOf(asks.slice(warmUp)));
  const [first = []] = rounds;
  const best = first.map((_, at) => Math.min(...rounds.map((times) => times[at]!)));
  rows.push([read, ...spread(first)], [`${read}, each one's best of three`, ...spread(best)]);
  note(`${read} measured`);
}
report(
  `the engine, ${summaries.length} listings in search`,
  [
    `${requests} requests of each read, seed ${options.seed}, ${options.cpu ? "cpu" : "wall"} clock`,
    table(["µs", "median", "p99", "max"], rows),
    `From the store on disk to the first answer ${figure(ms)} ms; CPU time of all threads: ` +
      `${figure(cpuMs)} ms. Resident: ` +
      `${figure(loaded)} MB, ${figure(((loaded - empty) * 2 ** 20) / summaries.length)} bytes a listing.`,
  ],
  options.print,
);
process.exit();

async function timesOf(asks: ReturnType<typeof askers>): Promise<number[]> {
  const times: number[] = [];
  for (const ask of asks) {
    const started = now();
    await ask(engine);
    times.push(now() - started);
  }
  return times;
}

function spread(times: readonly number[]): string[] {
  return [median(times), percentile(times, 0.99), percentile(times, 1)].map(figure);
}

/** Resident megabytes (2^20 bytes) of this process. */
function resident(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1_024;
}
