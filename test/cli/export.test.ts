import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ASSETS } from "#scripts/texts";
import { isExtraFile } from "../extras/examples.js";
import { aPublishedDirectory } from "../fixtures.js";
import { builtStore, treeOf } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("crawldex export", () => {
  it("says what it did: with --json in one object, with --quiet not at all", async () => {
    const { folder, result } = await builtStore(aPublishedDirectory());
    const run = (...more: string[]) =>
      crawldex(["export", "site", "--store", "store", ...more], folder);
    const first = await run();
    const names = Object.keys(await treeOf(join(folder, "site")));
    const files = names.length;
    // An extra may put other files in the place of tables.
    const ofCore = names.filter((name) => !isExtraFile(name) && !/\.brief$/.test(name));
    expect(ofCore).toHaveLength(39 + ASSETS.length);
    expect(first).toEqual({
      code: 0,
      stdout: `site has snapshot ${result.id}\n${files} files written, 0 deleted, 0 unchanged\n`,
      stderr: "",
    });
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

  it("exits 2 for a folder that is not its own, and touches nothing there", async () => {
    const { folder } = await builtStore(aPublishedDirectory());
    await mkdir(join(folder, "mine"));
    await writeFile(join(folder, "mine/note.txt"), "mine");
    const args = ["export", "mine", "--store", "store", "--json"];
    const { code, stdout, stderr } = await crawldex(args, folder);
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { ok: false }]);
    expect(stderr).toMatch(/^error: .*mine is not empty, and there is no record.*\n$/);
    expect(Object.keys(await treeOf(join(folder, "mine")))).toEqual(["note.txt"]);
  });
});
