import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type BadPublishedError, build, validate } from "../../src/publish/build.js";
import type { BuildOptions } from "../../src/publish/options.js";
import { currentId } from "../../src/store/reader.js";
import {
  aCheck,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { settle } from "./edits.js";
import { FOUR, manyListings, publishedTree } from "./trees.js";

/** Listings of four segments, with a mistake of each kind in every third. */
function mistaken(): PublishedFiles {
  const files = manyListings();
  return {
    ...files,
    listings: files.listings.map((listing, i) =>
      i % 3 === 0 ? { ...listing, status: "active", url: "https://elsewhere.example/" } : listing,
    ),
    scans: files.scans.map((scan, i) =>
      i % 3 === 0 ? { ...scan, checks: [aCheck({ checkId: "htps", points: 61 })] } : scan,
    ),
  };
}

async function mistakenStore() {
  const folder = await temporaryFolder();
  const published = await writePublished(join(folder, "published"), mistaken());
  const store = join(folder, "store");
  const run = (options: Partial<BuildOptions> = {}) =>
    build(published, { store, ...FOUR, ...options });
  return { published, store, run };
}

// After changes they are those of a full build: build/parts.test.ts.
describe("warnings of records", () => {
  it("are the same in every build, however little it reads, in threads or not, and in validate", async () => {
    const { published, store, run } = await mistakenStore();
    const first = await run();
    const kinds = first.warningGroups.map(({ first, count }) => [
      first.message.slice(0, 30),
      count,
    ]);
    expect(kinds).toEqual([
      ['found an address on "elsewhere', 20],
      ['found "active", which the sear', 20],
      ['found "htps", which is not a c', 40],
      ['found more points for "htps" t', 40],
    ]);
    expect(first.warningCount).toBe(120);
    await settle(store);
    const untouched = await run();
    expect(untouched.kept).toBe(untouched.segments);
    expect(untouched.warnings).toEqual(first.warnings);
    expect((await run({ jobs: 2, full: true })).warnings).toEqual(first.warnings);
    expect((await validate(published)).warnings).toEqual(first.warnings);
  });
});

describe("a scan in the future", () => {
  it("is a warning by the clock of the machine, with a day of tolerance, and no byte of a snapshot", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const files = manyListings(30);
    const at = (time: string, place: number) => aScan({ ...files.scans[place]!, finishedAt: time });
    const scans = [
      at("2036-01-03T12:00:00Z", 0),
      at("2036-01-02T11:00:00Z", 1),
      ...files.scans.slice(2),
    ];
    const published = await writePublished(join(folder, "published"), { ...files, scans });
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const on = async (day: string, options: Partial<BuildOptions> = {}) => {
      vi.setSystemTime(new Date(`${day}T12:00:00Z`));
      const { id, kept, warnings } = await build(published, { store, jobs: 1, ...options });
      return { id, kept, lines: warnings.map(({ line, message }) => [line, message]) };
    };
    const early = await on("2036-01-01");
    const message = 'found "2036-01-03T12:00:00Z", which is in the future by this machine\'s clock';
    expect(early.lines).toEqual([[1, message]]);
    await settle(store);
    expect(await on("2036-01-01")).toEqual({ ...early, kept: 1 });
    for (const options of [{}, { full: true }]) {
      expect(await on("2036-01-03", options)).toMatchObject({ id: early.id, lines: [] });
    }
  });
});

describe("what is not read", () => {
  it("is warned of in every build", async () => {
    const { published, store, run } = await mistakenStore();
    await writePublished(published, manyListings());
    await writeFile(join(published, "listings/more.ndjson.gz"), "");
    await writeFile(join(published, "notes.txt"), "");
    const first = await run();
    await settle(store);
    const again = await run();
    expect(again.kept).toBe(again.segments);
    expect([first, again].map(({ warnings }) => warnings.map(({ file }) => file))).toEqual([
      ["listings/more.ndjson.gz", "notes.txt"],
      ["listings/more.ndjson.gz", "notes.txt"],
    ]);
  });
});

describe("strict", () => {
  it("takes warnings for errors: nothing is written, and the current snapshot stays", async () => {
    const { published, store, run } = await mistakenStore();
    const refused = (error: BadPublishedError) => error;
    const first = (await run({ strict: true }).catch(refused)) as BadPublishedError;
    expect(first.name).toBe("BadPublishedError");
    expect(first).toMatchObject({ problemCount: 120, warningCount: 0, warnings: [] });
    expect(first.problems).toHaveLength(120);
    expect(await currentId(store).catch(() => null)).toBeNull();
    await expect(validate(published, { strict: true })).rejects.toThrow("120 errors");

    const { id } = await run();
    const before = await publishedTree(store);
    await settle(store);
    await expect(run({ strict: true })).rejects.toThrow("120 errors in the published directory");
    expect(await currentId(store)).toBe(id);
    expect(await publishedTree(store)).toEqual(before);
  });
});
