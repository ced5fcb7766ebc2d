import { readFileSync } from "node:fs";
import { join } from "node:path";
import { childInput, childOutput } from "../engine/child.js";
import { type Answerer, askers, loadRequests, time } from "../engine/requests.js";
import type { Read } from "../engine/workload.js";
import { type Catalog, readCatalog } from "./catalog.js";
import { ItemsJsPeer } from "./itemsjs.js";
import { MiniSearchPeer } from "./minisearch.js";
import { OramaPeer } from "./orama.js";
import { SqlitePeer } from "./sqlite.js";
import { PlainSqlitePeer } from "./sqlite-plain.js";

/** Measures one peer in this process, and compares its answers with the engine's. */
export interface PeerInput {
  readonly peer: PeerName;
  readonly folder: string;
  readonly reads: readonly Read[];
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

const PEERS = {
  "better-sqlite3": (catalog: Catalog) => new PlainSqlitePeer(catalog),
  "better-sqlite3, tuned": (catalog: Catalog) => new SqlitePeer(catalog),
  itemsjs: (catalog: Catalog) => new ItemsJsPeer(catalog),
  "@orama/orama": (catalog: Catalog) => OramaPeer.open(catalog),
  minisearch: (catalog: Catalog) => new MiniSearchPeer(catalog),
} as const;
export type PeerName = keyof typeof PEERS;

/** Warming up ends after this time. */
const WARM_UP_MS = 3_000;
/** Where all requests would take longer than this, as many are asked as take the time below. */
const ALL_MS = 60_000;
const SOME_MS = 30_000;
const DID_YOU_MEAN = /,"didYouMean":\[[^\]]*\](?=\}$)/;

const { peer, folder, reads } = childInput<PeerInput>();
const requests = loadRequests(folder);
const answers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8")) as Record<
  Read,
  string[]
>;
const catalog = readCatalog(folder);
const started = performance.now();
const answerer: Answerer = await PEERS[peer](catalog);
const built = (performance.now() - started) / 1_000;
const measured: Partial<Record<Read, PeerTimes>> = {};
for (const read of reads) measured[read] = measure(read);
const status = readFileSync("/proc/self/status", "utf8");
const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
const output: PeerOutput = { built, resident, reads: measured };
childOutput(output);

function measure(read: Read): PeerTimes {
  const mean = warmUp(read);
  const raws = requests.measured[read];
  const count = mean * raws.length > ALL_MS ? Math.ceil(SOME_MS / mean) : raws.length;
  const times = time(answerer, askers(read, raws.slice(0, count)));
  const compared = answers[read].slice(0, count);
  const same = askers(read, raws.slice(0, compared.length)).filter((ask, at) => {
    const given = Buffer.from(ask(answerer)).toString("utf8");
    return given === compared[at]!.replace(DID_YOU_MEAN, "");
  });
  return { times, compared: compared.length, same: same.length };
}

/** @returns milliseconds that a request took, on average */
function warmUp(read: Read): number {
  let spent = 0;
  let asked = 0;
  for (const ask of askers(read, requests.warmUp[read])) {
    const [microseconds = 0] = time(answerer, [ask]);
    spent += microseconds / 1_000;
    asked += 1;
    if (spent > WARM_UP_MS) break;
  }
  return spent / asked;
}
