import { defineConfig } from "vitest/config";
import { compiledWorkers } from "../workers.js";

/** The tests that run for each mutant. They load the sources, which have the mutants: `npm run test:mutants`. */
export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["oracle", "engine", "contract", "compile"].map((room) => `test/${room}/**/*.test.ts`),
    env: { TEST_RUN: "quick", GITHUB_ACTIONS: "" },
    // A first run beside other work may be slow; Stryker stops the tests of a mutant that never end.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    // Not `isolate: false`: Stryker would learn only of the first file which code its tests run.
    pool: "threads",
  },
});
