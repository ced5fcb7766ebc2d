import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePublished } from "../fixtures.js";
import { builtStore, manyListings, treeOf } from "../store/trees.js";
import { crawldex } from "./spawned.js";

/** A store with 30 published listings whose folder of listings is empty now. */
async function withoutListings() {
  const { folder, store } = await builtStore(manyListings(30));
  const published = join(folder, "published");
  await rename(join(published, "listings"), join(folder, "listings"));
  await mkdir(join(published, "listings"));
  return { folder, store, published, args: ["build", published, "--out", store] };
}

describe("crawldex build --max-removed", () => {
  it("refuses an empty folder of listings with exit 6, writes nothing, and names the flag that allows it", async () => {
    const { store, args } = await withoutListings();
    const before = await treeOf(store);
    const { code, stdout, stderr } = await crawldex([...args, "--quiet"]);
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toContain("would remove 30 of 30 published listings");
    expect(stderr).toContain("site-0.example, site-1.example");
    expect(stderr).toContain("and 20 more");
    expect(stderr).toContain("--max-removed 100%");
    expect(await treeOf(store)).toEqual(before);
  });

  it("warns if it cannot tell what is removed because the current snapshot is damaged", async () => {
    const { store, args } = await withoutListings();
    const { id } = JSON.parse(await readFile(join(store, "current.json"), "utf8")) as {
      id: string;
    };
    await writeFile(join(store, id, "manifest.json"), "{");
    const { code, stderr, stdout } = await crawldex([...args, "--json"]);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: could not check how many listings this build removed");
    expect(JSON.parse(stdout)).toMatchObject({
      uncheckedRemovals: expect.stringContaining("manifest.json"),
    });
  });
});

describe("crawldex build --max-unscored", () => {
  it("refuses an outage of the scanner with exit 6, and names the flag that allows it", async () => {
    const files = manyListings(30);
    const { folder, store } = await builtStore(files);
    const scans = files.scans.map((scan) => ({ ...scan, status: "failed", score: null }));
    const published = await writePublished(join(folder, "published"), { ...files, scans });
    const args = ["build", published, "--out", store, "--json"];
    const { code, stdout, stderr } = await crawldex([...args, "--max-unscored", "29"]);
    expect(code).toBe(6);
    expect(stderr).toMatch(
      /^error: this build would leave 30 of 30 scored listings .*--max-unscored 29 .*--max-unscored 100%\n$/,
    );
    const told = JSON.parse(stdout) as { hosts: string[] };
    expect(told).toMatchObject({ ok: false, scored: 30, maxUnscored: 29, warningCount: 0 });
    expect(told.hosts).toHaveLength(30);
  });
});
