import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { validate } from "../../src/build/build.js";
import { generate } from "../../src/sample/generate.js";
import { SampleFiles, writeSample } from "../../src/sample/sample.js";
import { temporaryFolder } from "../fixtures.js";
import { repeated } from "../slow.js";
import { digestOf, filesOf, recordsOf } from "./records.js";

const LARGE = repeated(400, 1_200);

describe("writeSample", () => {
  it("writes a directory without errors and warnings (the published format)", async () => {
    const folder = join(await temporaryFolder(), "published");
    const size = await writeSample(folder, { listings: LARGE, seed: 1 });
    expect(await validate(folder)).toEqual({ ...size, warnings: [], warningCount: 0 });
    expect(size.listings).toBe(LARGE);
  });

  it("writes one without errors for another seed, too", async () => {
    const folder = join(await temporaryFolder(), "published");
    const size = await writeSample(folder, { listings: LARGE / 4, seed: 4_294_967_295 });
    expect(await validate(folder)).toEqual({ ...size, warnings: [], warningCount: 0 });
  });

  it("names the file that cannot be written", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "listings"));
    const files = new SampleFiles(folder);
    await files.append("listings", "{}");
    await expect(files.flush()).rejects.toThrow(
      `${join(folder, "listings")} cannot be written: EISDIR`,
    );
  });

  it("uses both forms, in nested folders (the published format)", async () => {
    const paths = [...(await filesOf({ listings: 200, seed: 1 })).keys()];
    for (const kind of ["listings", "scans"]) {
      const own = paths.filter((path) => path.startsWith(`${kind}/`));
      expect(own.filter((path) => path.endsWith(".ndjson")).length).toBeGreaterThan(0);
      const nested = own.filter((path) => /^[^/]+\/single\/[^/]+\/[^/]+\.json$/.test(path));
      expect(nested.length).toBeGreaterThan(7);
    }
    expect(paths.filter((path) => !path.includes("/")).sort()).toEqual([
      "directory.json",
      "standards.json",
      "taxonomy.json",
    ]);
  });

  it("starts the next file when one is full, and counts files in each folder separately", async () => {
    const folder = await temporaryFolder();
    const files = new SampleFiles(folder, 2);
    for (const record of [1, 2, 3, 4, 5]) await files.appendLine("a", { record });
    await files.appendLine("b", { record: 6 });
    await files.flush();
    const text = (path: string) => readFile(join(folder, path), "utf8");
    expect(await text("a/part-0000.ndjson")).toBe('{"record":1}\n{"record":2}\n');
    expect(await text("a/part-0001.ndjson")).toBe('{"record":3}\n{"record":4}\n');
    expect(await text("a/part-0002.ndjson")).toBe('{"record":5}\n');
    expect(await text("b/part-0000.ndjson")).toBe('{"record":6}\n');
  });

  it("refuses a folder that is not empty, and leaves it as it is", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "notes.txt"), "mine");
    const refused = writeSample(folder, { listings: 1, seed: 1 });
    await expect(refused).rejects.toThrow(/is not empty; choose a new/);
    expect(await readdir(folder)).toEqual(["notes.txt"]);
  });

  it("refuses a file in the folder's place by name", async () => {
    const file = join(await temporaryFolder(), "published");
    await writeFile(file, "mine");
    const refused = writeSample(file, { listings: 1, seed: 1 });
    await expect(refused).rejects.toThrow(`${file} is a file, not a folder`);
  });

  it("accepts an empty folder, and writes a valid directory without listings", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "empty"));
    const size = await writeSample(join(folder, "empty"), { listings: 0, seed: 1 });
    expect(size).toEqual({ listings: 0, scans: 0 });
    expect((await readdir(join(folder, "empty"))).sort()).toEqual([
      "directory.json",
      "standards.json",
      "taxonomy.json",
    ]);
  });

  it.each([
    { listings: -1, seed: 1 },
    { listings: 1.5, seed: 1 },
    { listings: 1, seed: 2 ** 32 },
    { listings: 1, seed: Number.NaN },
  ])("refuses $listings listings of seed $seed, and makes no folder", async (options) => {
    const parent = await temporaryFolder();
    await expect(writeSample(join(parent, "published"), options)).rejects.toThrow(TypeError);
    expect(await readdir(parent)).toEqual([]);
  });

  it("reports progress on the way and at the end", async () => {
    const told: [number, number][] = [];
    const onProgress = (done: number, total: number) => told.push([done, total]);
    await writeSample(await temporaryFolder(), { listings: 250, seed: 1, onProgress });
    expect(told.at(-1)).toEqual([250, 250]);
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual(told.toSorted(([a], [b]) => a - b));
  });
});

describe("a repeated sample", () => {
  it("has the same bytes for the same seed and size on any machine, with this digest", async () => {
    // Whoever changes the sample changes what others have measured with it; then this line changes.
    const digest = digestOf(await filesOf({ listings: 100, seed: 1 }));
    expect(digest).toBe("c4ed60202e18661bca72eecfea238d9078f00c99df690ee8644d511e1e7cd658");
  });

  it("has other listings for another seed", async () => {
    const hosts = (seed: number) =>
      Array.from({ length: 100 }, (_, index) => generate(seed, index).listing.host);
    const first = new Set(hosts(1));
    expect(hosts(2).filter((host) => first.has(host)).length).toBeLessThan(5);
  });

  it("has other histories and findings for another seed", () => {
    const lives = (seed: number) =>
      Array.from({ length: 50 }, (_, index) => {
        const { listing, scans } = generate(seed, index);
        return [listing.status, listing.entitlements, scans.map(({ score }) => score)];
      });
    const first = lives(1).map((life) => JSON.stringify(life));
    const same = lives(2).filter((life, index) => JSON.stringify(life) === first[index]);
    expect(same.length).toBeLessThan(5);
  });

  it("has the listings and scans of a smaller sample if it is larger", async () => {
    const small = await filesOf({ listings: 150, seed: 5 });
    const large = await filesOf({ listings: 400, seed: 5 });
    for (const kind of ["listings", "scans"] as const) {
      const there = new Set(recordsOf(large, kind));
      expect(recordsOf(small, kind).filter((record) => !there.has(record))).toEqual([]);
    }
    expect(recordsOf(small, "listings")).toHaveLength(150);
    expect(recordsOf(large, "listings")).toHaveLength(400);
  });

  it("has the same listing whatever was generated before it", () => {
    const alone = JSON.stringify(generate(9, 37));
    for (let index = 0; index < 37; index += 1) generate(9, index);
    expect(JSON.stringify(generate(9, 37))).toBe(alone);
  });
});

describe("memory", () => {
  const [FEW, MANY] = [repeated(200, 500), repeated(600, 2_500)];

  it(`does not grow with the listings: ${MANY} use no more than ${FEW}`, async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = new Map<number, number>();
    const onProgress = (done: number) => {
      if (done !== FEW && done !== MANY) return;
      collect();
      used.set(done, process.memoryUsage().heapUsed);
    };
    await writeSample(await temporaryFolder(), { listings: MANY + 100, seed: 1, onProgress });
    expect(used.get(MANY)! - used.get(FEW)!).toBeLessThan(5_000_000);
  });
});
