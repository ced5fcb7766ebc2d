import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../../src/contract/limits.js";
import type { SearchQuery } from "../../../src/contract/query.js";
import { loadEngine } from "./adapter.js";
import { childInput, childOutput } from "./child.js";
import { CLOCKS } from "./requests.js";

/** Measures, in this process, the way from files to a first answer, or its floor. */
export interface LoadInput {
  /** A store to be loaded, or */
  readonly store?: string;
  /** a folder of shards to be read and parsed. */
  readonly entries?: string;
}

export interface LoadOutput {
  /** By the wall's clock; and all threads' time together. */
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
}

const { store, entries } = childInput<LoadInput>();
const query: SearchQuery = { sort: "score", page: 1, limit: LIMITS.pageSizeDefault };
const [started, idle] = [CLOCKS.wall(), CLOCKS.cpu()];
const loaded = store === undefined ? parseAll(entries!) : await answerFirst(store);
const output: LoadOutput = {
  milliseconds: (CLOCKS.wall() - started) / 1_000,
  cpuMilliseconds: (CLOCKS.cpu() - idle) / 1_000,
};
if (loaded === 0) throw new Error("nothing was loaded");
childOutput(output);

async function answerFirst(from: string): Promise<number> {
  return (await loadEngine(from)).search(query).length;
}

function parseAll(folder: string): number {
  const shards = readdirSync(folder).map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return JSON.parse(text) as { entries: unknown[] };
  });
  return shards.reduce((sum, shard) => sum + shard.entries.length, 0);
}
