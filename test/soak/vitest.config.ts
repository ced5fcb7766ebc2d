import { compiledWorkers, suite } from "../workers.js";

const seed = process.env.SEED ?? String(Date.now() % 1_000_000);
const run = process.env.SOAK_RUN ?? "long";
process.stderr.write(`soak tests: SOAK_RUN=${run} SEED=${seed}\n`);

/** The tests that load, attack and wear a server out, for as long as it takes: `npm run test:soak`. */
export default suite(
  "test/soak/**/*.soak.ts",
  { env: { SEED: seed, SOAK_RUN: run }, testTimeout: 7_200_000, hookTimeout: 600_000 },
  compiledWorkers(),
);
