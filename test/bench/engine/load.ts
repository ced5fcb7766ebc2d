import { LIMITS } from "../../../src/contract/limits.js";
import type { SearchQuery } from "../../../src/contract/query.js";
import { loadEngine } from "./adapter.js";
import { childInput, childOutput } from "./child.js";
import { CLOCKS } from "./requests.js";

/** Measures, in this process, the way from files to a first answer. */
export interface LoadOutput {
  /** By the wall's clock; and all threads' time together. */
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
}

const { store } = childInput<{ readonly store: string }>();
const query: SearchQuery = { sort: "score", page: 1, limit: LIMITS.pageSizeDefault };
const [started, idle] = [CLOCKS.wall(), CLOCKS.cpu()];
const { length } = await (await loadEngine(store)).search(query);
const output: LoadOutput = {
  milliseconds: (CLOCKS.wall() - started) / 1_000,
  cpuMilliseconds: (CLOCKS.cpu() - idle) / 1_000,
};
if (length === 0) throw new Error("nothing was loaded");
childOutput(output);
