import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { digestOf, toolDigest } from "../../src/build/tool.js";
import { temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { slowIt } from "../slow.js";

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

slowIt(
  "the digest changes when any module moves, and covers all modules when its own module moves deeper",
  async () => {
    const root = await temporaryFolder();
    const src = join(root, "dist/src");
    await cp(join(ROOT, "package.json"), join(root, "package.json"));
    await cp(join(ROOT, "dist/src"), src, { recursive: true });
    const digestBy = (module: string): string =>
      execFileSync(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `import { toolDigest } from ${JSON.stringify(module)}; console.log(toolDigest())`,
        ],
        { encoding: "utf8" },
      ).trim();
    const tool = join(src, "build/tool.js");
    const before = digestBy(tool);
    expect(before).toBe(digestBy(tool));
    await mkdir(join(src, "contract/inner"));
    await rename(join(src, "contract/host.js"), join(src, "contract/inner/host.js"));
    const moved = digestBy(tool);
    expect(moved).not.toBe(before);
    // The module itself, and a change far away from it.
    const deep = join(src, "store/deep/deeper");
    await mkdir(deep, { recursive: true });
    const text = readFileSync(tool, "utf8").replaceAll(/from "\.(\.?)\//g, 'from "../../.$1/');
    await rm(tool);
    await writeFile(join(deep, "tool.js"), text);
    const deeper = digestBy(join(deep, "tool.js"));
    expect([before, moved]).not.toContain(deeper);
    await writeFile(join(src, "pages/another.js"), "");
    expect(digestBy(join(deep, "tool.js"))).not.toBe(deeper);
  },
);
