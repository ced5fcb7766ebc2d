import { defineConfig } from "vitest/config";
import { compiledWorkers } from "../workers.js";

/** The tests that run for each mutant. They load the sources, which have the mutants: `npm run test:mutants`. */
export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["oracle", "engine", "contract", "compile"].map((room) => `test/${room}/**/*.test.ts`),
    env: { TEST_RUN: "quick", GITHUB_ACTIONS: "" },
    testTimeout: 120_000,
    pool: "threads",
  },
});
