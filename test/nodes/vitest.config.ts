import { suite } from "../workers.js";

/** Runs the product, and with NODES_RUN=long its tests, under other versions of Node: `npm run test:nodes`. */
export default suite("test/nodes/**/*.nodes.ts", {
  testTimeout: 1_200_000,
  hookTimeout: 300_000,
});
