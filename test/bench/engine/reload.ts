import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { SnapshotHolder } from "../../../src/runtime/snapshot/current-snapshot.js";
import { StoreWatcher } from "../../../src/runtime/snapshot/reload.js";
import { childInput, childOutput } from "./child.js";
import { askers, loadRequests } from "./requests.js";
import { READS } from "./workload.js";

/** Measures how long requests wait in a process that follows a store, while it goes over to another snapshot. */
export interface ReloadInput {
  readonly store: string;
  readonly folder: string;
  /** `current.json` as it names the snapshot before, and the one to go over to. */
  readonly before: string;
  readonly after: string;
}

/** Milliseconds. */
export interface ReloadOutput {
  /** From the publishing to the first answer from the new snapshot. */
  readonly took: number;
  readonly requests: number;
  /** From when a request was due to when it was answered: the longest, and the longest as long without a reload. */
  readonly longest: number;
  readonly longestBefore: number;
  /** Requests that waited over 10 and over 50 ms during the reload. */
  readonly over10: number;
  readonly over50: number;
}

/** A request is due every so often. */
const DUE_EVERY_MS = 4;
const QUIET_MS = 5_000;
/** Load goes on for so long after the new snapshot answers: the old one is let go. */
const AFTER_MS = 2_000;

const { store, folder, before, after } = childInput<ReloadInput>();
publish(before);
let refusal = "";
const holder = new SnapshotHolder(store, 0);
const watcher = new StoreWatcher({
  store,
  log: (message, kind) => {
    if (kind === "trouble") refusal = message;
  },
  adopt: (id) => holder.adopt(id),
  onReload: () => {},
});
await watcher.start();
const { warmUp, measured } = loadRequests(folder);
const asks = READS.flatMap((read) => askers(read, [...warmUp[read], ...measured[read]]));
let asked = 0;
const former = holder.current;

await waitsWhile(() => asked < asks.length);
const quietUntil = performance.now() + QUIET_MS;
const quiet = await waitsWhile((now) => now < quietUntil);
const published = performance.now();
publish(after);
let swapped = 0;
const waits = await waitsWhile((now) => {
  if (refusal !== "") throw new Error(refusal);
  if (swapped === 0 && holder.current !== former) swapped = now;
  return swapped === 0 || now < swapped + AFTER_MS;
});
const output: ReloadOutput = {
  took: swapped - published,
  requests: waits.length,
  longest: longestOf(waits),
  longestBefore: longestOf(quiet),
  over10: waits.filter((wait) => wait > 10).length,
  over50: waits.filter((wait) => wait > 50).length,
};
await watcher.close();
holder.close();
childOutput(output);

/** Answers a request whenever one is due, the event loop's turns between them. @returns each one's wait */
async function waitsWhile(goesOn: (now: number) => boolean): Promise<number[]> {
  const waited: number[] = [];
  let due = performance.now();
  for (let now = due; goesOn(now); now = performance.now()) {
    // What comes due while the loop is held is answered one a turn, as arriving requests would be.
    if (now >= due) {
      asks[asked % asks.length]!(holder.current!.engine);
      asked += 1;
      waited.push(performance.now() - due);
      due += DUE_EVERY_MS;
    }
    await turn();
  }
  return waited;
}

function longestOf(waited: readonly number[]): number {
  return waited.reduce((longest, wait) => Math.max(longest, wait), 0);
}

function publish(current: string): void {
  const unfinished = join(store, "current.json.bench");
  writeFileSync(unfinished, current);
  renameSync(unfinished, join(store, "current.json"));
}
