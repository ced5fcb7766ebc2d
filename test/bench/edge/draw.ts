import { seeded, shuffled } from "../../oracle/random.js";
import { loadEngine } from "../engine/adapter.js";
import { childInput, childOutput } from "../engine/child.js";
import { makePool, poolListing, summariesOf } from "../engine/pool.js";
import { makeWorkload } from "../engine/workload.js";
import { drawnHosts, zipfDraws } from "../serve/hosts.js";
import {
  type Drawing,
  EDGE_READS,
  type EdgeRead,
  type EdgeRequest,
  type EdgeRequests,
} from "./requests.js";

/** Draws the requests of `bench:edge`: queries as people type and click, and hosts of reports by Zipf's law. */
const SEED = 1;

const { store, warmUp, measured } = childInput<Drawing>();
const total = warmUp + measured;
const pool = makePool((await summariesOf(await loadEngine(store))).map(poolListing));
const { search, facets, suggestions } = makeWorkload(pool, SEED, total);
const [first = "", ...explored] = makeWorkload(pool, SEED + 1, total + 1).search;
const hosts = zipfDraws(await drawnHosts(store, SEED), SEED, total);
const targets: Record<EdgeRead, readonly string[]> = {
  search: search.map((query) => `/api/sites?${query}`),
  facets: facets.map((query) => `/api/sites/facets?${query}`),
  suggestions: suggestions.map((query) => `/api/sites/suggestions?${query}`),
  "report page": hosts.map((host) => `/sites/${host}`),
  explorer: explored.map((query) => `/?${query}`),
};
const output: EdgeRequests = {
  first: { read: "search", target: `/api/sites?${first}` },
  warmUp: mixed(0, warmUp),
  measured: mixed(warmUp, total),
};
childOutput(output);

function mixed(from: number, to: number): EdgeRequest[] {
  const some = EDGE_READS.flatMap((read) =>
    targets[read].slice(from, to).map((target) => ({ read, target })),
  );
  return shuffled(seeded(SEED), some);
}
