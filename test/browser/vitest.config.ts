import { compiledWorkers, suite } from "../workers.js";

/** Drives pages in a real browser: `npm run test:browser`. */
export default suite(
  ["test/browser/**/*.browser.ts", "test/extras/**/*.browser.ts"],
  // A browser on a busy machine takes its time.
  { testTimeout: 300_000, expect: { poll: { timeout: 20_000 } } },
  compiledWorkers(),
);
