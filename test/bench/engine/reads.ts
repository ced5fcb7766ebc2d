import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadEngine } from "./adapter.js";
import type { Adversaries } from "./adversarial.js";
import { childInput, childOutput } from "./child.js";
import { type Answerer, askers, CLOCKS, type Clock, loadRequests, time } from "./requests.js";
import { type Fields, type JoinedText, joinFolded, markHolders } from "./text.js";
import type { Read, Workload } from "./workload.js";

/** Measures the engine's answers in this process, beside the pass that bounds the slowest of them. */
export interface ReadsInput {
  readonly store: string;
  readonly folder: string;
  /** Whether the slowest and the adversarial requests are measured, too. */
  readonly slowest: boolean;
  readonly clock: Clock;
}

/** Microseconds a request, in the requests' order. */
type Times = Readonly<Record<Read, number[]>>;

export interface ReadsOutput {
  /** Each request asked for the first time. */
  readonly first: Times;
  /** Of those, the ones whose text, if any, is in some field that the read looks at. */
  readonly hits: Times;
  /** Each request's best of three. */
  readonly best: Times;
  readonly adversaries: Readonly<Record<keyof Adversaries, Times>> | null;
  /** Microseconds of each pass over all text, and the listings that it marked. */
  readonly scans: readonly number[];
  readonly marked: number;
}

const ROUNDS = 3;
const SCANS_A_ROUND = 5;

const { store, folder, slowest, clock } = childInput<ReadsInput>();
const requests = loadRequests(folder);
const engine: Answerer = await loadEngine(store);
const joined = slowest ? joinFolded(readFields(), 3) : null;
const marks = new Uint8Array(joined?.ends.length ?? 0);
const scans: number[] = [];
let marked = 0;

await timesOf(requests.warmUp);
const first = await timesOf(requests.measured);
scan();
const best = await bestOf(requests.measured, first);
const output: ReadsOutput = {
  first,
  hits: hitsOf(first),
  best,
  adversaries: slowest ? await adversaryTimes(requests.adversaries) : null,
  scans,
  marked,
};
childOutput(output);

async function timesOf(workload: Workload): Promise<Times> {
  const of = (read: Read) => time(engine, askers(read, workload[read]), clock);
  return {
    search: await of("search"),
    facets: await of("facets"),
    suggestions: await of("suggestions"),
  };
}

function hitsOf(times: Times): Times {
  const of = (read: Read): number[] => {
    const missed = new Set(requests.misses[read]);
    return times[read].filter((_, at) => !missed.has(requests.measured[read][at]!));
  };
  return { search: of("search"), facets: of("facets"), suggestions: of("suggestions") };
}

/** Each request's least time of the rounds, the first of which was measured already. */
async function bestOf(workload: Workload, known: Times): Promise<Times> {
  let least = known;
  for (let round = 1; round < ROUNDS; round += 1) {
    const again = await timesOf(workload);
    const of = (read: Read) => least[read].map((one, at) => Math.min(one, again[read][at]!));
    least = { search: of("search"), facets: of("facets"), suggestions: of("suggestions") };
    scan();
  }
  return least;
}

async function adversaryTimes(
  kinds: Adversaries,
): Promise<NonNullable<ReadsOutput["adversaries"]>> {
  const of = async (kind: keyof Adversaries) => bestOf(kinds[kind], await timesOf(kinds[kind]));
  return {
    "long q": await of("long q"),
    "short q": await of("short q"),
    "no q": await of("no q"),
  };
}

function scan(): void {
  if (joined === null) return;
  for (let pass = 0; pass < SCANS_A_ROUND; pass += 1) scans.push(scanOnce(joined));
}

function scanOnce(text: JoinedText): number {
  marks.fill(0);
  const started = CLOCKS[clock]();
  marked = markHolders(text, requests.commonest, marks);
  return CLOCKS[clock]() - started;
}

function readFields(): Fields[] {
  const lines = readFileSync(join(folder, "fields.ndjson"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Fields);
}
