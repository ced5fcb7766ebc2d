import { compiledWorkers, suite } from "../workers.js";

const seed = process.env.SEED ?? String(Date.now() % 1_000_000);
const run = process.env.CRASH_RUN ?? "long";
process.stderr.write(`crash tests: CRASH_RUN=${run} SEED=${seed}\n`);

/** Of these, `npm run test:processes` has a quick share. */
const SHARED = [
  "test/crash/calls.processes.ts",
  "test/crash/export.processes.ts",
  "test/extras/*/calls.processes.ts",
];
/** What each run of CI has besides. */
const IN_CI = ["kill", "lock", "two-builds"];

/** The tests that kill, starve and damage, with all their repetitions: `npm run test:crash`. */
export default suite(
  [
    ...SHARED,
    ...(run === "ci" ? IN_CI : ["*"]).map((name) => `test/crash/${name}.crash.ts`),
    "test/extras/*/*.crash.ts",
  ],
  {
    // Builds of the same records have the same id, whenever they are made.
    env: {
      SEED: seed,
      CRASH_RUN: run,
      SOURCE_DATE_EPOCH: `${Math.floor(Date.now() / 86_400_000) * 86_400}`,
    },
    testTimeout: 3_600_000,
    expect: { poll: { timeout: 30_000 } },
  },
  compiledWorkers(),
);
