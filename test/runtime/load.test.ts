import { readdirSync } from "node:fs";
import { readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { loadIndex } from "../../src/runtime/load.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import type { Manifest } from "../../src/store/format.js";
import { manifestOf } from "../store/forge.js";
import { builtStore, manyListings } from "../store/trees.js";

/** The codes with which threads that are started from now on end. */
function exitCodes(): number[] {
  const codes: number[] = [];
  const onWorker = (worker: Worker) => worker.once("exit", (code) => codes.push(code));
  process.on("worker", onWorker);
  onTestFinished(() => {
    process.off("worker", onWorker);
  });
  return codes;
}

async function aLoad(store: string, edit: (buckets: Manifest["buckets"]) => void = () => {}) {
  const { buckets, vocabulary } = await manifestOf(store);
  edit(buckets);
  return loadIndex({ store, buckets, vocabulary, isAside: false });
}

it("threads have ended by themselves when the index is there", async () => {
  const { store } = await builtStore(manyListings());
  const codes = exitCodes();
  expect((await aLoad(store)).index.size).toBe(600);
  expect(codes).toEqual([0, 0]);
});

it("a loading that fails lets its threads end by themselves, and leaves no file open, however often", async () => {
  const { store, result } = await builtStore(manyListings());
  const columns = join(store, (await manifestOf(store)).buckets[3]?.columns.file ?? "");
  const good = await readFile(columns);
  await truncate(columns, good.length - 8);
  const load = () => LoadedSnapshot.load(store, result.id);
  const open = () => readdirSync("/proc/self/fd").length;
  await expect(load()).rejects.toThrow(BadSnapshotError);
  const codes = exitCodes();
  const before = process.platform === "linux" ? open() : 0;
  for (let times = 0; times < 4; times += 1) {
    await expect(load()).rejects.toThrow("is not what the manifest says");
  }
  expect(codes).toEqual(Array(8).fill(0));
  if (process.platform === "linux") expect(open()).toBeLessThan(before + 5);
  await writeFile(columns, good);
  (await load()).release();
});

it("a thread that dies, or cannot be started, ends the loading and the other thread", async () => {
  const { store } = await builtStore(manyListings());
  const codes = exitCodes();
  // More memory than there is.
  const tooMuch = aLoad(store, ([first]) => {
    if (first !== undefined) first.columns.bytes = 2 ** 52;
  });
  await expect(tooMuch).rejects.toThrow(RangeError);
  expect(codes.sort()).toEqual([0, 1]);
  const { buckets, vocabulary } = await manifestOf(store);
  const unheard = Object.assign(vocabulary, { signals: [() => {}] });
  const work = { store, buckets, vocabulary: unheard, isAside: false };
  await expect(loadIndex(work)).rejects.toThrow("could not be cloned");
  expect(codes).toHaveLength(2);
});

it("columns in each other's place, of the same length or not, are refused", async () => {
  const { store, result } = await builtStore(manyListings());
  const { buckets } = await manifestOf(store);
  const [one, other] = buckets.map(({ columns }) => join(store, columns.file));
  await rename(one ?? "", join(store, "aside"));
  await rename(other ?? "", one ?? "");
  await rename(join(store, "aside"), other ?? "");
  await expect(LoadedSnapshot.load(store, result.id)).rejects.toThrow(buckets[0]?.columns.file);
});
