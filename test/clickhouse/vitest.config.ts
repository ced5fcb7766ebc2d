import { defineConfig } from "vitest/config";
import { COMPILED, compiledSources } from "../workers.js";

/** Tests with ClickHouse's engine, which is installed as it is needed: `npm run test:clickhouse`. */
export default defineConfig({
  plugins: [compiledSources()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/**/*.clickhouse.ts"],
    globalSetup: ["test/setup.ts"],
    env: { GITHUB_ACTIONS: "" },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    server: { deps: { external: [COMPILED] } },
    maxWorkers: 1,
  },
});
