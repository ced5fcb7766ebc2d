import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { generate } from "../../src/sample/generate.js";
import { writeInto, writeSample } from "../../src/sample/sample.js";
import { SeriesSet } from "../../src/sample/series.js";
import { validate } from "../../src/store/build.js";
import { temporaryFolder } from "../fixtures.js";
import { repeated } from "../slow.js";
import { digestOf, MemorySink, recordsOf, sampleInMemory } from "./sinks.js";

/** The records of each host, as JSON, in the order in which they were written. */
function byHost(records: readonly { readonly host: string }[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const record of records) {
    groups.set(record.host, [...(groups.get(record.host) ?? []), JSON.stringify(record)]);
  }
  return groups;
}

describe("writeSample", () => {
  it("the published format: what it writes has no error and no warning", async () => {
    const folder = join(await temporaryFolder(), "published");
    const size = await writeSample(folder, { listings: 1_000, seed: 1 });
    expect(await validate(folder)).toEqual({ ...size, warnings: [], warningCount: 0 });
    expect(size.listings).toBe(1_000);
  });

  it("another seed's sample has no error either", async () => {
    const folder = join(await temporaryFolder(), "published");
    const size = await writeSample(folder, { listings: 300, seed: 4_294_967_295 });
    expect(await validate(folder)).toEqual({ ...size, warnings: [], warningCount: 0 });
  });

  it("the folder holds the bytes that any sink gets", async () => {
    const folder = await temporaryFolder();
    await writeSample(folder, { listings: 120, seed: 3 });
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = new Map<string, string>();
    for (const entry of names.filter((name) => name.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const relative = path.slice(folder.length + 1).replaceAll("\\", "/");
      files.set(relative, await readFile(path, "utf8"));
    }
    expect(digestOf(files)).toBe(digestOf(await sampleInMemory({ listings: 120, seed: 3 })));
  });

  it("the published format: both forms occur, in nested folders", async () => {
    const paths = [...(await sampleInMemory({ listings: 200, seed: 1 })).keys()];
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

  it("a full file is followed by the next one, each folder counting by itself", async () => {
    const sink = new MemorySink();
    const series = new SeriesSet(sink, 2);
    for (const record of [1, 2, 3, 4, 5]) await series.add("a", { record });
    await series.add("b", { record: 6 });
    await series.close();
    expect([...sink.files]).toEqual([
      ["a/part-0000.ndjson", '{"record":1}\n{"record":2}\n'],
      ["a/part-0001.ndjson", '{"record":3}\n{"record":4}\n'],
      ["a/part-0002.ndjson", '{"record":5}\n'],
      ["b/part-0000.ndjson", '{"record":6}\n'],
    ]);
    expect(sink.openFiles).toBe(0);
  });

  it("a folder with anything in it is refused, and left as it is", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "notes.txt"), "mine");
    const refused = writeSample(folder, { listings: 1, seed: 1 });
    await expect(refused).rejects.toThrow(/is not empty; the sample is written into a new/);
    expect(await readdir(folder)).toEqual(["notes.txt"]);
  });

  it("a file in the folder's place is refused by name", async () => {
    const file = join(await temporaryFolder(), "published");
    await writeFile(file, "mine");
    const refused = writeSample(file, { listings: 1, seed: 1 });
    await expect(refused).rejects.toThrow(`${file} is a file, not a folder`);
  });

  it("an empty folder is taken, and one of no listings is a directory too", async () => {
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
  ])("$listings listings of seed $seed are refused, and no folder is made", async (options) => {
    const parent = await temporaryFolder();
    await expect(writeSample(join(parent, "published"), options)).rejects.toThrow(RangeError);
    expect(await readdir(parent)).toEqual([]);
  });

  it("progress is told as it goes, and at the end", async () => {
    const told: [number, number][] = [];
    const onProgress = (done: number, total: number) => told.push([done, total]);
    await sampleInMemory({ listings: 250, seed: 1, onProgress });
    expect(told.at(-1)).toEqual([250, 250]);
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual(told.toSorted(([a], [b]) => a - b));
  });
});

