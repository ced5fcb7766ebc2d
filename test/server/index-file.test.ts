import { open, readdir, readFile, truncate, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { calls } from "../../src/files/calls.js";
import {
  indexPath,
  readIndexFile,
  tidyIndexFiles,
  writeIndexFile,
} from "../../src/server/index-file.js";
import { rescueFrom } from "../../src/server/index-rescue.js";
import { type IndexOptions, loadIndex } from "../../src/server/load.js";
import { openBlock, packMade } from "../../src/server/loaded-index.js";
import { blockOf, packIndex } from "../../src/server/packed-index.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { textAt } from "../../src/store/columns/columns.js";
import { currentId, readStoredManifest } from "../../src/store/reader.js";
import { indexOf, randomListings } from "../engine/directory.js";
import { temporaryFolder } from "../fixtures.js";
import { copiedStore, sha256 } from "../store/trees.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A store of sixty listings, and a function that loads its index and opens it. */
async function aStore() {
  const { store } = await copiedStore();
  const id = (await currentId(store)) ?? "";
  const manifest = await readStoredManifest(store, id);
  const indexFolder = join(store, ".index");
  const path = indexPath(indexFolder, id, true);
  const damages: string[] = [];
  const load = async (options: Partial<IndexOptions> = {}) => {
    const small = { indexRowsMin: 1, outsideBytesMax: 0 };
    const kept = { isAside: false, indexFolder, ...small, ...options };
    const { block, file } = await loadIndex({ store, id, manifest }, kept);
    if (file !== null) onTestFinished(() => file.file.close());
    const rescue = rescueFrom(store, manifest, () => damages.push("damaged"));
    const opened = openBlock(block, file?.file.fd ?? null, rescue);
    const { index, summaryAt, directories, reports } = opened;
    const all = {
      index,
      reports,
      summaries: () => Array.from({ length: index.size }, (_, at) => text(summaryAt(at))),
      scans: () =>
        (directories ?? []).map(({ scans, hashes }) =>
          Array.from(hashes.keys(), (row) => textAt(scans, row)),
        ),
      directories: directories?.map(({ scans: _, ...columns }) => columns),
    };
    return { ...all, isFromFile: file !== null };
  };
  return { store, manifest, indexFolder, path, load, damages };
}

type Loaded = Awaited<ReturnType<Awaited<ReturnType<typeof aStore>>["load"]>>;

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function expectSame(one: Loaded, other: Loaded): void {
  expect(one.index).toEqual(other.index);
  expect(one.summaries()).toEqual(other.summaries());
  expect(one.directories).toEqual(other.directories);
  expect(one.scans()).toEqual(other.scans());
  expect(one.reports).toBe(60);
}

/** Changes a byte of a file. */
async function damage(path: string, at: number): Promise<void> {
  const file = await open(path, "r+");
  const byte = new Uint8Array(1);
  await file.read(byte, 0, 1, at);
  byte[0]! ^= 0x10;
  await file.write(byte, 0, 1, at);
  await file.close();
}

describe("the index file", () => {
  it("gives the arrays and texts that the tables give, in this thread and in another", async () => {
    const { load, path } = await aStore();
    const made = await load({ indexFolder: null });
    expect(made.isFromFile).toBe(false);
    expect(made.index.size).toBe(60);
    expect(made.summaries()[0]).toMatch(/^\{"host":"/);
    const first = await load();
    const bytes = await readFile(path);
    const second = await load({ freeBytes: 1e6 });
    expect([first.isFromFile, second.isFromFile]).toEqual([true, true]);
    expectSame(first, made);
    expectSame(second, made);
    expectSame(await load({ indexFolder: null, aloneRowsMax: 0 }), made);
    await writeFile(path, "");
    expectSame(await load({ aloneRowsMax: 0 }), made);
    expect(await readFile(path)).toEqual(bytes);
  });

  it("is not read if it is damaged, cut or too large, and is written again", async () => {
    const { load, path } = await aStore();
    const made = await load();
    const good = await readFile(path);
    const { blockBytes } = packedFacts(good);
    const places = [0, 8, 15, 23, 31, 40, 130, 400, blockBytes / 2, blockBytes - 70];
    for (const at of places.map(Math.floor)) {
      await writeFile(path, good);
      await damage(path, at);
      expect(await readIndexFile(path, 1e9, 0), `byte ${at}`).toBeNull();
    }
    for (const length of [0, 63, 127, 128, blockBytes, good.length - 1]) {
      await writeFile(path, good);
      await truncate(path, length);
      expect(await readIndexFile(path, 1e9, 0), `${length} bytes`).toBeNull();
    }
    await writeFile(path, Buffer.concat([good, good.subarray(0, 1)]));
    expect(await readIndexFile(path, 1e9, 0)).toBeNull();
    expectSame(await load(), made);
    expect(await readFile(path)).toEqual(good);
    expect(await readIndexFile(path, blockBytes - 1, 0)).toBeNull();
    const whole = await readIndexFile(path, blockBytes, 0);
    expect(whole?.block.byteLength).toBe(blockBytes);
    await whole?.file?.file.close();
  });

  it("is read as a whole if its texts are few, and then nothing of it is used if any byte is damaged", async () => {
    const { load, path, damages } = await aStore();
    const made = await load({ indexFolder: null });
    expect((await load()).isFromFile).toBe(true);
    const good = await readFile(path);
    const { blockBytes } = packedFacts(good);
    const whole = await load({ outsideBytesMax: good.length - blockBytes });
    expect(whole.isFromFile).toBe(false);
    expectSame(whole, made);
    // It is in memory: damage that comes later does not matter.
    await damage(path, blockBytes + 300);
    expectSame(whole, made);
    expect(damages).toEqual([]);
    expect(await readIndexFile(path, 1e9, 1e9)).toBeNull();
    for (const at of [64, 95, blockBytes, good.length - 70]) {
      await writeFile(path, good);
      await damage(path, at);
      expect(await readIndexFile(path, 1e9, 1e9), `byte ${at}`).toBeNull();
    }
    await writeFile(path, good);
    expect((await readIndexFile(path, 1e9, 1e9))?.block.byteLength).toBe(good.length);
    const { file } = (await readIndexFile(path, 1e9, good.length - blockBytes - 1)) ?? {};
    expect(file?.path).toBe(path);
    await file?.file.close();
  });

  it("that is damaged while it is in use is reported once, and its texts are read from the store", async () => {
    const { load, path, damages, store, manifest } = await aStore();
    const made = await load({ indexFolder: null });
    const loaded = await load();
    expectSame(loaded, made);
    const { blockBytes } = packedFacts(await readFile(path));
    for (let at = blockBytes; at < (await readFile(path)).length; at += 97) await damage(path, at);
    expect(damages).toEqual([]);
    expectSame(loaded, made);
    expect(damages).toEqual(["damaged"]);
    await truncate(path, blockBytes);
    expectSame(loaded, made);
    for (const { table } of manifest.segments) await damage(join(store, table.file), 30);
    expect(() => loaded.summaries()).toThrow(BadSnapshotError);
    expect(() => loaded.summaries()).toThrow("does not match the manifest");
    for (const { pack } of manifest.segments) await damage(join(store, pack.file), pack.bytes - 9);
    expect(() => loaded.scans()).toThrow("does not match the manifest");
  });

  it("is left out where it cannot be written: if a file is in the folder's place, or the disk is full", async () => {
    const { load, indexFolder, store } = await aStore();
    const made = await load({ indexFolder: null });
    await writeFile(indexFolder, "");
    const loaded = await load();
    expect(loaded.isFromFile).toBe(false);
    expectSame(loaded, made);
    const other = join(store, "other");
    const { write } = calls;
    let left = 3_000;
    vi.spyOn(calls, "write").mockImplementation((descriptor, bytes, from) => {
      left -= bytes.length - from;
      if (left < 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      return write(descriptor, bytes, from);
    });
    const full = await load({ indexFolder: other });
    expect(full.isFromFile).toBe(false);
    expectSame(full, made);
    expect(await readdir(other)).toEqual([]);
  });

  it("is deleted once another snapshot is loaded, as abandoned ones are; files of others stay", async () => {
    const folder = join(await temporaryFolder(), "deep", "index");
    const packed = packIndex({ numbers: Uint32Array.of(1, 2, 3) });
    const [one = "", other = "", last = ""] = [..."abc"].map((digit) => digit.repeat(32));
    for (const id of [one, other, last])
      expect(await writeIndexFile(indexPath(folder, id, true), packed)).toBe(true);
    const program = `${last}-00000000.index`;
    const abandoned = `.new-0123456789abcdef-${one}-01234567.index`;
    const recent = `.new-fedcba9876543210-${one}-01234567.index`;
    for (const name of [program, abandoned, recent, "README", "a.index"])
      await writeFile(join(folder, name), "");
    await utimes(join(folder, abandoned), 1e9, 1e9);
    await tidyIndexFiles(folder, last);
    const kept = [recent, "README", "a.index", program, basename(indexPath(folder, last, true))];
    expect((await readdir(folder)).sort()).toEqual(kept.sort());
    await tidyIndexFiles(join(folder, "none"), last);
  });

  it("has another format number whenever the same listings would give other bytes", () => {
    const index = indexOf(randomListings(1, 50));
    const block = blockOf(packMade({ index, directories: null, reports: null }), true);
    // If this fails, INDEX_FORMAT of index-file.ts has to grow: servers would read the files of older programs.
    expect(sha256(new Uint8Array(block))).toBe(
      "dd04b33cdb809e2ed09c783b817252a664a37e7225850ce0388f8a32070d1eb1",
    );
  });
});

/** The lengths that an index file begins with. */
function packedFacts(file: Uint8Array): { readonly blockBytes: number } {
  return { blockBytes: new DataView(file.buffer, file.byteOffset).getFloat64(16) };
}
