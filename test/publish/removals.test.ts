import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type MaxRemoved, parseMaxRemoved } from "../../src/publish/removal-limit.js";
import { TooManyRemovedError } from "../../src/publish/removals.js";
import { currentId } from "../../src/store/reader.js";
import { rollback } from "../../src/upkeep/rollback.js";
import type { PublishedFiles } from "../fixtures.js";
import { someOf } from "../slow.js";
import { hosts, storeWith } from "../store/stores.js";
import { FOUR, snapshotOf, treeOf } from "../store/trees.js";
import { afterOutage, warned, without, withUnknownVersion } from "./losses.js";

/** The directory with changes to its first so many listings. */
const withFirst = (
  files: PublishedFiles,
  count: number,
  changes: Partial<PublishedFiles["listings"][number]>,
): PublishedFiles => ({
  ...files,
  listings: files.listings.map((one, at) => (at < count ? { ...one, ...changes } : one)),
});

/** By the option that limits it: how a directory loses something, and what the refusal says. */
const REFUSALS = [
  {
    limit: "maxRemoved",
    lose: without,
    says: /^this build would remove 13 of 60 published listings \(13 would lose their report, 0 would leave search\), /,
    remedy:
      "Nothing was written; if these listings are meant to disappear, build with --max-removed 100%",
    reportsLost: 13,
    warnings: [],
  },
  {
    limit: "maxUnscored",
    lose: afterOutage,
    says: /^this build would leave 13 of 60 scored listings without a score, /,
    remedy:
      "a listing's publishedScan can name its last good scan; " +
      "if these scores are meant to disappear, build with --max-unscored 100%",
    reportsLost: 0,
    warnings: [],
  },
  {
    limit: "maxUnbanded",
    lose: withUnknownVersion,
    says: /^this build would leave 13 of 60 listings with a band without one, /,
    remedy:
      "a scan can state its own in band; if these bands are meant to disappear, build with --max-unbanded 100%",
    reportsLost: 0,
    warnings: [warned(13, 60)],
  },
] as const;

describe.each(REFUSALS)("a build that exceeds $limit", ({ limit, lose, says, remedy, ...told }) => {
  it("writes nothing, and its error names the counts, all hosts, the flag and the remedy", async () => {
    const { store, files, rebuild } = await storeWith(60);
    const before = await treeOf(store);
    const refused = await rebuild(lose(files, 13)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooManyRemovedError);
    const { reportsLost, warnings } = told;
    const input = limit === "maxRemoved" ? {} : { warnings };
    expect(refused).toMatchObject({ limit, max: "20%", total: 60, reportsLost, input });
    expect(refused).toMatchObject({ hosts: hosts(13).sort() });
    const { message } = refused as Error;
    expect(message).toMatch(says);
    expect(message).toContain("site-0.example, site-1.example, site-10.example");
    expect(message).toContain("and 3 more. Nothing was written");
    expect(message).toContain(remedy);
    expect(await treeOf(store)).toEqual(before);
    expect(await rebuild(lose(files, 13), { [limit]: "100%" })).toMatchObject({ changed: true });
    // What is gone already is not lost again.
    expect(await rebuild(lose(files, 20))).toMatchObject({ changed: true });
  });

  it("is refused from 20% on, never for fewer than 10, and exactly by a limit that is given", async () => {
    const { files, rebuild } = await storeWith(60);
    await expect(rebuild(lose(files, 13), { [limit]: 12 })).rejects.toThrow("13 of 60");
    await expect(rebuild(lose(files, 1), { [limit]: "0%" })).rejects.toThrow("1 of 60");
    expect(await rebuild(lose(files, 12))).toMatchObject({ changed: true });
    const nine = await storeWith(9);
    expect(await nine.rebuild(lose(nine.files, 9))).toMatchObject({ changed: true });
  });
});

