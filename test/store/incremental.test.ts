import { execFileSync } from "node:child_process";
import { cp, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileState } from "../../src/files/regular.js";
import { build } from "../../src/publish/build.js";
import { readNotes, writeNotes } from "../../src/publish/notes.js";
import { verify } from "../../src/upkeep/verify.js";
import { aListing } from "../fixtures.js";
import { someOf } from "../slow.js";
import { forgetScans, settle, settledStore } from "./edits.js";
import { manifestOf } from "./forge.js";
import { FOUR, publishedTree, snapshotOf, vouchFor } from "./trees.js";

/** The directory's listings with one that has another name. */
const renamed = ({ files }: Pick<Awaited<ReturnType<typeof settledStore>>, "files">) => ({
  listings: files.listings.with(5, aListing({ host: "site-5.example", name: "Changed" })),
});

/** Damages some bytes of packs, and has the notes vouch for them. */
async function damage(store: string, packs: readonly string[]): Promise<void> {
  for (const pack of packs) {
    const bytes = await readFile(join(store, pack));
    await writeFile(join(store, pack), bytes.fill(0x20, 100, 110));
  }
  await vouchFor(store);
  await settle(store);
}

// That it publishes the content of a full build is shown with random edits in build/parts.test.ts.
describe("what an incremental build does", () => {
  it("nothing changed: it keeps every segment and reads no record", async () => {
    const { published, result, again } = await settledStore();
    const scans = join(published, "scans/all.ndjson");
    expect(await again()).toMatchObject({ id: result.id, changed: false, kept: 4, segments: 4 });
    // Bytes that no build may trust, in a file that claims to be unchanged but for its ctime.
    const bytes = await readFile(scans);
    await writeFile(scans, bytes.fill(0x20, 0, 5));
    await expect(again()).rejects.toThrow("1 error in the published directory");
  });

  it("input files have other times or inodes, and the same bytes: it keeps every segment", async () => {
    const { folder, store, published, result, again } = await settledStore();
    const same = { id: result.id, changed: false, kept: 4, segments: 4 };
    for (const name of ["listings/all.ndjson", "scans/all.ndjson"]) {
      await utimes(join(published, name), 1, 1);
    }
    expect(await again()).toMatchObject(same);
    const copy = join(folder, "copy");
    await cp(published, copy, { recursive: true });
    expect(await build(copy, { store, ...FOUR })).toMatchObject(same);
  });

  it("one text changed: its listing gets a segment, and the segment that had it is copied without it", async () => {
    const made = await settledStore();
    const { store, result, again } = made;
    const next = await again({}, renamed(made));
    expect(next).toMatchObject({ changed: true, kept: 3, segments: 5 });
    const packs = (await manifestOf(store, result.id)).segments.map(({ pack }) => pack.file);
    const { segments } = await manifestOf(store, next.id);
    expect(segments.map(({ pack, live }) => [packs.includes(pack.file), live > 1])).toEqual([
      ...Array(3).fill([true, true]),
      [false, true],
      [false, false],
    ]);
  });

  it("an answer that is to be copied is damaged: everything is built anew", async () => {
    const made = await settledStore();
    const { store, again } = made;
    const { segments } = await manifestOf(store);
    await damage(
      store,
      segments.map(({ pack }) => pack.file),
    );
    expect((await again({}, renamed(made))).kept).toBe(0);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("--full trusts nothing, and repairs what has another content than its name says", async () => {
    const { store, result, again } = await settledStore();
    const before = await snapshotOf(store);
    await damage(store, [(await manifestOf(store)).segments[1]!.pack.file]);
    expect(await again()).toMatchObject({ kept: 4 });
    expect(await snapshotOf(store)).not.toEqual(before);
    expect(await again({ full: true })).toMatchObject({ id: result.id, changed: false, kept: 0 });
    expect(await snapshotOf(store)).toEqual(before);
  });

  it("another program, or another document, keeps none", async () => {
    const { files, store, again } = await settledStore();
    const directory = { ...files.directory, description: "Other" };
    expect((await again({}, { directory })).kept).toBe(0);
    expect((await again()).kept).toBe(4);
    const notes = await readNotes(store);
    await writeNotes(store, { ...notes, built: { ...notes.built!, tool: "0".repeat(64) } });
    expect((await again()).kept).toBe(0);
  });

  it("a file with other bytes, but its former size and mtime, is read again: its ctime tells", async () => {
    const { published, result, again } = await settledStore();
    const [file, reference] = ["scans/all.ndjson", "reference"].map((name) =>
      join(published, name),
    ) as [string, string];
    await writeFile(reference, "");
    const like = (from: string, to: string) => execFileSync("touch", ["-r", from, to]);
    like(file, reference);
    const before = await stat(file, { bigint: true });
    const bytes = await readFile(file);
    const at = bytes.indexOf('"block1":60');
    await writeFile(file, bytes.fill('"block1":61', at, at + 11));
    like(reference, file);
    expect((await stat(file, { bigint: true })).mtimeNs).toBe(before.mtimeNs);
    const next = await again();
    expect([next.id === result.id, next.kept]).toEqual([false, 3]);
  });

  it("an input file in the state in which it was is not read again: the notes are believed", async () => {
    const { store, again } = await settledStore();
    await forgetScans(store);
    await settle(store);
    expect((await again()).counts).toMatchObject({ listings: 60, scans: 0 });
    expect((await again({ full: true })).counts).toMatchObject({ listings: 60, scans: 120 });
  });

  it("but not where it was changed at about the time at which the notes were written", async () => {
    const { store, result, again } = await settledStore();
    await forgetScans(store);
    expect(await again()).toMatchObject({ id: result.id, counts: { scans: 120 } });
  });
});

/** A copy of a store that is long at rest: other inodes and times, the same bytes. */
async function copiedAway() {
  const made = await settledStore();
  const copy = join(made.folder, "away");
  await cp(made.store, copy, { recursive: true });
  await settle(copy);
  return { ...made, copy, again: () => build(made.published, { store: copy, ...FOUR }) };
}

describe("a copied store", () => {
  it("keeps every segment, as its bytes are what they were", async () => {
    const { copy, result, again } = await copiedAway();
    const before = await publishedTree(copy);
    const inodes = async () =>
      (await manifestOf(copy)).segments.map(({ pack }) => fileState(join(copy, pack.file))?.inode);
    const copied = await inodes();
    expect(await again()).toMatchObject({ id: result.id, changed: false, kept: 4, segments: 4 });
    expect([await publishedTree(copy), await inodes()]).toEqual([before, copied]);
  });

  it("has notes that are younger than what they say: no input file is believed by its state", async () => {
    const { copy, again } = await copiedAway();
    await forgetScans(copy);
    await settle(copy);
    expect((await again()).counts).toMatchObject({ listings: 60, scans: 120 });
  });

  it.each(someOf(["table", "pack"] as const, 1))(
    "with one damaged %s is built anew, and so made good",
    async (kind) => {
      const { copy, result, again } = await copiedAway();
      const path = join(copy, (await manifestOf(copy)).segments[2]![kind].file);
      const good = await readFile(path);
      await writeFile(path, Buffer.from(good).fill(0x20, 100, 101));
      expect(await again()).toMatchObject({ id: result.id, kept: 0 });
      expect(await readFile(path)).toEqual(good);
    },
  );
});
