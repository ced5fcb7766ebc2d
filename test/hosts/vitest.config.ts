import { defineConfig } from "vitest/config";
import { COMPILED, compiledSources } from "../workers.js";

/** Tests of exported trees on real web servers, which are installed as they are needed: `npm run test:hosts`. */
export default defineConfig({
  plugins: [compiledSources()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/hosts/**/*.hosts.ts"],
    globalSetup: ["test/setup.ts"],
    env: { GITHUB_ACTIONS: "" },
    testTimeout: 60_000,
    // A browser on a busy machine takes its time.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 120_000,
    pool: "forks",
    server: { deps: { external: [COMPILED] } },
    maxWorkers: 1,
  },
});
