import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { COMPILED, compiledSources, compiledWorkers } from "../test/workers.js";

/**
 * `quick`: `npm test`. `processes`: the tests that start real processes or long tools, or check the whole sample.
 * `slow`: every test of both that makes itself shorter, at full length.
 */
process.env.TEST_RUN ??= "quick";
const run = process.env.TEST_RUN;
const isSlow = run === "slow";
const ENDINGS: Record<string, RegExp> = {
  quick: /\.test\.ts$/,
  processes: /\.processes\.ts$/,
  slow: /\.(?:test|processes)\.ts$/,
};

const TESTS = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter((file) => ENDINGS[run]?.test(file) && !file.startsWith(join("test", "bench")))
  .filter((file) => !isSlow || readFileSync(file, "utf8").includes('/slow.js"'));

/** Those that put another module in a module's place, which must not have been loaded by another test. */
const MOCKING = TESTS.filter((file) => readFileSync(file, "utf8").includes("vi.mock("));

/**
 * The time of all publications of a run, so that equal publications have equal ids: this day's first second. With a day
 * long ago, servers would no longer name the sites that tests remove.
 */
const TODAY = `${Math.floor(Date.now() / 86_400_000) * 86_400}`;

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../", import.meta.url)),
    globalSetup: ["test/setup.ts"],
    setupFiles: ["test/extras.ts"],
    // What commands print there depends on it.
    env: {
      GITHUB_ACTIONS: "",
      TEST_RUN: run,
      ...(run !== "quick" && { SOURCE_DATE_EPOCH: TODAY }),
    },
    testTimeout: isSlow ? 600_000 : 60_000,
    hookTimeout: 120_000,
    // Long enough for a condition on a busy machine; it waits no longer than the condition takes.
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    // Tests wait for timers and processes about a third of their time: three of them keep two processors busy.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        plugins: [compiledSources()],
        test: {
          name: "together",
          include: TESTS.filter((file) => !MOCKING.includes(file)),
          server: { deps: { external: [COMPILED] } },
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [compiledWorkers()],
        test: { name: "alone", include: MOCKING },
      },
    ],
  },
});
