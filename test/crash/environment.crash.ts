import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePublished } from "../fixtures.js";
import { manyListings } from "../store/trees.js";
import {
  ageSnapshots,
  aScenario,
  contentOf,
  copyOf,
  copyStore,
  KEEP,
  productOf,
  readWhole,
  type Scenario,
} from "./product.js";
import { repetitions } from "./repetitions.js";
import { mountMemory, need, type Ran, remount, run, type Start, startingTime } from "./tools.js";

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

  it("lets builds with --keep 1 succeed each minute if it has room for one more snapshot", async (context) => {
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

describe("P11: a clock that is wrong", () => {
  it.each(["-1d", "@2001-01-01 00:00:00", "+3650d"])(
    "%s changes neither the build's success nor its id",
    async (shift) => {
      const context = { env: {} as NodeJS.ProcessEnv, under: [] as string[], hook: "" };
      const isThere = spawnSync("sh", ["-c", "command -v faketime"]).status === 0;
      if (isThere) context.under = ["faketime", "-f", shift];
      else context.hook = shiftedClock(shift);
      const scenario = await aScenario(product);
      const store = copyOf(scenario);
      expect((await buildInto(store, scenario, context)).code).toBe(0);
      expect(await contentOf(store)).toEqual(scenario.whole);
      expect(await readWhole(product, store)).toBe(scenario.after);
      // The next build, by the right clock, finds everything in place.
      expect((await buildInto(store, scenario)).output).toContain("was already current");
    },
  );
});

/** Where faketime is not there: the clock as JavaScript sees it. */
function shiftedClock(shift: string): string {
  const days: Record<string, number> = { "-1d": -1, "+3650d": 3_650 };
  const by = (days[shift] ?? -9_000) * 86_400_000;
  return `
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...args) { super(...(args.length === 0 ? [Real.now() + ${by}] : args)); }
      static now() { return Real.now() + ${by}; }
    };
  `;
}

describe("P12: a build into a store without write access", () => {
  it("on a read-only file system fails within a second, and the store can be read", async (context) => {
    const scenario = await aScenario(product);
    const disk = join(scenario.folder, "disk");
    mkdirSync(disk);
    mountMemory(context, disk, "size=64m");
    const store = join(disk, "store");
    copyStore(scenario.store, store);
    const before = namesIn(disk);
    const atOnce = (await startingTime()) + 1_000;
    remount(disk, "ro");
    for (const out of [store, join(disk, "new")]) {
      const { code, output, milliseconds } = await buildInto(out, scenario);
      expect(code).toBe(1);
      expect(output).toMatch(/^error: \/\S+ cannot be written: EROFS, the file system is read-/);
      expect(output).toContain(out);
      expect(milliseconds).toBeLessThan(atOnce);
    }
    expect(namesIn(disk)).toEqual(before);
    expect(await readWhole(product, store)).toBe(scenario.before);
    (await product.loadSnapshot(store, scenario.before)).close();
    remount(disk, "rw");
    expect((await buildInto(store, scenario)).code).toBe(0);
  });

  it("by another user fails within a second and writes nothing", async (context) => {
    need(context, "root");
    need(context, "setpriv");
    const scenario = await aScenario(product);
    chmodSync(scenario.folder, 0o755);
    const before = await contentOf(scenario.store);
    const notes = readFileSync(join(scenario.store, ".notes"));
    const atOnce = (await startingTime()) + 1_000;
    const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    for (const out of [scenario.store, join(scenario.folder, "new")]) {
      const { code, output, milliseconds } = await buildInto(out, scenario, { under: nobody });
      expect([code, output]).toEqual([1, expect.stringContaining("cannot be written: EACCES, ")]);
      expect(output).toContain(out);
      expect(output.split("\n")).toHaveLength(2);
      expect(milliseconds).toBeLessThan(atOnce);
    }
    expect(await contentOf(scenario.store)).toEqual(before);
    expect(readFileSync(join(scenario.store, ".notes"))).toEqual(notes);
    expect(namesIn(scenario.folder)).not.toContain("new");
  });
});

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

describe("a build into a path where something else lies", () => {
  it("fails with the path, the system's error and the remedy", async () => {
    const scenario = await aScenario(product);
    const file = join(scenario.folder, "file");
    writeFileSync(file, "");
    const { code, output } = await buildInto(join(file, "store"), scenario);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^error: \/\S+file\/store cannot be written: E(EXIST|NOTDIR), .*\n$/),
    ]);
  });
});
