import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { compiledWorkers } from "./test/workers.js";

const TESTS = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter((file) => file.endsWith(".test.ts") && !file.startsWith(join("test", "bench")));

/** Those that put another module in a module's place, which must not have been loaded by another test. */
const MOCKING = TESTS.filter((file) => readFileSync(file, "utf8").includes("vi.mock("));

export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    globalSetup: ["test/setup.ts"],
    // What commands print there depends on it.
    env: { GITHUB_ACTIONS: "" },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: TESTS.filter((file) => !MOCKING.includes(file)),
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: MOCKING } },
    ],
  },
});
