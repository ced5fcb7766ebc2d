import { defineConfig } from "vitest/config";
import { compiledWorkers } from "../workers.js";

const seed = process.env.SEED ?? String(Date.now() % 1_000_000);
const run = process.env.CRASH_RUN ?? "long";
process.stderr.write(`crash tests: CRASH_RUN=${run} SEED=${seed}\n`);

/** Of these, `npm run test:processes` has a quick share. */
const SHARED = ["test/crash/calls.processes.ts", "test/crash/export.processes.ts"];
/** What each run of CI has besides. */
const IN_CI = ["kill", "lock", "two-builds", "parts"];

/** The tests that kill, starve and damage, with all their repetitions: `npm run test:crash`. */
export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: [
      ...SHARED,
      ...(run === "ci" ? IN_CI : ["*"]).map((name) => `test/crash/${name}.crash.ts`),
    ],
    globalSetup: ["test/setup.ts"],
    // Builds of the same records have the same id, whenever they are made.
    env: {
      SEED: seed,
      CRASH_RUN: run,
      GITHUB_ACTIONS: "",
      SOURCE_DATE_EPOCH: `${Math.floor(Date.now() / 86_400_000) * 86_400}`,
    },
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    // The compiled product is run by node itself, as its users run it.
    server: { deps: { external: [/\/dist\//] } },
    // Times are measured: one file at a time.
    maxWorkers: 1,
  },
});
