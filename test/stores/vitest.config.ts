import { defineConfig } from "vitest/config";
import { COMPILED, compiledSources } from "../workers.js";

/** Tests against real servers, which are installed and started as they are needed: `npm run test:stores`. */
export default defineConfig({
  plugins: [compiledSources()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/**/*.stores.ts"],
    globalSetup: ["test/setup.ts", "test/stores/setup.ts"],
    env: { GITHUB_ACTIONS: "" },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    server: { deps: { external: [COMPILED] } },
    maxWorkers: 1,
  },
});
