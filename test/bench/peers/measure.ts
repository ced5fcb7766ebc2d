import { readFileSync } from "node:fs";
import { join } from "node:path";
import { childInput, childOutput } from "../engine/child.js";
import { askers, type Clock, loadRequests, time } from "../engine/requests.js";
import { median } from "../engine/statistics.js";
import type { Read } from "../engine/workload.js";
import { readCatalog } from "./catalog.js";
import { SqlitePeer } from "./sqlite.js";

/** Measures the peer in this process, and compares its answers with the engine's. */
export interface PeerInput {
  readonly folder: string;
  readonly reads: readonly Read[];
  readonly clock: Clock;
}

export interface PeerOutput {
  /** To make its index from listings in memory, seconds. */
  readonly built: number;
  /** Resident megabytes (2^20 bytes) with the index, the listings and the requests. */
  readonly resident: number;
  readonly reads: Readonly<Partial<Record<Read, PeerTimes>>>;
}

export interface PeerTimes {
  /** Microseconds a request, in the requests' order; of the first ones where all would take too long. */
  readonly times: readonly number[];
  /** Answers compared with the engine's, and those that have the same bytes but for `didYouMean`. */
  readonly compared: number;
  readonly same: number;
}

/** Warming up ends after this time. */
const WARM_UP_MS = 3_000;
/** Where all requests would take longer than this, only the first ones are asked, for the time below. */
const ALL_MS = 60_000;
const SOME_MS = 20_000;
/** Asked at least, whatever time they take. */
const LEAST = 100;
const DID_YOU_MEAN = /,"didYouMean":\[[^\]]*\](?=\}$)/;

const { folder, reads, clock } = childInput<PeerInput>();
const requests = loadRequests(folder);
const answers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8")) as Record<
  Read,
  string[]
>;
const catalog = readCatalog(folder);
const started = performance.now();
const answerer = new SqlitePeer(catalog);
const built = (performance.now() - started) / 1_000;
const measured: Partial<Record<Read, PeerTimes>> = {};
for (const read of reads) measured[read] = measure(read);
const status = readFileSync("/proc/self/status", "utf8");
const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
const output: PeerOutput = { built, resident, reads: measured };
childOutput(output);

function measure(read: Read): PeerTimes {
  const asks = askers(read, requests.measured[read]);
  const inFull = median(warmUp(read)) * asks.length < ALL_MS * 1_000;
  const end = performance.now() + (inFull ? ALL_MS : SOME_MS);
  const times: number[] = [];
  for (const ask of asks) {
    if (times.length >= LEAST && performance.now() > end) break;
    times.push(...time(answerer, [ask], clock));
  }
  const compared = answers[read].slice(0, times.length);
  const same = compared.filter((expected, at) => {
    const given = Buffer.from(asks[at]!(answerer)).toString("utf8");
    return given === expected.replace(DID_YOU_MEAN, "");
  });
  return { times, compared: compared.length, same: same.length };
}

/** Asks requests that are not measured. @returns microseconds a request */
function warmUp(read: Read): number[] {
  const end = performance.now() + WARM_UP_MS;
  const times: number[] = [];
  for (const ask of askers(read, requests.warmUp[read])) {
    times.push(...time(answerer, [ask], clock));
    if (performance.now() > end) break;
  }
  return times;
}
