import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validate } from "../../src/build/build.js";
import { writeSample } from "../../src/sample/sample.js";
import { temporaryFolder } from "../fixtures.js";
import { repeated } from "../slow.js";
import * as generator from "./generator/write.js";
import { digestOf, filesOf, recordsOf } from "./records.js";

const LISTINGS = repeated(60, 500);
const LARGE = repeated(40, 1_200);
const MADE = generator.sampleFiles({ listings: 500 });

describe("writeSample", () => {
  it("writes a directory without errors and warnings (the published format)", async () => {
    const folder = join(await temporaryFolder(), "published");
    const size = await writeSample(folder, { listings: LISTINGS });
    expect(await validate(folder)).toEqual({
      ...size,
      warnings: [],
      warningCount: 0,
      warningGroups: [],
    });
    expect(size.listings).toBe(LISTINGS);
  });

  it.each([500, 60])(
    "writes the bytes that the generator makes of %i listings; if not, run `npm run sample`",
    async (listings) => {
      const made = listings === 500 ? MADE : generator.sampleFiles({ listings });
      const written = await filesOf((folder) => writeSample(folder, { listings }));
      expect([...written.keys()].sort()).toEqual([...made.keys()].sort());
      expect([...made].filter(([path, text]) => written.get(path) !== text)).toEqual([]);
    },
  );

  it("names the file that cannot be written", async () => {
    // Linux allows paths of 4,095 bytes: the folder and the documents just fit, a listing's file does not.
    let folder = await temporaryFolder();
    const name = "long".repeat(50);
    while (folder.length < 3_800) folder = join(folder, name);
    folder = join(folder, "x".repeat(4_060 - folder.length));
    await expect(writeSample(folder, { listings: 1 })).rejects.toThrow(
      /\/listings\/single\/.* cannot be written: ENAMETOOLONG/,
    );
  });

  it("refuses a folder that is not empty, and leaves it as it is", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "notes.txt"), "mine");
    await expect(writeSample(folder)).rejects.toThrow(/is not empty; choose a new/);
    expect(await readdir(folder)).toEqual(["notes.txt"]);
  });

  it("refuses a file in the folder's place by name", async () => {
    const file = join(await temporaryFolder(), "published");
    await writeFile(file, "mine");
    await expect(writeSample(file)).rejects.toThrow(`${file} is a file, not a folder`);
  });

  it("accepts an empty folder, and writes a valid directory without listings", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "empty"));
    const size = await writeSample(join(folder, "empty"), { listings: 0 });
    expect(size).toEqual({ listings: 0, scans: 0 });
    expect((await readdir(join(folder, "empty"))).sort()).toEqual([
      "directory.json",
      "standards.json",
      "taxonomy.json",
    ]);
  });

  it.each([-1, 1.5, 501, Number.NaN])(
    "refuses %d listings, names the range, and makes no folder",
    async (listings) => {
      const parent = await temporaryFolder();
      await expect(writeSample(join(parent, "published"), { listings })).rejects.toThrow(
        `writeSample: "listings" must be a whole number from 0 to 500, found ${listings}`,
      );
      expect(await readdir(parent)).toEqual([]);
    },
  );
});

describe("the generator", () => {
  const generated = (listings: number, seed: number) => generator.sampleFiles({ listings, seed });

  it.each([1, 4_294_967_295])(
    "writes a directory without errors and warnings for seed %i",
    async (seed) => {
      const folder = join(await temporaryFolder(), "published");
      const size = await generator.writeSample(folder, { listings: LARGE, seed });
      expect(await validate(folder)).toEqual({
        ...size,
        warnings: [],
        warningCount: 0,
        warningGroups: [],
      });
      expect(size.listings).toBe(LARGE);
    },
  );

  it("has the same bytes for the same seed and size on any machine, with this digest", () => {
    // Whoever changes the sample changes what others have measured with it; then this line changes.
    expect(digestOf(generated(100, 1))).toBe(
      "59a3b8a8697ea8a57586ff703b778d02eb73bc87396e5ec3fe0e3a594beded60",
    );
  });

  it("has the listings and scans of a smaller sample if it is larger", () => {
    const small = generated(30, 5);
    const large = generated(80, 5);
    for (const kind of ["listings", "scans"] as const) {
      const there = new Set(recordsOf(large, kind));
      expect(recordsOf(small, kind).filter((record) => !there.has(record))).toEqual([]);
    }
    expect(recordsOf(small, "listings")).toHaveLength(30);
    expect(recordsOf(large, "listings")).toHaveLength(80);
  });
});
