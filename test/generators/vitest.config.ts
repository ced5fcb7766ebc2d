import { defineConfig } from "vitest/config";
import { compiledWorkers } from "../workers.js";

/** Generates clients from the API's description with tools of the registry: `npm run test:generators`. */
export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/generators/**/*.generators.ts"],
    globalSetup: ["test/setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
