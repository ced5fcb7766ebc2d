import { cpSync, mkdirSync, readdirSync, rmSync, statfsSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePublished } from "../fixtures.js";
import { manyListings } from "../store/trees.js";
import {
  ageSnapshots,
  aScenario,
  contentOf,
  copyStore,
  KEEP,
  productOf,
  readWhole,
  type Scenario,
} from "./product.js";
import { repetitions } from "./repetitions.js";
import { mountMemory, type Ran, remount, run, type Start } from "./tools.js";

const product = await productOf();

function buildInto(out: string, { published }: Scenario, options?: Start): Promise<Ran> {
  return run(["build", published, "--out", out, "--keep", String(KEEP)], options);
}

/** The middle one of three. */
function usualTime(ran: readonly Ran[]): number {
  return ran.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)[1] ?? 0;
}

/** Bytes of a file system that are not free. */
function usedOf(disk: string): number {
  const { blocks, bfree, bsize } = statfsSync(disk);
  return (blocks - bfree) * bsize;
}

describe("P4: a disk that is full", () => {
  it("fails the build cleanly at every size, and once it has grown the next build succeeds", async (context) => {
    const scenario = await aScenario(product, 300);
    const disk = join(scenario.folder, "disk");
    mkdirSync(disk);
    mountMemory(context, disk, "size=64m");
    const store = join(disk, "store");
    const used = () => usedOf(disk);
    const renew = () => {
      remount(disk, "size=64m");
      rmSync(store, { recursive: true, force: true });
      copyStore(scenario.store, store);
    };
    renew();
    const before = used();
    const namesBefore = namesIn(store);
    const whole = [];
    for (let i = 0; i < 3; i += 1) {
      renew();
      whole.push(await run(["build", scenario.published, "--out", store, "--keep", "9"]));
    }
    const needed = used() - before;
    expect(needed).toBeGreaterThan(40 * 4096);
    const step = 100 / (repetitions("diskSizes") + 1);
    for (let percent = step; percent < 99; percent += step) {
      renew();
      remount(disk, `size=${before + Math.floor((needed * percent) / 100)}`);
      const { code, output, milliseconds } = await buildInto(store, scenario);
      expect([percent, code]).toEqual([percent, 1]);
      expect(output).toMatch(/^error: \/\S+ cannot be written: ENOSPC, the disk is full; .*\n$/);
      expect(output).toContain(store);
      expect(milliseconds).toBeLessThan(usualTime(whole) + 2_000);
      expect(await readWhole(product, store)).toBe(scenario.before);
      expect(namesIn(store)).toEqual(namesBefore);
      expect(used()).toBe(before);
      remount(disk, "size=64m");
      expect((await buildInto(store, scenario)).code).toBe(0);
      expect(await contentOf(store)).toEqual(scenario.whole);
    }
  });

  it("lets builds with --keep 1 succeed at intervals of a minute if it has room for one more snapshot", async (context) => {
    const scenario = await aScenario(product, 300);
    const disk = join(scenario.folder, "disk");
    mkdirSync(disk);
    mountMemory(context, disk, "size=64m");
    const store = join(disk, "store");
    const directories: string[] = [];
    for (const name of ["A", "B"]) {
      const files = manyListings(300);
      files.listings = files.listings.map((listing) => ({ ...listing, name: `Turn ${name}` }));
      directories.push(await writePublished(join(scenario.folder, name), files));
    }
    const build = (n: number) => product.build(directories[n % 2]!, { store, jobs: 1, keep: 1 });
    await build(0);
    const one = usedOf(disk);
    await build(1);
    const two = usedOf(disk);
    expect(two).toBeGreaterThan(one * 1.5);
    // Room for two snapshots and the next notes, not for three snapshots.
    remount(disk, `size=${two + Math.round(one / 4)}`);
    await expect(build(2)).rejects.toThrow("ENOSPC");
    for (let n = 2; n < 6; n += 1) {
      ageSnapshots(store);
      const { changed } = await build(n);
      expect(changed).toBe(true);
    }
  });
});

describe("P10: same input, same bytes", () => {
  it("with any folder, time zone, language, threads, file times and number of jobs", async () => {
    const scenario = await aScenario(product, 300);
    const elsewhere = join(scenario.folder, "else", "where");
    cpSync(scenario.published, elsewhere, { recursive: true });
    for (const name of namesIn(elsewhere)) utimesSync(join(elsewhere, name), 1, 1);
    const settings: readonly (Start & { from?: string; jobs?: string })[] = [
      {},
      { env: { TZ: "Pacific/Kiritimati" } },
      { env: { TZ: "America/St_Johns", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" } },
      { env: { LANG: "C", LC_ALL: "C" } },
      { env: { UV_THREADPOOL_SIZE: "1" } },
      { env: { UV_THREADPOOL_SIZE: "16" }, jobs: "5" },
      { cwd: "/" },
      { from: elsewhere },
      { from: elsewhere, jobs: "1", cwd: dirname(elsewhere) },
      { jobs: "2", env: { NODE_OPTIONS: "--max-old-space-size=256" } },
    ];
    for (const [i, { from = scenario.published, jobs = "3", ...options }] of settings.entries()) {
      const out = join(scenario.folder, `same-${i}`);
      copyStore(scenario.store, out);
      const words = ["build", from, "--out", out, "--keep", String(KEEP), "--jobs", jobs];
      expect((await run(words, options)).code).toBe(0);
      expect(await contentOf(out)).toEqual(scenario.whole);
    }
  });
});

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}