describe("a build that would take away more than 20% of the published listings, and 10 or more", () => {
  it.each([
    [60, undefined, 12],
    [10, undefined, 9],
    [9, undefined, 9],
    [60, 0, 0],
    [60, "5%", 3],
    [60, "100%", 60],
  ] as const)(
    "of %i listings with the limit %s: %i may go, and no more",
    async (published, maxRemoved, allowed) => {
      const { files, rebuild } = await storeWith(published);
      if (allowed < published) {
        const more = rebuild(without(files, allowed + 1), { maxRemoved });
        await expect(more).rejects.toMatchObject({ total: published, reportsLost: allowed + 1 });
      }
      const { counts } = await rebuild(without(files, allowed), { maxRemoved });
      expect(counts.reports).toBe(published - allowed);
    },
  );

  it.each([
    ["without a listing", (files: PublishedFiles) => ({ ...files, listings: [] }), 60],
    ["without a scan", (files: PublishedFiles) => ({ ...files, scans: [] }), 60],
    ["removed", (files: PublishedFiles) => withFirst(files, 13, { visibility: "removed" }), 13],
  ])("a directory that is %s takes reports away", async (_, change, reportsLost) => {
    const { files, rebuild } = await storeWith(60);
    await expect(rebuild(change(files))).rejects.toMatchObject({ reportsLost });
  });

  it("a listing that leaves search counts as one that loses its report does, and each once", async () => {
    const { files, rebuild } = await storeWith(60);
    const blocked = withFirst(files, 13, { visibility: "blocked" });
    await expect(rebuild(blocked)).rejects.toMatchObject({
      hosts: hosts(13).sort(),
      reportsLost: 0,
      message: expect.stringContaining("0 would lose their report, 13 would leave search"),
    });
    const moved = { status: "moved", score: null, redirect: { host: null, status: 301 } };
    const scans = files.scans.map((scan) => ({ ...scan, ...moved }));
    await expect(rebuild({ ...files, scans })).rejects.toMatchObject({ hosts: { length: 60 } });
    await rebuild(withFirst(files, 12, { visibility: "blocked" }));
    // Those are out of search already: a report is all that they can lose.
    const same = withFirst(withFirst(files, 60, { name: "Renamed" }), 12, {
      visibility: "blocked",
    });
    expect((await rebuild(same, { maxRemoved: 0 })).counts.searchable).toBe(48);
    const next = without(withFirst(files, 12, { visibility: "blocked" }), 12);
    expect((await rebuild(next)).counts.reports).toBe(48);
  });
});

describe("a limit that is given", () => {
  it("is a whole number, or a whole percentage up to 100%", async () => {
    const texts = ["", "%", "-1", "1.5", "101%", "5.5%", "20 %", "1e3", "9".repeat(17), "many"];
    expect(texts.map(parseMaxRemoved)).toEqual(texts.map(() => null));
    expect(["0", "50", "0%", "20%", "100%"].map(parseMaxRemoved)).toEqual([
      0,
      50,
      "0%",
      "20%",
      "100%",
    ]);
    const { store, files, rebuild } = await storeWith(3);
    const before = await treeOf(store);
    for (const maxRemoved of [-1, 1.5, "many"] as MaxRemoved[]) {
      await expect(rebuild(files, { maxRemoved })).rejects.toThrow(TypeError);
    }
    expect(await treeOf(store)).toEqual(before);
  });
});

describe("what a build is compared with", () => {
  it("is the current snapshot, also where that was rolled back to", async () => {
    const { store, files, rebuild, first } = await storeWith(60);
    await rebuild(without(files, 40), { maxRemoved: "100%" });
    const { id, former } = await rollback(store, { restoreMissing: true });
    expect(former).toBe(first.id);
    // The input is as the last build has read it: every segment would be kept.
    await expect(rebuild(without(files, 40))).rejects.toThrow("40 of 60 published");
    expect(await currentId(store)).toBe(id);
  });

  it.each([
    ["manifest.json", (file: string) => file.endsWith("manifest.json")],
    ["pack", (file: string) => file.endsWith(".pack")],
  ])(
    "a current snapshot of which the %s is damaged hinders no build, which says so",
    async (_name, isIt) => {
      const { store, files, rebuild } = await storeWith(60);
      const file = Object.keys(await snapshotOf(store)).find(isIt);
      const path = join(store, file ?? "");
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0x20, bytes.length - 9));
      const { counts, uncheckedRemovals } = await rebuild(without(files, 60));
      expect(counts.reports).toBe(0);
      expect(uncheckedRemovals).toContain(file);
    },
  );

  it.each(someOf(["lost", "damaged"], 1))(
    "a %s current.json does not switch the check off: the snapshot published last is compared",
    async (state) => {
      const { store, files, rebuild } = await storeWith(60);
      await rebuild(withFirst(files, 1, { name: "Renamed" }));
      if (state === "lost") await rm(join(store, "current.json"));
      else await writeFile(join(store, "current.json"), "{");
      await expect(rebuild(without(files, 60))).rejects.toThrow(TooManyRemovedError);
      expect(await rebuild(without(files, 1))).toMatchObject({ uncheckedRemovals: null });
    },
  );

  it("a damaged table does not switch the check off for reports", async () => {
    const { store, files, rebuild } = await storeWith(60, FOUR);
    const tables = Object.keys(await snapshotOf(store)).filter((file) => /brief$/.test(file));
    await writeFile(join(store, tables[0]!), "damaged");
    const removed = withFirst(files, 59, { visibility: "removed" });
    await expect(rebuild(removed)).rejects.toThrow("59 of 60 published");
  });

  it("a refused build tells the warnings of its input: they may say where its listings are", async () => {
    const { folder, files, rebuild } = await storeWith(30);
    await mkdir(join(folder, "published", "listings"), { recursive: true });
    const backup = join(folder, "published", "listings", "all.ndjson.bak");
    await writeFile(backup, "");
    const refused = await rebuild(without(files, 30)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooManyRemovedError);
    const { input } = refused as TooManyRemovedError;
    expect(input.warnings.map(({ file }) => file)).toContain("listings/all.ndjson.bak");
    expect(input.warningCount).toBe(input.warnings.length);
    expect(input.folder).toBe(join(folder, "published"));
  });
});
