import { defineConfig } from "vitest/config";
import { COMPILED, compiledSources } from "../workers.js";

/** Runs the product, and with NODES_RUN=long its tests, under other versions of Node: `npm run test:nodes`. */
export default defineConfig({
  plugins: [compiledSources()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/nodes/**/*.nodes.ts"],
    globalSetup: ["test/setup.ts"],
    env: { GITHUB_ACTIONS: "" },
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
    pool: "forks",
    server: { deps: { external: [COMPILED] } },
    maxWorkers: 1,
  },
});
