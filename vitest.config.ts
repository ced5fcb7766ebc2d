import { defineConfig } from "vitest/config";
import { compiledWorkers } from "./test/workers.js";

export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    globalSetup: ["test/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
