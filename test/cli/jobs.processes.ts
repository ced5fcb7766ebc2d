import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { repeated, someOf } from "../slow.js";
import { manyListings, publishedTree, treeOf } from "../store/trees.js";
import { crawldex, crawldexProcess } from "./spawned.js";

/** Has node run a module before a command, and in each of its worker threads. */
const beginningWith = (module: string) => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(module)}`,
});

/** Runs a text in every worker thread of a command before its own code. */
const inWorkers = (text: string) =>
  beginningWith(
    `import { isMainThread, threadId } from "node:worker_threads"; if (!isMainThread) { ${text} }`,
  );

async function folderWith(files = manyListings(300)) {
  const folder = await temporaryFolder();
  return { folder, published: await writePublished(join(folder, "published"), files) };
}

const SCANS = repeated(300, 2_000);

describe("build --jobs", () => {
  it("writes the same bytes for any number of jobs, time zone, language and order of lines", async () => {
    const files = manyListings(repeated(300, 600));
    const { folder, published } = await folderWith(files);
    const shuffled = await writePublished(join(folder, "another"), {
      ...files,
      listings: files.listings.toReversed(),
      scans: files.scans.toReversed(),
    });
    const variants = [
      { from: published, jobs: "1", env: { TZ: "UTC", LANG: "C" } },
      { from: published, jobs: "2", env: { TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8" } },
      { from: shuffled, jobs: "3", env: { TZ: "America/New_York", LANG: "sv_SE.UTF-8" } },
    ];
    const trees = [];
    for (const { from, jobs, env } of variants) {
      const out = join(folder, `store-${jobs}`);
      const args = ["build", from, "--out", out, "--jobs", jobs];
      const { code } = await crawldexProcess(args, undefined, env);
      expect(code).toBe(0);
      trees.push(await publishedTree(out));
    }
    expect(Object.keys(trees[0] ?? {}).length).toBeGreaterThan(10);
    expect(trees[1]).toEqual(trees[0]);
    expect(trees[2]).toEqual(trees[0]);
  });

  it("fails if a worker dies, and the current snapshot stays as it was", async () => {
    const { folder, published } = await folderWith();
    const out = join(folder, "store");
    expect((await crawldex(["build", published, "--out", out])).code).toBe(0);
    const before = await treeOf(out);
    const { listings, ...rest } = manyListings(350);
    const changed = listings.map((listing) => ({ ...listing, tagline: "Changed" }));
    const next = await writePublished(join(folder, "next"), { ...rest, listings: changed });
    const deaths = [
      ["process.exit(7)", "ended with code 7"],
      ["setTimeout(() => { throw new Error('out of luck') }, 1)", "failed: out of luck"],
    ] as const;
    for (const [text, said] of someOf(deaths, 1)) {
      const args = ["build", next, "--out", out, "--jobs", "2"];
      const { code, stderr } = await crawldexProcess(args, undefined, inWorkers(text));
      expect(code).toBe(1);
      expect(stderr).toContain(`error: a worker thread ${said}`);
      const after = await treeOf(out);
      const kept = Object.entries(after).filter(([file]) => !file.includes("/.new-"));
      expect(Object.fromEntries(kept)).toEqual(before);
    }
  });

  it.each(someOf(["SIGINT", "SIGTERM"] as const, 1))(
    "ends with exit 1 on %s, and leaves nothing behind",
    async (signal) => {
      const { folder, published } = await folderWith();
      const out = join(folder, "store");
      const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)";
      const { code, stderr } = await crawldexProcess(
        ["build", published, "--out", out, "--jobs", "2"],
        undefined,
        // A second signal would end the process at once.
        inWorkers(`if (threadId === 1) process.kill(process.pid, "${signal}"); ${wait}`),
      );
      expect(stderr).toContain(`error: stopped by ${signal}, nothing was published`);
      expect(code).toBe(1);
      expect(existsSync(out)).toBe(false);
    },
  );

  it(`builds a listing with ${SCANS} scans of 14 kB in bounded memory`, async () => {
    const summary = "s".repeat(14_000);
    const scans = Array.from({ length: SCANS }, (_, i) => aScan({ id: `scan-${i}`, summary }));
    const listings = [aListing({ entitlements: { history: true } })];
    const { folder, published } = await folderWith(aPublishedDirectory({ listings, scans }));
    const peak = join(folder, "peak");
    const hook = `import { writeFileSync } from "node:fs";
      import { isMainThread } from "node:worker_threads";
      if (isMainThread) process.on("exit", () => {
        writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS));
      });`;
    const args = ["build", published, "--out", join(folder, "store")];
    const { code, stdout } = await crawldexProcess(args, undefined, beginningWith(hook));
    expect([code, stdout.includes(`${(SCANS - 1).toLocaleString("en")} historical`)]).toEqual([
      0,
      true,
    ]);
    expect(Number(await readFile(peak, "utf8")) / 1_024).toBeLessThan(600);
  });
});
