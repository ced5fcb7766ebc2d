import { suite } from "../workers.js";

/** Tests of exported trees on real web servers, which are installed as they are needed: `npm run test:hosts`. */
export default suite("test/**/*.hosts.ts", {
  testTimeout: 60_000,
  // A browser on a busy machine takes its time.
  expect: { poll: { timeout: 10_000 } },
});
