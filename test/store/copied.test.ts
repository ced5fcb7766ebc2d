import { cp, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { readNotes, writeNotes } from "../../src/build/notes.js";
import { fileState } from "../../src/files/regular.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder } from "../fixtures.js";
import { someOf } from "../slow.js";
import { settle, withoutScans } from "./edits.js";
import { manifestOf } from "./forge.js";
import { builtStore, FOUR, manyListings, publishedTree } from "./trees.js";

const KINDS = ["table", "pack"] as const;
const files = manyListings();
const cleanUps: (() => Promise<void>)[] = [];
let built: Awaited<ReturnType<typeof builtStore>>;
beforeAll(async () => {
  built = await builtStore(files, FOUR, (cleanUp) => cleanUps.push(cleanUp));
  await settle(built.store);
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** A copy of a store of four segments that is long at rest: other inodes and times, the same bytes. */
async function copiedStore() {
  const { store: original, result } = built;
  const folder = await temporaryFolder();
  const store = join(folder, "copy");
  await cp(original, store, { recursive: true });
  await settle(store);
  const { segments } = await manifestOf(store);
  const again = (options = {}, published = join(built.folder, "published")) =>
    build(published, { store, ...FOUR, ...options });
  return { folder, store, result, again, segments };
}

describe("a copied store", () => {
  it("keeps every segment, as its bytes are what they were", async () => {
    const { store, result, again, segments } = await copiedStore();
    const before = await publishedTree(store);
    const inodes = () =>
      segments.flatMap(({ table, pack }) =>
        [table, pack].map(({ file }) => fileState(join(store, file))?.inode),
      );
    const copied = inodes();
    expect(await again()).toMatchObject({ id: result.id, changed: false, kept: 4, segments: 4 });
    expect(await publishedTree(store)).toEqual(before);
    expect(inodes()).toEqual(copied);
    expect((await verify(store)).bad).toEqual([]);
  });

  it.each(someOf(KINDS, 1))("with one damaged %s is built anew, and so made good", async (kind) => {
    const { store, result, again, segments } = await copiedStore();
    const path = join(store, segments[2]?.[kind].file ?? "");
    const good = await readFile(path);
    await writeFile(path, Buffer.from(good).fill(0x20, 100, 101));
    expect(await again()).toMatchObject({ id: result.id, kept: 0 });
    expect(await readFile(path)).toEqual(good);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("has notes that are younger than what they say: no input file is believed by its state", async () => {
    const { store, again } = await copiedStore();
    const notes = await readNotes(store);
    await writeNotes(store, { ...notes, built: withoutScans(notes.built!) });
    await settle(store);
    expect((await again()).counts).toMatchObject({ listings: 60, scans: 120 });
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
