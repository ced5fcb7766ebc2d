import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { disk, UnfinishedFile } from "../../src/files/disk.js";
import { build } from "../../src/publish/build.js";
import { type BuilderNotes, readNotes, writeNotes } from "../../src/publish/notes.js";

import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { openWhole } from "./answers.js";
import { builtStore, cleanUpLocked, letPass, treeOf } from "./trees.js";

describe("what stays in a store", () => {
  it("the newest --keep snapshots and what they name, and everything that is not ours", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    await mkdir(join(store, "segments"), { recursive: true });
    const foreign = [
      "note.txt",
      "segments/README",
      `segments/${"x".repeat(32)}.pack`,
      ".new-todo.txt",
      `segments/${"0".repeat(32)}.json`,
    ];
    for (const name of foreign) await writeFile(join(store, name), "mine");
    const hash = "0".repeat(32);
    const left = [
      ".new-1-current.json",
      ".new-2-touch",
      `.new-3-${hash}`,
      `segments/.new-${"0af9".repeat(8)}-12-0.pack`,
      `segments/.new-${"0af9".repeat(8)}-12-1.brief`,
      `segments/.new-${"0af9".repeat(8)}-${hash}.brief`,
      // Finished files of our names that no snapshot names.
      `segments/${hash}.brief`,
      `segments/${hash}.pack`,
    ];
    for (const name of left) await writeFile(join(store, name), "of a dead build");
    const ids: string[] = [];
    let touched = "";
    for (const name of ["One", "Two", "Three", "Four"]) {
      const files = aPublishedDirectory({ listings: [aListing({ name })] });
      const published = await writePublished(join(folder, name), files);
      await letPass(store);
      ids.push((await build(published, { store, jobs: 1, keep: 2 })).id);
      if (name !== "Three") continue;
      // A build that died as it was about to take this snapshot's place.
      touched = `${ids.at(-1)}/.new-${"0af9".repeat(8)}-touch`;
      await writeFile(join(store, touched), "");
    }
    const names = Object.keys(await treeOf(store));
    expect(names.filter((name) => name.endsWith("manifest.json")).sort()).toEqual(
      ids
        .slice(2)
        .map((id) => `${id}/manifest.json`)
        .sort(),
    );
    for (const ours of [/^segments\/.*\.pack$/, /^segments\/.*\.brief$/]) {
      const named = names.filter((name) => ours.test(name) && !foreign.includes(name));
      expect(named).toHaveLength(2);
    }
    expect(names.filter((name) => left.includes(name) || name === touched)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(foreign));
    expect(names.filter((name) => name.includes(".new-"))).toEqual([".new-todo.txt"]);
    const previous = await openWhole(store, ids[2] ?? "");
    const [first] = await previous.listings.entries(0);
    expect(first?.search?.summary.name).toBe("Three");
    previous.close();
    expect((await readNotes(store)).publications).toEqual(ids.slice(1));
  });
});

describe("repair and loss", () => {
  it("the current snapshot stays, whatever the notes say and however few are kept", async () => {
    const { store, result } = await builtStore(aPublishedDirectory());
    const other = "f".repeat(32);
    await mkdir(join(store, other));
    await letPass(store);
    const notes: BuilderNotes = {
      format: 4,
      publications: [result.id, other],
      tombstones: [],
      missing: [],
      rubrics: [],
      built: null,
    };
    await writeNotes(store, notes);
    await cleanUpLocked(store, 1, notes);
    (await openWhole(store, result.id)).close();
  });

  it("the snapshot that was built last stays too: the next build keeps what has not changed of it", async () => {
    const { folder, store, result } = await builtStore(aPublishedDirectory());
    const next = aPublishedDirectory({ listings: [aListing({ name: "Next" })] });
    const published = await writePublished(join(folder, "next"), next);
    const { id } = await build(published, { store, jobs: 1, keep: 2 });
    const notes = await readNotes(store);
    const built = { ...notes.built!, id: result.id };
    await letPass(store);
    await cleanUpLocked(store, 1, { ...notes, built });
    for (const kept of [result.id, id]) (await openWhole(store, kept)).close();
    await letPass(store);
    await cleanUpLocked(store, 1, notes);
    await expect(openWhole(store, result.id)).rejects.toThrow("manifest.json");
  });

  it("the pointer is replaced after all else is written and synced", async () => {
    const steps: string[] = [];
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    for (const step of ["writeFile", "syncFolder", "rename", "remove"] as const) {
      const real = disk[step] as (...args: unknown[]) => Promise<void>;
      vi.spyOn(disk, step).mockImplementation(async (...args: unknown[]) => {
        await real(...args);
        steps.push(`${step} ${String(args.at(step === "rename" ? 1 : 0)).slice(store.length)}`);
      });
    }
    const finish = UnfinishedFile.prototype.finish;
    vi.spyOn(UnfinishedFile.prototype, "finish").mockImplementation(async function (
      this: UnfinishedFile,
      path,
    ) {
      await finish.call(this, path);
      steps.push(`finish ${path.slice(store.length)}`);
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const published = await writePublished(join(folder, "published"), aPublishedDirectory());
    const { id } = await build(published, { store, jobs: 1, keep: 3 });
    const commit = steps.indexOf("writeFile /current.json");
    const precedes = (step: string) => {
      expect(steps.indexOf(step), step).toBeGreaterThanOrEqual(0);
      expect(steps.indexOf(step), step).toBeLessThan(commit);
    };
    for (const step of ["syncFolder /segments", `rename /${id}`, "syncFolder "]) {
      precedes(step);
    }
    precedes("writeFile /.notes");
    expect(steps.slice(commit + 1)).toEqual(["syncFolder "]);
    const written = steps.slice(0, commit).filter((step) => /^\w+ \/segments\//.test(step));
    expect(written.map((step) => step.replace(/[0-9a-f]{32}/, "")).slice(0, 2)).toEqual([
      "finish /segments/.pack",
      "finish /segments/.brief",
    ]);
  });
});
