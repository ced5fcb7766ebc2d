import { suite } from "../workers.js";

/** Tests against real servers, which are installed and started as they are needed: `npm run test:stores`. */
export default suite("test/**/*.stores.ts", {
  globalSetup: ["test/setup.ts", "test/stores/setup.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
});
