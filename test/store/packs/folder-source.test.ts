import fs, { readdirSync } from "node:fs";
import fsPromises, { readFile, rename, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FolderSource } from "../../../src/store/packs/folder-source.js";
import { StoredSnapshot } from "../../../src/store/reader.js";
import { answerRef } from "../../../src/store/segments/directory.js";
import { temporaryFolder } from "../../fixtures.js";
import { builtStore, manyListings } from "../trees.js";

/** Reads packs by their numbers, as texts. */
function reading(source: FolderSource) {
  const read = async (pack: number, offset: number, length: number, isAgain = false) =>
    Buffer.from(await source.read(`${pack}`, { offset, length }, length, isAgain));
  return { read, close: () => source.close() };
}

async function packs(count: number, openMax: number) {
  const folder = await temporaryFolder();
  const paths = Array.from({ length: count }, (_, i) => join(folder, String(i)));
  for (const [i, path] of paths.entries()) await writeFile(path, `pack ${i}`);
  return { folder, paths, files: reading(new FolderSource(folder, { openMax })) };
}

const openFiles = () => readdirSync("/proc/self/fd").length;

type ReadSync = (...given: unknown[]) => number;
const realReadSync = fs.readSync as ReadSync;
const realOpen = fsPromises.open;

/** Replaces what packs call to read in the calling thread, and to open a file, until the test is done. */
function replace(calls: { readSync?: ReadSync; open?: (path: string) => Promise<unknown> }): void {
  const set = (readSync: unknown, open: unknown) => {
    Object.assign(fs, { readSync });
    Object.assign(fsPromises, { open });
    syncBuiltinESMExports();
  };
  set(calls.readSync ?? fs.readSync, calls.open ?? fsPromises.open);
  onTestFinished(() => set(realReadSync, realOpen));
}

describe("packs that are kept open", () => {
  it("more of them than may be open are all read right, at the same time and again", async () => {
    const { files } = await packs(40, 2);
    for (let round = 0; round < 3; round += 1) {
      const texts = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => (await files.read(i, 5, 9)).toString("utf8")),
      );
      expect(texts).toEqual(Array.from({ length: 40 }, (_, i) => String(i)));
    }
    files.close();
  });

  it("no more than so many stay open, and none after closing", async () => {
    const before = openFiles();
    const { files } = await packs(40, 3);
    for (let i = 0; i < 40; i += 1) await files.read(i, 0, 4);
    await expect.poll(openFiles).toBe(before + 3);
    files.close();
    await expect.poll(openFiles).toBe(before);
  });

  it("one that is open is read though its name is gone; one that was not there is tried again", async () => {
    const { files, paths } = await packs(2, 2);
    await files.read(0, 0, 4);
    await rm(paths[0] ?? "");
    expect((await files.read(0, 0, 6)).toString("utf8")).toBe("pack 0");
    await rm(paths[1] ?? "");
    await expect(files.read(1, 0, 4)).rejects.toThrow("ENOENT");
    await writeFile(paths[1] ?? "", "pack 1");
    expect((await files.read(1, 0, 6)).toString("utf8")).toBe("pack 1");
    files.close();
  });
});

/** A clock that stands still but where it is told to go on, and the reads that were made at once. */
async function aClockedPack() {
  const { folder, paths } = await packs(1, 1);
  const clock = { now: 0, readMs: 0.01, reads: 0 };
  replace({
    readSync: (...given) => {
      clock.now += clock.readMs;
      clock.reads += 1;
      return realReadSync(...given);
    },
  });
  const files = reading(new FolderSource(folder, { clock: () => clock.now }));
  onTestFinished(() => files.close());
  const read = async () => (await files.read(0, 0, 6)).toString("utf8");
  return { clock, files, read, path: paths[0] ?? "" };
}

describe("packs that are read in the calling thread", () => {
  it("are, once they are open, as long as that is quick; for a second after slow reads others read", async () => {
    const { clock, read } = await aClockedPack();
    expect(await read()).toBe("pack 0");
    expect(clock.reads).toBe(0);
    expect([await read(), await read()]).toEqual(["pack 0", "pack 0"]);
    expect(clock.reads).toBe(2);
    // One that was held up says nothing of the disk.
    clock.readMs = 7;
    await read();
    clock.readMs = 0;
    expect([await read(), await read()]).toEqual(["pack 0", "pack 0"]);
    expect(clock.reads).toBe(5);
    clock.readMs = 3;
    for (let i = 0; i < 4; i += 1) expect(await read()).toBe("pack 0");
    const { reads } = clock;
    expect(reads).toBeLessThan(9);
    clock.now += 999;
    await read();
    expect(clock.reads).toBe(reads);
    clock.now += 2;
    await read();
    expect(clock.reads).toBe(reads + 1);
  });

  it("give bodies that keep their bytes while others are read", async () => {
    const { files, path } = await aClockedPack();
    await writeFile(
      path,
      Array.from({ length: 5_000 }, (_, i) => String(i).padStart(100)).join(""),
    );
    const bodies = [];
    for (let i = 0; i < 5_000; i += 1) bodies.push(await files.read(0, 100 * i, 100));
    const large = await files.read(0, 0, 300_000);
    expect(bodies.map((body) => Number(body.toString("utf8")))).toEqual([...Array(5_000).keys()]);
    expect(large.subarray(299_900).toString("utf8").trim()).toBe("2999");
  });

  it("are read again by their name where what is held cannot be read", async () => {
    const { read } = await aClockedPack();
    await read();
    replace({
      readSync: () => {
        throw Object.assign(new Error("ESTALE"), { code: "ESTALE" });
      },
    });
    expect([await read(), await read()]).toEqual(["pack 0", "pack 0"]);
  });

  it("are read to the end, however little a call gives", async () => {
    const { read, files } = await aClockedPack();
    await read();
    replace({
      readSync: (file, bytes, at, length, from) =>
        realReadSync(file, bytes, at, Math.min(2, Number(length)), from),
    });
    expect(await read()).toBe("pack 0");
    expect((await files.read(0, 5, 100)).toString("utf8")).toBe("0");
    expect((await files.read(0, 50, 100)).length).toBe(0);
  });
});

