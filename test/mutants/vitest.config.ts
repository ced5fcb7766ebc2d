import { readFileSync } from "node:fs";
import glob from "fast-glob";
import { defineConfig } from "vitest/config";
import { compiledWorkers } from "../workers.js";

const ROOMS = ["oracle", "engine", "contract", "compile"];

/** The tests that run for each mutant. They load the sources, which have the mutants: `npm run test:mutants`. */
export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    // Modules are loaded once for all files, so none may put another module in a module's place.
    include: glob
      .sync(ROOMS.map((room) => `test/${room}/**/*.test.ts`))
      .filter((file) => !readFileSync(file, "utf8").includes("vi.mock(")),
    env: { TEST_RUN: "quick", GITHUB_ACTIONS: "" },
    // A first run beside other work may be slow; Stryker stops the tests of a mutant that never end.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    pool: "threads",
    isolate: false,
  },
});
