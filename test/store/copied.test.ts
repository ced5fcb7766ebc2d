import { cp, rename, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { fileState } from "../../src/files/regular.js";
import { verify } from "../../src/upkeep/verify.js";
import { settle } from "./edits.js";
import { manifestOf } from "./forge.js";
import { builtStore, FOUR, manyListings, publishedTree } from "./trees.js";

describe("a copied store", () => {
  it("keeps every segment, as its bytes are what they were", async () => {
    const { folder, store: original, result } = await builtStore(manyListings(), FOUR);
    const store = join(folder, "copy");
    await cp(original, store, { recursive: true });
    await settle(store);
    const { segments } = await manifestOf(store);
    const before = await publishedTree(store);
    const inodes = () =>
      segments.flatMap(({ table, pack }) =>
        [table, pack].map(({ file }) => fileState(join(store, file))?.inode),
      );
    const copied = inodes();
    const built = await build(join(folder, "published"), { store, ...FOUR });
    expect(built).toMatchObject({ id: result.id, changed: false, kept: 4, segments: 4 });
    expect(await publishedTree(store)).toEqual(before);
    expect(inodes()).toEqual(copied);
    expect((await verify(store)).bad).toEqual([]);
  });
});

describe("input files with other times or inodes, and the same bytes", () => {
  it("rebuild nothing", async () => {
    const { folder, store, result } = await builtStore(manyListings(), FOUR);
    await settle(store);
    const published = join(folder, "published");
    for (const name of ["listings/all.ndjson", "scans/all.ndjson"]) {
      await utimes(join(published, name), 1, 1);
    }
    const touched = await build(published, { store, ...FOUR });
    expect(touched).toMatchObject({ id: result.id, kept: 4, segments: 4 });
    await rename(published, join(folder, "before"));
    await cp(join(folder, "before"), published, { recursive: true });
    const cloned = await build(published, { store, ...FOUR });
    expect(cloned).toMatchObject({ id: result.id, changed: false, kept: 4, segments: 4 });
  });
});
