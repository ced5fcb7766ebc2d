import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { digestOf, toolDigest } from "../../src/publish/tool.js";
import { temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";

it("the program's digest covers its modules in folders of any depth, their names and nothing else", async () => {
  const folder = await temporaryFolder();
  const digests = new Set<string>();
  /** Whether the digest after a change is one that was not there before. */
  const isOther = async (change: Promise<unknown>) => {
    await change;
    const { size } = digests;
    return digests.add(digestOf(folder)).size > size;
  };
  const deep = join(folder, "store/packs/inner");
  await mkdir(deep, { recursive: true });
  expect(await isOther(writeFile(join(folder, "index.js"), "1"))).toBe(true);
  expect(await isOther(writeFile(join(deep, "a.js"), "1"))).toBe(true);
  expect(await isOther(writeFile(join(deep, "a.js"), "2"))).toBe(true);
  expect(await isOther(rename(join(deep, "a.js"), join(deep, "b.js")))).toBe(true);
  expect(await isOther(rename(join(deep, "b.js"), join(folder, "store/b.js")))).toBe(true);
  expect(await isOther(writeFile(join(deep, "b.d.ts"), "1"))).toBe(false);
  expect(await isOther(writeFile(join(folder, "notes.txt"), "1"))).toBe(false);
  await rm(join(folder, "store/b.js"));
  expect(await isOther(writeFile(join(deep, "c.ts"), "2"))).toBe(true);
});

it("the program is all that src is compiled to", () => {
  expect(toolDigest()).toBe(digestOf(join(ROOT, "dist/src")));
});
