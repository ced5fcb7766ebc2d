import { execFileSync } from "node:child_process";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { readNotes, writeNotes } from "../../src/build/notes.js";
import { fileState } from "../../src/files/regular.js";
import type { Manifest } from "../../src/store/format.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { TRENDS_DOCUMENT } from "../../src/store/trends.js";
import { verify } from "../../src/upkeep/verify.js";
import { aListing, temporaryFolder, writePublished } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { repeated } from "../slow.js";
import { answersIn } from "./answers.js";
import { EditedDirectory, settle, withoutScans } from "./edits.js";
import { builtStore, FOUR, manyListings, snapshotOf } from "./trees.js";

/** Random sequences of edits; other ones with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_121);
const SEQUENCES = Number(process.env.SEQUENCES ?? repeated(1, 6));
const EDITS = repeated(4, 8);

describe(`an incremental build publishes the content of a full one, SEED=${SEED}`, () => {
  it.each(Array.from({ length: SEQUENCES }, (_, n) => n))(
    "after every edit of random sequence %i",
    async (sequence) => {
      const random = seeded(SEED + sequence);
      const pick = (count: number) => Math.floor(random() * count);
      const folder = await temporaryFolder();
      const directory = new EditedDirectory(join(folder, "published"), pick, 13 + pick(6));
      await directory.writeAll();
      const [store, fresh] = [join(folder, "store"), join(folder, "fresh")];
      await build(directory.folder, { store, ...FOUR, keep: 2 });
      for (let edit = 0; edit < EDITS; edit += 1) {
        if (pick(4) > 0) await settle(store);
        const edits = [await directory.edit(), ...(pick(3) === 0 ? [await directory.edit()] : [])];
        const step = `edit ${edit}: ${edits.join(", then ")}`;
        const result = await build(directory.folder, { store, ...FOUR, keep: 2 });
        await rm(fresh, { recursive: true, force: true });
        const full = await build(directory.folder, { store: fresh, ...FOUR, keep: 1 });
        const { counts, notInSearch } = result;
        expect({ step, counts, notInSearch }).toEqual({
          ...{ step, counts: full.counts, notInSearch: full.notInSearch },
        });
        // A build from nothing cannot know that a listing had scans before.
        expect(
          result.warnings.filter(({ message }) => !message.startsWith("has no scan any more")),
        ).toEqual(full.warnings);
        const [own, its] = [await manifestOf(store, result.id), await manifestOf(fresh, full.id)];
        // Trends are of all publications.
        const documents = ({ public: all }: typeof own) =>
          all.filter(({ file }) => file !== TRENDS_DOCUMENT);
        expect([own.content, documents(own)], step).toEqual([its.content, documents(its)]);
        expect(await answersIn(store), step).toEqual(await answersIn(fresh));
        expect((await verify(store)).bad, step).toEqual([]);
        expect((await readNotes(store)).tombstones, step).toEqual(
          (await readNotes(fresh)).tombstones,
        );
      }
    },
  );
});

/** A store of four segments whose input is long at rest. */
async function settledStore() {
  const files = manyListings();
  const built = await builtStore(files, FOUR);
  await settle(built.store);
  const published = join(built.folder, "published");
  const again = (options = {}) => build(published, { store: built.store, ...FOUR, ...options });
  return { ...built, files, published, again };
}

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

  it("one text changed: its listing gets a segment, and the segment that had it is copied without it", async () => {
    const { files, folder, store, result } = await settledStore();
    const listings = files.listings.with(5, aListing({ host: "site-5.example", name: "Changed" }));
    const published = await writePublished(join(folder, "published"), { ...files, listings });
    const next = await build(published, { store, ...FOUR });
    expect(next).toMatchObject({ changed: true, kept: 3, segments: 5 });
    const before = await manifestOf(store, result.id);
    const after = await manifestOf(store, next.id);
    const packs = new Set(before.segments.map(({ pack }) => pack.file));
    expect(after.segments.map(({ pack, live }) => [packs.has(pack.file), live > 1])).toEqual([
      ...Array(3).fill([true, true]),
      ...[
        [false, true],
        [false, false],
      ],
    ]);
  });

  it("an answer that is to be copied is damaged: everything is built anew", async () => {
    const { files, folder, store, result } = await settledStore();
    const { segments } = await manifestOf(store, result.id);
    for (const { pack } of segments) {
      const path = join(store, pack.file);
      await writeFile(path, (await readFile(path)).fill(0x20, 100, 110));
    }
    await vouchFor(store);
    const listings = files.listings.with(5, aListing({ host: "site-5.example", name: "Changed" }));
    const published = await writePublished(join(folder, "published"), { ...files, listings });
    expect((await build(published, { store, ...FOUR })).kept).toBe(0);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("--full trusts nothing, and repairs what has another content than its name says", async () => {
    const { store, result, again } = await settledStore();
    const { segments } = await manifestOf(store, result.id);
    const before = await snapshotOf(store);
    const pack = join(store, segments[1]!.pack.file);
    await writeFile(pack, (await readFile(pack)).fill(0x20, 200, 210));
    await vouchFor(store);
    expect(await again()).toMatchObject({ kept: 4 });
    expect(await snapshotOf(store)).not.toEqual(before);
    expect(await again({ full: true })).toMatchObject({ id: result.id, changed: false, kept: 0 });
    expect(await snapshotOf(store)).toEqual(before);
  });

  it("another program, or another document, keeps none", async () => {
    const { files, folder, store } = await settledStore();
    const directory = { ...files.directory, description: "Other" };
    const published = await writePublished(join(folder, "published"), { ...files, directory });
    expect((await build(published, { store, ...FOUR })).kept).toBe(0);
    expect((await build(published, { store, ...FOUR })).kept).toBe(4);
    const notes = await readNotes(store);
    await writeNotes(store, { ...notes, built: { ...notes.built!, tool: "0".repeat(64) } });
    expect((await build(published, { store, ...FOUR })).kept).toBe(0);
  });

  it("a file with other bytes, but its former size and mtime, is read again: its ctime tells", async () => {
    const { files, store, published, result } = await settledStore();
    const file = join(published, "scans/all.ndjson");
    const like = (reference: string, path: string) =>
      execFileSync("touch", ["-r", reference, path]);
    await writeFile(join(published, "reference"), "");
    like(file, join(published, "reference"));
    const before = await stat(file, { bigint: true });
    const bytes = await readFile(file);
    const at = bytes.indexOf('"block1":60');
    await writeFile(file, bytes.fill('"block1":61', at, at + 11));
    like(join(published, "reference"), file);
    expect((await stat(file, { bigint: true })).mtimeNs).toBe(before.mtimeNs);
    const next = await build(published, { store, ...FOUR });
    expect([next.id === result.id, next.kept]).toEqual([false, 3]);
    expect(files.scans[0]?.block1).toBe(60);
  });

  /** Has the notes say that the file of scans has no records at all. */
  async function forgetScans(store: string): Promise<void> {
    const notes = await readNotes(store);
    await writeNotes(store, { ...notes, built: withoutScans(notes.built!) });
  }

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

async function manifestOf(store: string, id: string): Promise<Manifest> {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  snapshot.close();
  return snapshot.manifest;
}

/** Has the notes say of the files' states what they are now. */
async function vouchFor(store: string): Promise<void> {
  const notes = await readNotes(store);
  const files = notes.built!.files.map(({ file }) => ({
    ...{ file, state: fileState(join(store, file))! },
  }));
  await writeNotes(store, { ...notes, built: { ...notes.built!, files } });
  await settle(store);
}
