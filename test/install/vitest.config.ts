import { defineConfig } from "vitest/config";
import { COMPILED, compiledSources } from "../workers.js";

/** Packs and installs the package with the commands of the documentation: `npm run test:install`. */
export default defineConfig({
  plugins: [compiledSources()],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/install/**/*.install.ts"],
    globalSetup: ["test/setup.ts"],
    env: { GITHUB_ACTIONS: "" },
    // Packages are downloaded, and everything is compiled.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: "forks",
    server: { deps: { external: [COMPILED] } },
    // One process, in which the files share the packed tarball.
    maxWorkers: 1,
    isolate: false,
  },
});
