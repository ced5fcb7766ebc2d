import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runChild } from "./engine/child.js";
import type { LoadOutput } from "./engine/load.js";
import type { MemoryOutput } from "./engine/memory.js";
import type { Prepared } from "./engine/prepare.js";
import type { ReadsOutput } from "./engine/reads.js";
import { loadSection, memorySection, readSection, slowestSection } from "./engine/report.js";
import type { Clock } from "./engine/requests.js";
import { FOLDER, storeOf } from "./engine/stores.js";
import { READS } from "./engine/workload.js";
import { dated, MACHINE, note, report } from "./kit.js";

/**
 * `npm run bench:engine [-- options]`: the engine, part after part, each measurement in a
 * process of its own; the figures go into RESULTS.md. Options:
 *
 *     --listings 100000   the sample's size; --store <folder> measures a store that is there instead
 *     --only <parts>      some of search, facets, suggestions, slowest, load, memory
 *     --requests 2000     of each read; --seed 1 draws others
 *     --clock cpu         counts work instead of time, on a machine that others use
 *     --print             leaves RESULTS.md as it is
 */
const PARTS = [...READS, "slowest", "load", "memory"] as const;
/** Measurements of loading, whose median is taken. */
const LOADS = 3;
/** Megabytes of V8's heap where it is not what is measured. */
const ROOMY = ["--max-old-space-size=16000"];

const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "100000" },
    store: { type: "string" },
    only: { type: "string", default: PARTS.join() },
    requests: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    clock: { type: "string", default: "wall" },
    print: { type: "boolean", default: false },
  },
});
const parts = options.only.split(",");
const listings = Number(options.listings);
const clock: Clock = options.clock === "cpu" ? "cpu" : "wall";
const unknown = parts.find((part) => !PARTS.some((known) => known === part));
if (unknown !== undefined) throw new Error(`no part is called ${unknown}`);
const reads = READS.filter((read) => parts.includes(read));

const store = options.store ?? storeOf(listings);
const work = join(FOLDER, "work");
const prepared = await prepare(store, work);
note(`${prepared.size} listings in search`);
const sections = [
  dated(`the engine, ${prepared.size} listings in search`),
  `${MACHINE}; ${options.requests} requests of each read, seed ${options.seed}, no result cache, ${clock} clock`,
];
if (reads.length > 0 || parts.includes("slowest")) await measureReads();
if (parts.includes("load")) sections.push(await load());
if (parts.includes("memory")) sections.push(await memory());
rmSync(work, { recursive: true });
report(sections, options.print);

function prepare(from: string, folder: string): Promise<Prepared> {
  const { requests, seed } = options;
  const input = { store: from, folder, requests: Number(requests), seed: Number(seed) };
  return runChild<Prepared>("engine/prepare.js", input, ROOMY);
}

async function measureReads(): Promise<void> {
  const slowest = parts.includes("slowest");
  const input = { store, folder: work, slowest, clock };
  const ours = await runChild<ReadsOutput>("engine/reads.js", input);
  note("engine measured");
  for (const read of reads) sections.push(readSection(read, ours, prepared));
  if (slowest) sections.push(slowestSection(ours));
}

async function load(): Promise<string> {
  const loads: LoadOutput[] = [];
  for (let round = 0; round < LOADS; round += 1) {
    loads.push(await runChild<LoadOutput>("engine/load.js", { store }));
  }
  note("load measured");
  return loadSection(loads);
}

async function memory(): Promise<string> {
  const measured = await runChild<MemoryOutput>("engine/memory.js", { store, folder: work });
  note("memory measured");
  return memorySection({ size: prepared.size, empty: emptyProcess(), ...measured });
}

/** Resident megabytes of a process that does nothing. */
function emptyProcess(): number {
  const read = `console.log(require("fs").readFileSync("/proc/self/status", "utf8"))`;
  const { stdout } = spawnSync(process.execPath, ["-e", `setTimeout(() => ${read}, 2000)`], {
    encoding: "utf8",
  });
  return Number(/VmRSS:\s+(\d+)/.exec(stdout)?.[1]) / 1_024;
}
