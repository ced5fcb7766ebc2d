import { mkdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { build } from "../../src/build/build.js";
import { type BuilderNotes, readNotes, writeNotes } from "../../src/build/notes.js";
import { disk, UnfinishedFile } from "../../src/files/disk.js";

import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { openWhole } from "./answers.js";
import {
  builtStore,
  cleanUpLocked,
  letPass,
  manyListings,
  publishedTree,
  treeOf,
} from "./trees.js";

describe("what stays in a store", () => {
  it("the newest --keep snapshots and what they name, and everything that is not ours", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    for (const name of ["index", "reports", "search"])
      await mkdir(join(store, name), { recursive: true });
    const foreign = [
      ...["note.txt", "index/README", `index/${"x".repeat(40)}.json`, ".new-todo.txt"],
      ...["index/0.details", "search/README", `search/0-${"0".repeat(32)}.json`],
    ];
    for (const name of foreign) await writeFile(join(store, name), "mine");
    const hash = "0".repeat(32);
    const left = [
      // As older versions called them, by the number of the process, and as this one does.
      ".new-1-current.json",
      `index/.new-7-0-${hash}.json`,
      `.new-3-${hash}`,
      `.new-${"0af9".repeat(8)}-store.json`,
      `reports/.new-${"0af9".repeat(8)}-12.ndjson`,
      `index/.new-${"0af9".repeat(8)}-12-${hash}.details`,
      `search/.new-${"0af9".repeat(8)}-1-${hash}.bin`,
      // Finished files of our names that no snapshot names.
      `index/12-${hash}.details`,
      `search/1-${hash}.bin`,
    ];
    for (const name of left) await writeFile(join(store, name), "of a dead build");
    const ids: string[] = [];
    for (const name of ["One", "Two", "Three", "Four"]) {
      const files = aPublishedDirectory({ listings: [aListing({ name })] });
      const published = await writePublished(join(folder, name), files);
      await letPass(store);
      ids.push((await build(published, { store, jobs: 1, keep: 2 })).id);
    }
    const names = Object.keys(await treeOf(store));
    expect(names.filter((name) => name.endsWith("manifest.json")).sort()).toEqual(
      ids
        .slice(2)
        .map((id) => `${id}/manifest.json`)
        .sort(),
    );
    for (const ours of [/^segments\/.*\.pack$/, /^segments\/.*\.parquet$/]) {
      expect(names.filter((name) => ours.test(name))).toHaveLength(2);
    }
    expect(names.filter((name) => left.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(foreign));
    expect(names.filter((name) => name.includes(".new-"))).toEqual([".new-todo.txt"]);
    const previous = await openWhole(store, ids[2] ?? "");
    expect(previous.entries(0)[0]?.search?.summary.name).toBe("Three");
    previous.close();
    expect((await readNotes(store)).publications).toEqual(ids.slice(1));
  });
});

describe("repair and loss", () => {
  it("a shortened pack and a damaged snapshot folder are made good by the next build", async () => {
    const { folder, store, result } = await builtStore(manyListings(3));
    const before = await publishedTree(store);
    const [pack = ""] = Object.keys(before).filter((file) => file.endsWith(".pack"));
    await truncate(join(store, pack), 10);
    await writeFile(join(store, result.id, "public/api/tags.json"), "{}");
    await build(join(folder, "published"), { store, jobs: 1, keep: 3 });
    expect(await publishedTree(store)).toEqual(before);
  });

  it("the files of a snapshot that is published again are not touched", async () => {
    const { folder, store, result } = await builtStore(manyListings(3));
    const file = join(store, result.id, "public/api/tags.json");
    const before = await stat(file);
    await build(join(folder, "published"), { store, jobs: 1, keep: 3 });
    expect((await stat(file)).ino).toBe(before.ino);
  });

  it("lost or broken notes cost no snapshot", async () => {
    const { folder, store } = await builtStore(aPublishedDirectory());
    const next = aPublishedDirectory({ listings: [aListing({ name: "Next" })] });
    const published = await writePublished(join(folder, "next"), next);
    for (const damage of [
      () => rm(join(store, ".notes.json")),
      () => writeFile(join(store, ".notes.json"), "{"),
    ]) {
      await damage();
      await build(published, { store, jobs: 1, keep: 2 });
      const manifests = Object.keys(await treeOf(store)).filter((file) =>
        file.endsWith("manifest.json"),
      );
      expect(manifests).toHaveLength(2);
    }
  });

  it("the current snapshot stays, whatever the notes say and however few are kept", async () => {
    const { store, result } = await builtStore(aPublishedDirectory());
    const other = "f".repeat(32);
    await mkdir(join(store, other));
    await letPass(store);
    const notes: BuilderNotes = {
      format: 2,
      publications: [result.id, other],
      tombstones: [],
      remembered: [],
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
    for (const step of [
      "syncFolder /index",
      "syncFolder /reports",
      "syncFolder /search",
      `rename /${id}`,
      "syncFolder ",
    ]) {
      precedes(step);
    }
    precedes("writeFile /.notes.json");
    expect(steps.slice(commit + 1)).toEqual(["syncFolder "]);
    const written = steps
      .slice(0, commit)
      .filter((step) => /^\w+ \/(index|reports|search)\//.test(step));
    expect(written.map((step) => step.replace(/\d+-.*/, ""))).toEqual([
      "finish /reports/",
      "finish /index/",
      "writeFile /index/",
      "finish /index/",
      "writeFile /index/",
      "finish /index/",
      "writeFile /index/",
      "finish /search/",
      "writeFile /search/",
    ]);
  });

  it("another listing that is not served changes the digest of the records", async () => {
    const listings = [aListing(), aListing({ host: "gone.com", visibility: "removed" })];
    const one = await builtStore(aPublishedDirectory());
    const two = await builtStore(aPublishedDirectory({ listings }));
    expect(two.result.id).not.toBe(one.result.id);
  });
});
