import { readdirSync } from "node:fs";
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { ROOT, stepGram } from "../../src/engine/text.js";
import { rescueFrom } from "../../src/server/index-rescue.js";
import { type IndexOptions, indexOf, loadIndex } from "../../src/server/load.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { openBlock } from "../../src/server/loaded-index.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import type { Manifest } from "../../src/store/format.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { repeated, someOf } from "../slow.js";
import { manifestOf } from "../store/forge.js";
import { copiedStore } from "../store/trees.js";

const ID = "0".repeat(32);

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

/** Loads an index, and opens it. @param options Default: in a thread, as large snapshots are loaded */
async function load(
  store: string,
  manifest: Pick<Manifest, "segments" | "vocabulary">,
  options: Partial<IndexOptions> = { aloneRowsMax: 0 },
) {
  const source = { store, id: ID, manifest } as StoredSnapshot;
  const { block, file } = await loadIndex(source, { isAside: false, ...options });
  if (file !== null) onTestFinished(() => file.file.close());
  return openBlock(
    block,
    file?.file.fd ?? null,
    rescueFrom(store, manifest, () => {}),
  );
}

async function aLoad(store: string, edit: (segments: Manifest["segments"]) => void = () => {}) {
  const { segments, vocabulary } = await manifestOf(store);
  edit(segments);
  return load(store, { segments, vocabulary });
}

it("an index is complete when it is handed over, with or without a thread, which has ended", async () => {
  const { store } = await copiedStore();
  const manifest = await manifestOf(store);
  const codes = exitCodes();
  const alone = await load(store, manifest, {});
  expect(codes).toEqual([]);
  const { index } = await load(store, manifest, { isAside: true, aloneRowsMax: 0 });
  expect(codes).toEqual([0]);
  expect(alone.index).toEqual(index);
  expect(index.size).toBe(60);
  const { grams, all } = index.postings;
  let gram = ROOT;
  // All hosts begin with this, so each of its beginnings is a gram, up to the longest.
  for (const unit of "site-") gram = stepGram(grams, gram, unit.charCodeAt(0));
  expect(all.counts[gram]).toBe(60);
  expect(index.words.texts.length).toBeGreaterThan(60);
});

it("a snapshot that does not fit into memory is refused before anything is read", async () => {
  const { store } = await copiedStore();
  const manifest = await manifestOf(store);
  const loadWith = (freeBytes: number) => load(store, manifest, { isAside: true, freeBytes });
  await expect(loadWith(60 * 5_500 - 1)).rejects.toThrow(
    "it has 60 listings in search, and loading them takes about 1 MB of memory, of which 1 MB are " +
      "free: give the process more memory",
  );
  expect((await loadWith(60 * 5_500)).index.size).toBe(60);
});

it("a snapshot whose arrays the process cannot allocate is refused as too large", async () => {
  const { store } = await copiedStore();
  const { segments, vocabulary } = await manifestOf(store);
  const isFull = () => Promise.reject(new RangeError("Array buffer allocation failed"));
  const made = indexOf({ store, hasPacks: true, segments, vocabulary }, isFull);
  await expect(made).rejects.toBeInstanceOf(BadSnapshotError);
  await expect(made).rejects.toThrow(
    "it is too large for this process: Array buffer allocation failed",
  );
});

it("a load that fails lets its thread end by itself, and leaves no file open, however often", async () => {
  const { store } = await copiedStore();
  const table = join(store, (await manifestOf(store)).segments[3]?.table.file ?? "");
  const good = await readFile(table);
  await truncate(table, good.length - 8);
  const TIMES = repeated(1, 4);
  const loadAll = () => aLoad(store);
  const open = () => readdirSync("/proc/self/fd").length;
  await expect(loadAll()).rejects.toThrow(BadSnapshotError);
  const codes = exitCodes();
  const before = process.platform === "linux" ? open() : 0;
  for (let times = 0; times < TIMES; times += 1) {
    await expect(loadAll()).rejects.toThrow("does not match the manifest");
  }
  expect(codes).toEqual(Array(TIMES).fill(0));
  if (process.platform === "linux") expect(open()).toBeLessThan(before + 5);
  await writeFile(table, good);
  expect((await loadAll()).index.size).toBe(60);
});

it("a thread that dies, or cannot be started, ends the load", async () => {
  const { store } = await copiedStore();
  const codes = exitCodes();
  const withoutPack = aLoad(store, ([first]) => {
    Object.assign(first ?? {}, { pack: null });
  });
  await expect(withoutPack).rejects.toThrow(TypeError);
  expect(codes).toEqual([1]);
  const { segments, vocabulary } = await manifestOf(store);
  const unheard = Object.assign(vocabulary, { signals: [() => {}] });
  await expect(load(store, { segments, vocabulary: unheard })).rejects.toThrow(
    "could not be cloned",
  );
  // No thread was started.
  expect(codes).toEqual([1]);
});

it("a pack that is gone, or has another length, is refused by its name", async () => {
  const { store, result } = await copiedStore();
  for (const { pack } of someOf((await manifestOf(store)).segments, 1)) {
    const path = join(store, pack.file);
    const good = await readFile(path);
    await writeFile(path, Buffer.concat([good, good.subarray(0, 1)]));
    const refusal = `${pack.file} has ${pack.bytes + 1} bytes, expected ${pack.bytes}`;
    await expect(loadSnapshot(store, result.id)).rejects.toThrow(refusal);
    await rm(path);
    await expect(loadSnapshot(store, result.id)).rejects.toThrow(pack.file);
    await expect(loadSnapshot(store, result.id)).rejects.toThrow(BadSnapshotError);
    await writeFile(path, good);
  }
});

it("a load that takes too long ends with its thread and is refused, and the next one succeeds", async () => {
  const { store, result } = await copiedStore();
  const stored = await StoredSnapshot.openManifest(store, result.id);
  onTestFinished(() => stored.close());
  const inThread = { isAside: false, aloneRowsMax: 0 };
  const late = loadIndex(stored, { ...inThread, stepMs: 1 });
  await expect(late).rejects.toThrow(BadSnapshotError);
  await expect(late).rejects.toThrow("loading it took longer than 0 s");
  expect((await load(store, stored.manifest)).index.size).toBe(60);
  // A manifest that claims more bytes than a file has does not reserve memory for them.
  const { table } = stored.manifest.segments[0]!;
  Object.assign(table, { bytes: 2 ** 53 - 1 });
  const loading = loadIndex(stored, { isAside: false });
  await expect(loading).rejects.toThrow(`${table.file} should have more than`);
});
