import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockTree } from "../../src/files/lock.js";
import { ASSETS } from "../../src/pages/kit/asset-texts.js";
import { aPublishedDirectory } from "../fixtures.js";
import { builtStore, treeOf } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("crawldex export", () => {
  it("says what it did: with --json in one object, with --quiet not at all", async () => {
    const files = 57 + ASSETS.length;
    const { folder, result } = await builtStore(aPublishedDirectory());
    const run = (...more: string[]) =>
      crawldex(["export", "site", "--store", "store", ...more], folder);
    expect(await run()).toEqual({
      code: 0,
      stdout: `site has snapshot ${result.id}\n${files} files written, 0 deleted, 0 unchanged\n`,
      stderr: "",
    });
    expect(Object.keys(await treeOf(join(folder, "site")))).toHaveLength(files);
    const { code, stdout } = await run("--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      id: result.id,
      written: 0,
      deleted: 0,
      unchanged: files,
      warnings: [],
    });
    await rm(join(folder, "site/api/sites"), { recursive: true });
    expect(JSON.parse((await run("--full", "--json")).stdout)).toMatchObject({ written: 2 });
    expect(await run("--quiet")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("exits 1 if nothing is published or the disk fails, 2 for a folder that is not its own, 4 for a bad snapshot, 5 during another export", async () => {
    const { folder } = await builtStore(aPublishedDirectory());
    const run = (site: string, store = "store") =>
      crawldex(["export", site, "--store", store, "--json"], folder);
    await mkdir(join(folder, "mine"));
    await writeFile(join(folder, "mine/note.txt"), "mine");
    await writeFile(join(folder, "file"), "mine");
    const lock = await lockTree(join(folder, "held"), "held");
    const ends = {
      mine: [2, "mine is not empty, and there is no record"],
      file: [2, "file cannot hold an export: ENOTDIR"],
      held: [5, "another export is writing to held"],
      "file/site": [1, "file/site"],
    };
    for (const [site, [code, said]] of Object.entries(ends)) {
      const ended = await run(site);
      expect([site, ended.code]).toEqual([site, code]);
      expect(ended.stderr).toContain(said);
      expect(ended.stderr).not.toContain("    at ");
      expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false });
    }
    await lock.free();
    expect((await run("site", "none")).code).toBe(1);
    await writeFile(join(folder, "store/current.json"), "{}");
    expect((await run("site")).code).toBe(4);
    expect(await readFile(join(folder, "mine/note.txt"), "utf8")).toBe("mine");
    expect(Object.keys(await treeOf(folder)).filter((name) => name.startsWith("site"))).toEqual([]);
  });
});
