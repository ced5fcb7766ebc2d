import { readdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PackFiles } from "../../src/store/packs.js";
import { temporaryFolder } from "../fixtures.js";

async function packs(count: number, openMax: number) {
  const folder = await temporaryFolder();
  const paths = Array.from({ length: count }, (_, i) => join(folder, String(i)));
  for (const [i, path] of paths.entries()) await writeFile(path, `pack ${i}`);
  return { paths, files: new PackFiles(paths, { openMax }) };
}

const openFiles = () => readdirSync("/proc/self/fd").length;

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
