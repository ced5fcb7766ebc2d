import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type OnProgress, PHASES, type Phase } from "../../src/lib/options.js";
import { build, validate } from "../../src/publish/build.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { temporaryFolder, writeFiles, writePublished } from "../fixtures.js";
import { settle } from "../store/edits.js";
import { aStore, named } from "../store/stores.js";
import { builtStore, FOUR, manyListings } from "../store/trees.js";

type Report = readonly [done: number, total: number];

/** Gathers what is told, by phase, in the order of the phases. */
function listener() {
  const told = new Map<string, Report[]>();
  const onProgress: OnProgress = (done, total, { name }: Phase) => {
    told.set(name, [...(told.get(name) ?? []), [done, total]]);
  };
  return { told, onProgress };
}

const sizeOf = async (path: string) => (await stat(path)).size;

describe("what a build tells of its progress", () => {
  it.each([2])("bytes read, parts compiled, then publishing; with %d jobs", async (jobs) => {
    const folder = await temporaryFolder();
    const published = await writePublished(join(folder, "in"), manyListings());
    const { told, onProgress } = listener();
    await build(published, { store: join(folder, "out"), ...FOUR, jobs, onProgress });
    const names = [PHASES.listings, PHASES.scans, PHASES.compiling, PHASES.publishing];
    expect([...told.keys()]).toEqual(names.map(({ name }) => name));
    for (const kind of ["listings", "scans"] as const) {
      const size = await sizeOf(join(published, kind, "all.ndjson"));
      // The last line has no end.
      expect(told.get(PHASES[kind].name)).toEqual([
        [0, size],
        [size + 1, size],
      ]);
    }
    const compiled = told.get("compiling") ?? [];
    expect(compiled).toEqual([0, 1, 2, 3, 4].map((done) => [done, 4]));
    expect(told.get("publishing")).toEqual([[0, 0]]);
  });

  it("only what it does: nothing of files and listings that have not changed", async () => {
    const files = manyListings();
    const { folder, store } = await builtStore(files, FOUR);
    await settle(store);
    const published = join(folder, "published");
    const { told: nothing, onProgress: first } = listener();
    await build(published, { store, ...FOUR, onProgress: first });
    expect([...nothing.keys()]).toEqual(["publishing"]);
    const listings = files.listings.map((one, at) => (at === 0 ? { ...one, name: "New" } : one));
    await writePublished(published, { ...files, listings });
    const { told, onProgress } = listener();
    const { kept } = await build(published, { store, ...FOUR, onProgress });
    expect(kept).toBe(3);
    expect(told.get("compiling")).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it("validate checks all parts, also of a directory with errors", async () => {
    const folder = await temporaryFolder();
    const published = await writePublished(join(folder, "in"), manyListings(5));
    for (const isBad of [false, true]) {
      if (isBad) await writeFiles(published, { "listings/bad.json": { host: "bad.example" } });
      const { told, onProgress } = listener();
      const checked = validate(published, { jobs: 1, onProgress });
      await (isBad ? expect(checked).rejects.toThrow("2 errors") : checked);
      expect([...told.keys()].at(-1)).toBe("checking");
      expect(told.get("checking")?.at(-1)).toEqual([1, 1]);
    }
  });
});

describe("what others tell of their progress", () => {
  it("a rollback tells its segments", async () => {
    const { store } = await aStore(named("One"), named("Two"));
    const { told, onProgress } = listener();
    await rollback(store, { onProgress });
    expect([...told]).toEqual([["rolling back", [[1, 1]]]]);
  });
});