describe("the same sample again", () => {
  it("the same seed and size give the same bytes, on any machine: the digest is this one", async () => {
    // Whoever changes the sample changes what others have measured with it; then this line changes.
    const digest = digestOf(await sampleInMemory({ listings: 100, seed: 1 }));
    expect(digest).toBe("14437ad7dd234df4ac78a7dde9fe511400bd0db06ae2c3e1f3e5ee3ec069424a");
  });

  it("another seed gives other listings", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(async (seed) =>
        recordsOf(await sampleInMemory({ listings: 100, seed }), "listings"),
      ),
    );
    const hosts = new Set(one?.map(({ host }) => host));
    expect(two?.filter(({ host }) => hosts.has(host)).length).toBeLessThan(5);
  });

  it("another seed gives listings another life and other findings", () => {
    const lives = (seed: number) =>
      Array.from({ length: 50 }, (_, index) => {
        const { listing, scans } = generate(seed, index);
        return [listing.status, listing.tags, scans.map(({ score }) => score)];
      });
    const first = lives(1).map((life) => JSON.stringify(life));
    const same = lives(2).filter((life, index) => JSON.stringify(life) === first[index]);
    expect(same.length).toBeLessThan(5);
  });

  it("a larger sample keeps the listings and scans of a smaller one", async () => {
    const small = await sampleInMemory({ listings: 150, seed: 5 });
    const large = await sampleInMemory({ listings: 400, seed: 5 });
    for (const kind of ["listings", "scans"] as const) {
      const kept = byHost(recordsOf(large, kind));
      for (const [host, records] of byHost(recordsOf(small, kind))) {
        expect(kept.get(host)).toEqual(records);
      }
    }
    expect(recordsOf(small, "listings")).toHaveLength(150);
    expect(recordsOf(large, "listings")).toHaveLength(400);
  });

  it("a listing is the same whatever was generated before it", () => {
    const alone = JSON.stringify(generate(9, 37));
    for (let index = 0; index < 37; index += 1) generate(9, index);
    expect(JSON.stringify(generate(9, 37))).toBe(alone);
  });
});

describe("memory", () => {
  it("every write is waited for before the next", async () => {
    let open = 0;
    let most = 0;
    const write = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
    };
    await writeInto(
      { open: async () => ({ write, close: async () => {} }) },
      { listings: 60, seed: 1 },
    );
    expect(most).toBe(1);
  });

  it("every file is closed when a write fails, though closing may fail too", async () => {
    let open = 0;
    const sink = {
      async open(path: string) {
        open += 1;
        return {
          async write() {
            if (path.startsWith("scans/2026/")) throw new Error("disk full");
          },
          async close() {
            open -= 1;
            if (path.startsWith("listings/part")) throw new Error("disk full, again");
          },
        };
      },
    };
    await expect(writeInto(sink, { listings: 60, seed: 1 })).rejects.toThrow("disk full");
    expect(open).toBe(0);
  });

  const [FEW, MANY] = [repeated(200, 500), repeated(1_000, 2_500)];

  it(`does not grow with the listings: ${MANY} leave no more behind than ${FEW}`, async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = new Map<number, number>();
    let written = 0;
    const file = {
      async write(text: string) {
        written += text.length;
      },
      async close() {},
    };
    const onProgress = (done: number) => {
      if (done !== FEW && done !== MANY) return;
      collect();
      used.set(done, process.memoryUsage().heapUsed);
    };
    await writeInto({ open: async () => file }, { listings: MANY, seed: 1, onProgress });
    expect(written).toBeGreaterThan(14_000 * MANY);
    expect(used.get(MANY)! - used.get(FEW)!).toBeLessThan(3_000_000);
  });
});
