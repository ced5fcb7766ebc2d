import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { loadEngine } from "./adapter.js";
import { childInput, childOutput } from "./child.js";
import { type Answerer, askers, loadRequests, time } from "./requests.js";
import { READS } from "./workload.js";

/** Measures what this process holds with a store loaded, before and after corrections. */
export interface MemoryInput {
  readonly store: string;
  readonly folder: string;
}

/** Resident megabytes (2^20 bytes). */
export interface MemoryOutput {
  readonly loaded: number;
  /** After all texts that are nowhere were asked for, and so corrected. */
  readonly corrected: number;
  /** Milliseconds of the first correction, which makes what the others use. */
  readonly firstCorrection: number;
}

/** Long enough for the collector to notice that nothing goes on, and to give back what loading took. */
const SETTLE_MS = 10_000;
const ASKED = 300;

const { store, folder } = childInput<MemoryInput>();
const engine: Answerer = await loadEngine(store);
const { measured, misses } = loadRequests(folder);
await sleep(SETTLE_MS);
for (const read of READS) {
  const missed = new Set(misses[read]);
  const found = measured[read].filter((raw) => !missed.has(raw)).slice(0, ASKED);
  await time(engine, askers(read, found), "wall");
}
await sleep(SETTLE_MS);
const loaded = resident();
const [firstCorrection = 0] = await time(
  engine,
  askers("search", withTextAlone(misses.search)),
  "wall",
);
await time(engine, askers("suggestions", misses.suggestions), "wall");
await sleep(SETTLE_MS);
const output: MemoryOutput = {
  loaded,
  corrected: resident(),
  firstCorrection: firstCorrection / 1_000,
};
childOutput(output);

function withTextAlone(raws: readonly string[]): string[] {
  return raws.map((raw) => {
    const q = new URLSearchParams(raw).get("q") ?? "";
    return new URLSearchParams({ q }).toString();
  });
}

function resident(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
