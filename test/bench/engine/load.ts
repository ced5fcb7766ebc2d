import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SearchQuery } from "../../../src/contract/query.js";
import { loadSnapshot } from "./adapter.js";
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
  /** By the wall's clock: until it answers, until all is loaded; and all threads' time together. */
  readonly milliseconds: number;
  readonly wholeMilliseconds: number;
  readonly cpuMilliseconds: number;
}

const { store, entries } = childInput<LoadInput>();
const query = SearchQuery.parse({});
const [started, idle] = [CLOCKS.wall(), CLOCKS.cpu()];
let answered = 0;
const loaded = store === undefined ? parseAll(entries!) : await answerFirst(store);
const ended = CLOCKS.wall();
const output: LoadOutput = {
  milliseconds: ((answered || ended) - started) / 1_000,
  wholeMilliseconds: (ended - started) / 1_000,
  cpuMilliseconds: (CLOCKS.cpu() - idle) / 1_000,
};
if (loaded === 0) throw new Error("nothing was loaded");
childOutput(output);

async function answerFirst(from: string): Promise<number> {
  const { engine, extended } = await loadSnapshot(from);
  const { length } = engine.search(query);
  answered = CLOCKS.wall();
  await extended;
  return length;
}

function parseAll(folder: string): number {
  const shards = readdirSync(folder).map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return JSON.parse(text) as { entries: unknown[] };
  });
  return shards.reduce((sum, shard) => sum + shard.entries.length, 0);
}