describe("packs that are read in other threads", () => {
  it("are read to the end, however little a call gives", async () => {
    const { files } = await packs(1, 1);
    replace({
      open: async (path) => {
        const file = await realOpen(path, "r");
        const read = file.read.bind(file) as (...given: unknown[]) => Promise<unknown>;
        const few = (bytes: unknown, at: unknown, length: number, from: unknown) =>
          read(bytes, at, Math.min(2, length), from);
        return Object.assign(file, { read: few });
      },
    });
    expect((await files.read(0, 0, 6)).toString("utf8")).toBe("pack 0");
    expect((await files.read(0, 5, 100)).toString("utf8")).toBe("0");
    files.close();
  });

  it("are all read where the process may have few files, and more stay open when it may again", async () => {
    const { files } = await packs(40, 40);
    let room = 6;
    replace({
      open: async (path) => {
        if (room === 0) throw Object.assign(new Error("EMFILE"), { code: "EMFILE" });
        room -= 1;
        const file = await realOpen(path, "r");
        const close = file.close.bind(file);
        return Object.assign(file, { close: () => close().finally(() => (room += 1)) });
      },
    });
    const readAll = () =>
      Promise.all(
        Array.from({ length: 40 }, async (_, i) => (await files.read(i, 5, 9)).toString("utf8")),
      );
    const all = Array.from({ length: 40 }, (_, i) => String(i));
    for (let round = 0; round < 3; round += 1) expect(await readAll()).toEqual(all);
    room += 100;
    for (let round = 0; round < 20; round += 1) expect(await readAll()).toEqual(all);
    expect(106 - room).toBeGreaterThan(30);
    files.close();
    await expect.poll(() => room).toBe(106);
  });

  it("fail where not one file can be had, and are read when one can", async () => {
    const { files } = await packs(1, 1);
    replace({ open: () => Promise.reject(Object.assign(new Error("EMFILE"), { code: "EMFILE" })) });
    await expect(files.read(0, 0, 6)).rejects.toThrow("EMFILE");
    replace({ open: realOpen });
    expect((await files.read(0, 0, 6)).toString("utf8")).toBe("pack 0");
    files.close();
  });
});

describe("packs that are closed", () => {
  it("while they are read end the reading first, and what is read later leaves nothing open", async () => {
    const before = openFiles();
    const { files } = await packs(20, 20);
    const reads = Array.from({ length: 20 }, async (_, i) =>
      (await files.read(i, 5, 9)).toString("utf8"),
    );
    files.close();
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
    expect((await files.read(3, 5, 9)).toString("utf8")).toBe("3");
    expect((await files.read(4, 5, 9, true)).toString("utf8")).toBe("4");
    await expect.poll(openFiles).toBe(before);
  });
});

describe("a pack that was damaged and replaced", () => {
  it("is opened again by its name if its bytes were wrong, and stays open as it was", async () => {
    const before = openFiles();
    const { files, paths } = await packs(1, 1);
    const path = paths[0] ?? "";
    await files.read(0, 0, 6);
    await writeFile(`${path}.new`, "mended");
    await rename(`${path}.new`, path);
    expect((await files.read(0, 0, 6)).toString("utf8")).toBe("pack 0");
    expect((await files.read(0, 0, 6, true)).toString("utf8")).toBe("mended");
    await rm(path);
    await expect(files.read(0, 0, 6, true)).rejects.toThrow("ENOENT");
    expect((await files.read(0, 0, 6)).toString("utf8")).toBe("pack 0");
    files.close();
    await expect.poll(openFiles).toBe(before);
  });
});

describe("an answer that is read from a pack", () => {
  it("is checked by its sha256", async () => {
    const { store, result } = await builtStore(manyListings(1));
    const snapshot = await StoredSnapshot.openManifest(store, result.id);
    onTestFinished(() => snapshot.close());
    const [entry] = await snapshot.listings.entries(0);
    const ref = answerRef(0, entry!.report);
    const good = await snapshot.readAnswer(ref);
    const pack = join(store, snapshot.manifest.segments[0]!.pack.file);
    const bytes = await readFile(pack);
    const [offset, length] = entry!.report;
    for (const at of [offset, offset + length - 1]) {
      await writeFile(pack, Buffer.from(bytes).fill(bytes[at]! ^ 1, at, at + 1));
      const read = async () => snapshot.readAnswer(ref);
      await expect(read()).rejects.toThrow(`is damaged at byte ${offset}`);
    }
    await writeFile(pack, bytes);
    expect(await snapshot.readAnswer(ref)).toEqual(good);
  });
});
