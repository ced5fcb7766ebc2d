import { defineConfig } from "vitest/config";
import { compiledWorkers } from "../workers.js";

/** Drives pages in a real browser: `npm run test:browser`. */
export default defineConfig({
  plugins: [compiledWorkers()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/browser/**/*.browser.ts"],
    globalSetup: ["test/setup.ts"],
    testTimeout: 300_000,
    // A browser on a busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
