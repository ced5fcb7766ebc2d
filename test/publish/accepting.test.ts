import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostHash } from "../../src/contract/host.js";
import type { WarningCode } from "../../src/input/checking/codes.js";
import { build, validate } from "../../src/publish/build.js";
import { notedRereads, readNotes } from "../../src/publish/notes.js";
import type { BuildOptions } from "../../src/publish/options.js";
import { aCheck, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { settle } from "../store/edits.js";
import { FOUR, manyListings } from "../store/trees.js";

const NONE_ACCEPTED = { acceptedCount: 0, acceptedCodes: [] };

/** 60 listings, of which every third has a mistake of two codes, and a file that is not read. */
async function mistaken() {
  const folder = await temporaryFolder();
  const files = manyListings();
  const listings = files.listings.map((listing, at) =>
    at % 3 === 0 ? { ...listing, status: "active", url: "https://elsewhere.example/" } : listing,
  );
  const scans = files.scans.map((scan, at) =>
    at === 1 ? { ...scan, checks: [aCheck({ points: 61 })] } : scan,
  );
  const published = join(folder, "published");
  const write = async (accept?: WarningCode[]) => {
    const directory = { ...files.directory, ...(accept && { accept }) };
    await writePublished(published, { ...files, directory, listings, scans });
    await writeFile(join(published, "notes.txt"), "");
  };
  await write();
  const store = join(folder, "store");
  const run = (options: Partial<BuildOptions> = {}) =>
    build(published, { store, ...FOUR, ...options });
  return { published, store, write, run };
}

describe("an accepted warning", () => {
  it("is counted by its code but not shown, whether the directory or the call accepts it", async () => {
    const { published, write, run } = await mistaken();
    const all = await validate(published, { jobs: 1 });
    expect(all).toMatchObject({ warningCount: 42, ...NONE_ACCEPTED });
    await write(["file-unread", "status-unusual", "text-misread"]);
    const accept = ["url-elsewhere", "file-unread"] as const;
    const shown = all.warnings.filter(({ code }) => code === "points-above-maximum");
    expect(shown).toHaveLength(1);
    for (const jobs of [1, 2]) {
      for (const result of [
        await validate(published, { jobs, accept }),
        await run({ jobs, accept, full: true }),
      ]) {
        expect(result).toMatchObject({
          warnings: shown,
          warningCount: 1,
          acceptedCount: 41,
          acceptedCodes: ["file-unread", "status-unusual", "url-elsewhere"],
        });
        expect(result.warningGroups.map(({ first }) => first)).toEqual(shown);
      }
    }
  });

  it("is no error of a strict build, and a refusal counts it", async () => {
    const { published, run } = await mistaken();
    const accept: WarningCode[] = ["url-elsewhere", "file-unread", "status-unusual"];
    await expect(run({ accept, strict: true })).rejects.toMatchObject({
      problemCount: 1,
      acceptedCount: 41,
      acceptedCodes: [...accept].sort(),
    });
    await run({ accept: [...accept, "points-above-maximum"], strict: true });
    await writeFile(join(published, "listings/bad.json"), "{");
    await expect(run({ accept })).rejects.toMatchObject({ problemCount: 1, warningCount: 1 });
  });

  it("of a document is accepted by directory.json, which may be that document", async () => {
    const folder = await temporaryFolder();
    const files = aPublishedDirectory();
    const directory = { ...files.directory, name: "<b>x</b>", accept: ["html-in-text" as const] };
    const published = await writePublished(join(folder, "published"), { ...files, directory });
    expect(await validate(published, { jobs: 1 })).toMatchObject({
      warningCount: 0,
      acceptedCount: 1,
    });
  });

  it("takes no exact place from one that is shown", async () => {
    const folder = await temporaryFolder();
    const files = manyListings(1_200);
    const listings = files.listings.map((listing) => ({ ...listing, status: "active" }));
    listings[1_199] = { ...listings[1_199]!, name: "<b>x</b>" };
    const published = await writePublished(join(folder, "published"), { ...files, listings });
    const { warnings, acceptedCount } = await validate(published, {
      jobs: 1,
      accept: ["status-unusual"],
    });
    expect(acceptedCount).toBe(1_200);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.column).toBeGreaterThan(1);
  });
});

describe("a build of what has changed", () => {
  it("shows the warnings that the last build accepted, and counts those that it accepts", async () => {
    const { store, write, run } = await mistaken();
    const accept: WarningCode[] = ["status-unusual", "url-elsewhere", "points-above-maximum"];
    const first = await run({ accept });
    expect(first).toMatchObject({ warningCount: 1, acceptedCount: 41 });
    await settle(store);
    const shown = await run();
    expect(shown).toMatchObject({ id: first.id, kept: 4, warningCount: 42, ...NONE_ACCEPTED });
    await settle(store);
    expect(await run({ accept })).toMatchObject({ kept: 4, warningCount: 1, acceptedCount: 41 });
    await write(accept);
    await settle(store);
    const again = await run();
    expect(again).toMatchObject({ id: first.id, kept: 4, warningCount: 1, acceptedCount: 41 });
  });

  it("reads hosts with accepted warnings again after those with others, up to its limit", async () => {
    const { store, run } = await mistaken();
    const { warnings } = await run({ accept: ["status-unusual", "url-elsewhere"] });
    expect(warnings.map(({ code }) => code)).toEqual(["file-unread", "points-above-maximum"]);
    const { rereads } = (await readNotes(store)).built!;
    expect(rereads).toHaveLength(20);
    const host = manyListings().scans[1]!.host;
    expect(rereads[0]).toBe(hostHash(host));
    expect(notedRereads([9, 5], [7, 1])).toEqual([5, 9, 1, 7]);
    const many = Array.from({ length: 1_000 }, (_, at) => 1_000 - at);
    expect(notedRereads([2_000, 1_001], many).slice(0, 3)).toEqual([1_001, 2_000, 1]);
    expect(notedRereads([2_000, 1_001], many)).toHaveLength(1_000);
  });
});
