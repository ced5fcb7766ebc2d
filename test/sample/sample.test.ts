import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isCanonicalHost } from "../../src/contract/host.js";
import type { Check } from "../../src/contract/report.js";
import { type CheckDescription, Standards } from "../../src/contract/standards.js";
import { NO_WARNINGS } from "../../src/input/checking/problem.js";
import { Scan } from "../../src/input/checking/schemas.js";
import { validate } from "../../src/publish/build.js";
import { writeSample } from "../../src/sample/sample.js";
import { temporaryFolder } from "../fixtures.js";
import { repeated } from "../slow.js";
import * as larger from "./larger.js";

const LISTINGS = repeated(60, 500);
const LARGE = repeated(40, 1_200);

describe("writeSample", () => {
  it("writes a directory without errors and warnings", async () => {
    const folder = join(await temporaryFolder(), "published");
    const size = await writeSample(folder, { listings: LISTINGS });
    expect(await validate(folder)).toEqual({ ...size, ...NO_WARNINGS });
    expect(size.listings).toBe(LISTINGS);
  });

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

describe("a larger sample", () => {
  it("has the records of the package, of any smaller sample of its seed, and no host twice", async () => {
    const own = join(await temporaryFolder(), "own");
    const other = join(await temporaryFolder(), "other");
    await writeSample(own, { listings: LISTINGS });
    await larger.writeSample(other, { listings: LISTINGS });
    for (const name of await readdir(own, { recursive: true })) {
      if (!name.endsWith("json")) continue;
      const [one, two] = await Promise.all(
        [own, other].map((at) => readFile(join(at, name), "utf8")),
      );
      expect([name, one === two]).toEqual([name, true]);
    }
    const hosts = Array.from(
      { length: 1_200 },
      (_, index) => larger.recordsAt(1, index)[0][1].host,
    );
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts.filter((host) => !isCanonicalHost(host))).toEqual([]);
  });

  it.each([1, 4_294_967_295])("is without errors and warnings for seed %i", async (seed) => {
    const folder = join(await temporaryFolder(), "published");
    const size = await larger.writeSample(folder, { listings: LARGE, seed });
    expect(await validate(folder)).toEqual({ ...size, ...NO_WARNINGS });
    expect(size.listings).toBe(LARGE);
  });
});

/* The sample's records say nothing that contradicts their methodology or themselves. */

const STANDARDS = Standards.parse(
  larger.DOCUMENTS.find(([name]) => name === "standards.json")?.[1],
);

describe("the methodology of the sample", () => {
  const { rubric, checks, aiCrawlers, crawlerCatalogue } = STANDARDS;
  const points = (some: (check: CheckDescription) => boolean) =>
    checks.filter(some).reduce((total, { maxPoints }) => total + maxPoints, 0);

  it("has blocks whose active achievements add up to them, and every kind, class and lifecycle", () => {
    const active = (block: number) =>
      points((check) => {
        const { kind, lifecycle } = check;
        return kind === "achievement" && lifecycle === "active" && check.block === block;
      });
    expect([active(1), active(2)]).toEqual([rubric.block1Points, rubric.block2Points]);
    expect(active(1) + active(2)).toBe(100);
    expect(points(({ kind }) => kind !== "achievement")).toBe(0);
    for (const key of ["kind", "checkClass", "lifecycle"] as const) {
      expect(new Set(checks.map((check) => check[key])).size).toBe(3);
    }
  });

  it("aiCrawlers is the projection of those that the scanner recognizes", () => {
    const recognized = crawlerCatalogue.filter(({ scanner }) => scanner.recognized);
    expect(aiCrawlers).toEqual(
      recognized.map(({ name, operator, purposes: [purpose] }) => ({ name, operator, purpose })),
    );
  });
});

describe("the scans of the sample", () => {
  const scans = Array.from({ length: repeated(120, 500) }, (_, index) =>
    larger.recordsAt(1, index).slice(1),
  )
    .flat()
    .map(([, scan]) => Scan.parse(scan));
  const scored = scans.filter((scan): scan is Scan & { score: number } => scan.score !== null);
  const sum = (own: readonly Check[], some: (check: Check) => boolean) =>
    own.filter(some).reduce((total, { points }) => total + points, 0);
  const clamped = (points: number) => Math.min(100, Math.max(0, Math.round(points)));
  const totalOf = ({ block1, block2, penalties }: Scan) =>
    (block1 ?? Number.NaN) + (block2 ?? Number.NaN) - (penalties ?? Number.NaN);

  it("have points that add up to the blocks and penalties, and these to the score", () => {
    expect(scored.length).toBeLessThan(scans.length);
    for (const scan of scored) {
      const { checks, block1, block2, penalties, score } = scan;
      expect(sum(checks, ({ block }) => block === 1)).toBe(block1);
      expect(sum(checks, ({ block }) => block === 2)).toBe(block2);
      expect(0 - sum(checks, ({ kind }) => kind === "penalty")).toBe(penalties);
      expect(score).toBe(Math.min(clamped(totalOf(scan)), scan.cappedAt ?? 100));
    }
  });

  it("have fixes for what did not pass, most points first, with the score that each would give", () => {
    for (const scan of scored) {
      const recovered = scan.fixes.map(({ recoverablePoints }) => recoverablePoints);
      expect(recovered).toEqual(recovered.toSorted((a, b) => b - a));
      for (const { checkId, status, recoverablePoints, scoreAfter } of scan.fixes) {
        const judged = scan.checks.find((one) => one.checkId === checkId)!;
        expect([judged.status, ["pass", "na"].includes(status)]).toEqual([status, false]);
        const most = judged.kind === "penalty" ? 0 : judged.maxPoints;
        expect(recoverablePoints).toBe(most - judged.points);
        const ceiling = checkId === "server-rendered" ? 100 : (scan.cappedAt ?? 100);
        expect(scoreAfter).toBe(Math.min(ceiling, clamped(totalOf(scan) + recoverablePoints)));
      }
    }
  });
});
