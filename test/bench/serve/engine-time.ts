import { loadEngine } from "../engine/adapter.js";
import { childInput, childOutput } from "../engine/child.js";
import { askers, CLOCKS, loadRequests } from "../engine/requests.js";
import { READS, type Read } from "../engine/workload.js";

/** Measures what the engine takes for each read's requests, in a process without a server. */
export interface EngineTimeInput {
  readonly store: string;
  readonly folder: string;
}

/** Microseconds of processors' time a request, on average. */
export type EngineTimes = Readonly<Record<Read, number>>;

const ROUNDS = 3;

const { store, folder } = childInput<EngineTimeInput>();
const engine = await loadEngine(store);
const { warmUp, measured } = loadRequests(folder);
const times: [Read, number][] = [];
for (const read of READS) {
  for (const ask of askers(read, warmUp[read])) await ask(engine);
  const asks = askers(read, measured[read]);
  const started = CLOCKS.cpu();
  for (let round = 0; round < ROUNDS; round += 1) for (const ask of asks) await ask(engine);
  times.push([read, (CLOCKS.cpu() - started) / (ROUNDS * asks.length)]);
}
childOutput(Object.fromEntries(times) as EngineTimes);
process.exit(0);
