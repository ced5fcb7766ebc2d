import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifestOf } from "../store/forge.js";
import { builtStore, manyListings } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("crawldex verify", () => {
  it("exits 0 for a good snapshot, and says what it checked", async () => {
    const { folder, store, result } = await builtStore(manyListings(5));
    const plain = await crawldex(["verify", store]);
    expect(plain).toEqual({
      code: 0,
      stdout: `snapshot ${result.id} is good: 12 files, 13 answers\n`,
      stderr: "",
    });
    const json = await crawldex(["verify", "store", "--json"], folder);
    expect(JSON.parse(json.stdout)).toEqual({
      ok: true,
      id: result.id,
      files: 12,
      answers: 13,
      bad: [],
    });
    expect((await crawldex(["verify", store, "--quiet"])).stdout).toBe("");
  });

  it("exits 4 for bad files, with a line on stderr for each that names the first hosts", async () => {
    const { store, result } = await builtStore(manyListings(5));
    const [segment] = (await manifestOf(store)).segments;
    const pack = segment!.pack.file;
    const bytes = await readFile(join(store, pack));
    // The directory after the answers stays good.
    await writeFile(join(store, pack), bytes.fill(0, 0, bytes.length - segment!.directory.bytes));
    await rm(join(store, result.id, "public/api/tags.json"));
    const { code, stdout, stderr } = await crawldex(["verify", store, "--quiet"]);
    expect([code, stdout]).toEqual([4, ""]);
    const lines = [
      `${result.id}/public/api/tags.json cannot be read: ENOENT`,
      `${pack} does not match the manifest (site-0.example, site-1.example, site-2.example and 2 more hosts)`,
    ].sort();
    expect(stderr.trimEnd().split("\n")).toEqual([
      ...lines,
      `2 of 12 files in ${store} are bad; crawldex build <published> --store ${store} --full repairs the store`,
    ]);
    const json = await crawldex(["verify", store, "--json"]);
    expect(json.code).toBe(4);
    const { ok, bad } = JSON.parse(json.stdout) as { ok: boolean; bad: { file: string }[] };
    expect(ok).toBe(false);
    expect(bad.map(({ file }) => file)).toEqual([`${result.id}/public/api/tags.json`, pack].sort());
    expect(bad.find(({ file }) => file === pack)).toMatchObject({
      hosts: [0, 1, 2, 3, 4].map((i) => `site-${i}.example`),
    });
  });
});
